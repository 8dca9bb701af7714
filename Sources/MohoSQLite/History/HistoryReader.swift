import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Reads the history of a store on a connection.
struct HistoryReader {
  private let database: Database
  private let schema: CompiledSchema
  private let keys: RecordedKeyFinder
  private let id: String
  /// The last change that was deleted from the history.
  private let deleted: Int64
  /// The last change and its time.
  private let last: (sequence: Int64, time: Int64)

  private static let history = quotedName(ReservedName.history)

  /// The number of changes after which reading continues with another statement.
  private static let batchSize = 1_000

  /// - Throws: A `StoreError` if the store has no history.
  init(_ database: Database, _ schema: CompiledSchema) throws {
    guard try HistorySchema.isRecorded(in: database),
      let state = try Row.fetchOne(
        database,
        sql: "SELECT history, deleted FROM \(quotedName(ReservedName.historyState))")
    else {
      throw StoreError.noHistory
    }
    self.database = database
    self.schema = schema
    keys = RecordedKeyFinder(SQLiteRecordedKeys(database), schema)
    id = state.text(0) ?? ""
    deleted = state.integer(1)
    last = try Self.change("ORDER BY sequence DESC LIMIT 1", [], database) ?? (0, 0)
  }

  private static func change(
    _ condition: String, _ arguments: [FieldContent], _ database: Database
  ) throws -> (sequence: Int64, time: Int64)? {
    let sql = "SELECT sequence, date FROM \(history) \(condition)"
    return try PreparedStatement(database, SQLQuery(sql, arguments)).first { statement in
      (
        sqlite3_column_int64(statement, 0),
        HistoryDate.milliseconds(sqlite3_column_double(statement, 1))
      )
    }
  }

  /// The position after all changes.
  var currentToken: HistoryToken { token(last.sequence, last.time) }

  private func token(_ sequence: Int64, _ time: Int64) -> HistoryToken {
    HistoryToken(history: id, sequence: sequence, time: time)
  }

  /// Returns the number of the last change before a token.
  ///
  /// - Throws: A `StoreError` if the token is not valid.
  func position(of token: HistoryToken?) throws -> Int64 {
    guard let token else { return deleted }
    guard token.history == id else {
      throw StoreError.foreignToken(
        "the token belongs to another store, or to an earlier history of the store")
    }
    guard (0...last.sequence).contains(token.sequence) else {
      throw StoreError.foreignToken(
        "the token is newer than the store, which may be an older copy of the file")
    }
    guard token.sequence >= deleted else {
      throw StoreError.deletedHistory
    }
    let found = try Self.change("WHERE sequence = ?", [.int64(token.sequence)], database)
    guard found == nil || found?.time == token.time else {
      throw StoreError.foreignToken("the token belongs to another copy of the file")
    }
    return token.sequence
  }

  /// Passes the transactions after a change to a closure, until it returns false.
  func forEach(
    after position: Int64, excluding authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    try forEachGroup(after: position, excluding: authors) { try report($0, body) }
  }

