import Foundation
import GRDB
import GRDBSQLite
import MohoRows

/// Groups the changes of a write, which triggers have recorded, into a
/// transaction of the history, and deletes old transactions.
// `@unchecked`: the recorder is used only on the queue of the writer.
final class HistoryRecorder: @unchecked Sendable {
  /// The write that is running.
  private struct Recording {
    let author: String?
    /// The last change that does not belong to the write.
    var start: Int64
  }

  private let last = CachedStatement(
    "SELECT max(sequence) FROM \(quotedName(ReservedName.history))")
  private static let insertion =
    "INSERT INTO \(quotedName(ReservedName.historyTransactions)) (last, first, date, author)"
    + " VALUES (?, ?, julianday('now'), ?)"
  private let maximumAge: TimeInterval?
  private var recording: Recording?
  private var nextDeletion = Date.distantPast

  /// The maximum number of changes that one write deletes because of their age.
  static let deletionLimit: Int64 = 10_000

  init(maximumAge: TimeInterval?) { self.maximumAge = maximumAge }

  /// Runs a closure that writes, and records its changes as a transaction.
  ///
  /// - Parameter author: The author, or nil for the author of the outer write.
  func recording<Result>(
    by author: String?, _ database: Database, _ body: () throws -> Result
  ) throws -> Result {
    let outer = recording
    if let outer, author == nil || author == outer.author { return try body() }
    if outer != nil { try endTransaction(database) }
    let start: Int64
    do {
      start = try lastChange(database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // Another program has disabled the history, so that the table does not exist.
      return try body()
    }
    recording = Recording(author: author, start: start)
    do {
      let result = try body()
      try endTransaction(database)
      let end = recording?.start ?? start
      if outer == nil, end > start { try deleteOldTransactions(database) }
      recording = outer.map { Recording(author: $0.author, start: end) }
      return result
    } catch {
      // The rollback also undoes what was recorded for the outer write.
      recording = outer
      throw error
    }
  }

  /// Records the changes since the start of the recording as a transaction.
  private func endTransaction(_ database: Database) throws {
    guard let recording, database.isInsideTransaction else { return }
    let last = try lastChange(database)
    guard last > recording.start else { return }
    let statement = try PreparedStatement(database, Self.insertion)
    try statement.bind(last, at: 1)
    try statement.bind(recording.start + 1, at: 2)
    try statement.bind(recording.author.map { .text($0) } ?? .null, at: 3)
    try statement.execute()
    self.recording?.start = last
  }

  private func lastChange(_ database: Database) throws -> Int64 {
    try last.prepared(on: database).first { sqlite3_column_int64($0, 0) } ?? 0
  }
}

extension HistoryRecorder {
  /// Deletes transactions that have reached the maximum age. Checks this a few
  /// times within that age, and until no old transaction is left.
  private func deleteOldTransactions(_ database: Database) throws {
    guard let maximumAge, Date.now >= nextDeletion else { return }
    let limit = Date.now.addingTimeInterval(-maximumAge)
    let isDone = try Self.delete(before: limit, database, limit: Self.deletionLimit)
    let pause = HistoryPolicy.deletionInterval(maximumAge: maximumAge)
    nextDeletion = isDone ? Date.now.addingTimeInterval(pause) : .distantPast
  }

  /// Deletes the transactions before a date.
  ///
  /// - Parameter limit: The number of changes after which to stop.
  /// - Returns: Whether all of them have been deleted.
  @discardableResult
  static func delete(
    before date: Date, _ database: Database, limit: Int64? = nil
  ) throws -> Bool {
    let history = quotedName(ReservedName.history)
    let next = try Row.fetchOne(
      database, sql: "SELECT sequence FROM \(history) WHERE date >= ? ORDER BY sequence LIMIT 1",
      arguments: [HistoryDate.julianDay(date)])
    let end = try next.map { $0.integer(0) - 1 } ?? lastChange(database)
    var part = end
    if let limit {
      part = min(end, try firstChange(database) &+ limit &- 1)
    }
    try delete(upTo: part, database, atMost: end)
    return part == end
  }

  /// Deletes the transactions that consist of changes up to a number.
  ///
  /// - Parameter end: The last change that can be deleted in addition, to delete a
  ///   whole transaction.
  static func delete(upTo number: Int64, _ database: Database, atMost end: Int64) throws {
    let row = try Row.fetchOne(
      database,
      sql: "SELECT first, last FROM \(quotedName(ReservedName.historyTransactions))"
        + " WHERE last > ? ORDER BY last LIMIT 1", arguments: [number])
    var number = number
    if let row, row.integer(0) <= number {
      number = row.integer(1) <= end ? row.integer(1) : row.integer(0) - 1
    }
    // The last change keeps its number from being used again.
    for (table, column) in [
      (ReservedName.history, "sequence"), (ReservedName.historyTransactions, "last"),
    ] {
      try database.execute(
        sql: "DELETE FROM \(quotedName(table)) WHERE \(column) <= ?"
          + " AND \(column) < (SELECT max(\(column)) FROM \(quotedName(table)))",
        arguments: [number])
    }
    try database.execute(
      sql: "UPDATE \(quotedName(ReservedName.historyState)) SET deleted = max(deleted, ?)",
      arguments: [number])
  }

  /// Deletes all transactions.
  static func deleteAll(_ database: Database) throws {
    let last = try lastChange(database)
    try delete(upTo: last, database, atMost: last)
  }

  private static func firstChange(_ database: Database) throws -> Int64 {
    try Row.fetchOne(
      database, sql: "SELECT min(sequence) FROM \(quotedName(ReservedName.history))")?
      .integer(0) ?? 0
  }

  private static func lastChange(_ database: Database) throws -> Int64 {
    try Row.fetchOne(
      database, sql: "SELECT max(sequence) FROM \(quotedName(ReservedName.history))")?
      .integer(0) ?? 0
  }
}

/// The dates of the history, which SQLite stores as Julian days.
enum HistoryDate {
  /// The Julian day of 1970-01-01T00:00:00Z.
  private static let epoch = 2_440_587.5

  static func julianDay(_ date: Date) -> Double { date.timeIntervalSince1970 / 86_400 + epoch }

  /// Returns the time since 1970 in milliseconds, which is SQLite's precision.
  static func milliseconds(_ julianDay: Double) -> Int64 {
    Int64(exactly: ((julianDay - epoch) * 86_400_000).rounded()) ?? 0
  }
}