  /// Passes the changes of the rows of an entity after a change to a closure: one
  /// for each row from its insertion to its deletion in a transaction.
  func forEachRow(
    of entity: String, after position: Int64, excluding authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws {
    try forEachGroup(after: position, excluding: authors) { group in
      for row in group.rows.filter({ $0.entity == entity }).netRows {
        guard let kind = row.kind else { continue }
        try body(HistoryRowChange(row: row.row, kind: kind, keys: row.keys))
      }
      return true
    }
  }

  /// Passes the changes of each transaction after a change to a closure, until it
  /// returns false.
  private func forEachGroup(
    after position: Int64, excluding authors: Set<String>, _ body: (RecordedGroup) throws -> Bool
  ) throws {
    var position = position
    while true {
      let transactions = try self.transactions(after: position)
      for next in transactions {
        // Changes between transactions were made by other programs.
        if next.first > position + 1 {
          let range = position + 1...next.first - 1
          guard try forEachUngrouped(in: range, body) else { return }
        }
        let range = max(next.first, position + 1)...next.last
        position = next.last
        if let author = next.author, authors.contains(author) { continue }
        let group = RecordedGroup(
          rows: try changes(in: range), sequence: next.last, time: next.time, author: next.author)
        guard try body(group) else { return }
      }
      if transactions.isEmpty { break }
    }
    if position < last.sequence {
      _ = try forEachUngrouped(in: position + 1...last.sequence, body)
    }
  }

  private func transactions(after position: Int64) throws -> [RecordedTransaction] {
    let sql = """
      SELECT last, first, date, author FROM \(quotedName(ReservedName.historyTransactions)) \
      WHERE last > ? ORDER BY last LIMIT \(Self.batchSize)
      """
    var transactions: [RecordedTransaction] = []
    try StatementRows.forEach(of: SQLQuery(sql, [.int64(position)]), database) { statement in
      transactions.append(
        RecordedTransaction(
          first: sqlite3_column_int64(statement, 1), last: sqlite3_column_int64(statement, 0),
          time: HistoryDate.milliseconds(sqlite3_column_double(statement, 2)),
          author: SQLiteValue(statement, 3).isNull ? nil : SQLiteValue(statement, 3).string))
    }
    return transactions
  }

  /// Passes changes that belong to no transaction to a closure. Changes with the
  /// same date, which are those of one statement, are a transaction.
  private func forEachUngrouped(
    in range: ClosedRange<Int64>, _ body: (RecordedGroup) throws -> Bool
  ) throws -> Bool {
    var (group, next): ([RecordedRow], Int64) = ([], range.lowerBound)
    while next <= range.upperBound {
      let batch = try changes(in: next...range.upperBound, limit: Self.batchSize)
      guard let end = batch.last else { break }
      for change in batch {
        if let last = group.last, last.time != change.time {
          guard try body(RecordedGroup(rows: group, last)) else { return false }
          group.removeAll()
        }
        group.append(change)
      }
      next = end.sequence + 1
    }
    guard let last = group.last else { return true }
    return try body(RecordedGroup(rows: group, last))
  }

  private func changes(
    in range: ClosedRange<Int64>, limit: Int = .max
  ) throws -> [RecordedRow] {
    let sql = """
      SELECT sequence, date, entity, row, change, keys, key FROM \(Self.history) \
      WHERE sequence BETWEEN ? AND ? ORDER BY sequence LIMIT \(limit)
      """
    var changes: [RecordedRow] = []
    let arguments = [FieldContent.int64(range.lowerBound), .int64(range.upperBound)]
    try StatementRows.forEach(of: SQLQuery(sql, arguments), database) { statement in
      changes.append(RecordedRow(statement, schema))
    }
    return changes
  }

  /// Passes a transaction to a closure, unless it has no changes.
  private func report(
    _ group: RecordedGroup, _ body: (HistoryTransaction) throws -> Bool
  ) throws -> Bool {
    let changes = try group.rows.changes(in: schema, keys, time: group.time)
    if changes.isEmpty { return true }
    return try body(
      HistoryTransaction(
        token: token(group.sequence, group.rows.last?.time ?? group.time),
        date: HistoryChange.date(milliseconds: group.time), author: group.author,
        changes: changes))
  }
}

private struct RecordedTransaction {
  let first: Int64
  let last: Int64
  let time: Int64
  let author: String?
}

/// The recorded changes of a transaction.
private struct RecordedGroup {
  let rows: [RecordedRow]
  let sequence: Int64
  let time: Int64
  let author: String?
}

extension RecordedGroup {
  /// The changes of a transaction without an author, with the last of them.
  init(rows: [RecordedRow], _ last: RecordedRow) {
    self.init(rows: rows, sequence: last.sequence, time: last.time, author: nil)
  }
}
