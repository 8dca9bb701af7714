import GRDB
import GRDBSQLite
import Synchronization
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// All rows of a store's tables, read with `SELECT *`.
struct TableContents: Equatable {
  struct StateOfRow: Equatable {
    var values: [DatabaseValue]
    var fingerprints: [UInt64]
    var links: [String: Int64]
  }

  private(set) var rows: [String: [Int64: StateOfRow]] = [:]

  init(_ database: Database, _ schema: Schema) throws {
    for entity in schema.entities {
      try read(
        entity.name, columns: schema.tableColumns(of: entity),
        links: Set(entity.relationships.map(\.name)), database)
    }
    for table in schema.compiled.linkTables {
      try read(
        table.name, columns: table.table.columnNames, links: ["source", "target"], database)
    }
  }

  private mutating func read(
    _ table: String, columns: [String], links: Set<String>, _ database: Database
  ) throws {
    let statement = try database.makeStatement(sql: "SELECT rowid AS i, * FROM \"\(table)\"")
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      var state = StateOfRow(values: Array(row.databaseValues), fingerprints: [], links: [:])
      for name in columns {
        let column = try #require(statement.columnNames.firstIndex(of: name))
        let value = SQLiteValue(statement.sqliteStatement, CInt(column))
        state.fingerprints.append(value.fingerprint)
        if links.contains(name) { state.links[name] = row[column] }
      }
      rows[table, default: [:]][row[0]] = state
    }
  }

  /// Returns the rows that differ from another state.
  func differences(from other: TableContents) -> [String: Set<Int64>] {
    var differences: [String: Set<Int64>] = [:]
    for table in Set(rows.keys).union(other.rows.keys) {
      let (one, two) = (rows[table] ?? [:], other.rows[table] ?? [:])
      let different = Set(one.keys).union(two.keys).filter { one[$0] != two[$0] }
      if !different.isEmpty { differences[table] = different }
    }
    return differences
  }
}

/// Reads all tables after each reported commit and records the reports that do
/// not match the difference between the states before and after.
final class CommitReportChecker: Sendable {
  private struct Reported {
    var state: TableContents
    var problems: [String] = []
    var reports: [CommittedChanges] = []
    var isExact = false
  }

  private let reported: Mutex<Reported>
  private let schema: Schema

  init(_ reader: StoreReader) throws {
    let schema = reader.schema
    let state = try reader.perform { try TableContents($0, schema) }
    self.schema = schema
    reported = Mutex(Reported(state: state))
  }

  var state: TableContents { reported.withLock { $0.state } }
  var problems: [String] { reported.withLock { $0.problems } }
  var reports: [CommittedChanges] { reported.withLock { $0.reports } }

  /// Sets whether reports must contain only rows that differ.
  func expect(exactly isExact: Bool) { reported.withLock { $0.isExact = isExact } }

  func see(_ report: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    do {
      let changes = try report.get()
      let new = try reader.perform { try TableContents($0, schema) }
      reported.withLock { reported in
        let number = reported.reports.count
        reported.problems += problems(
          changes, from: reported.state, to: new, isExact: reported.isExact
        )
        .map { "report \(number): \($0)" }
        reported.state = new
        reported.reports.append(changes)
      }
    } catch {
      reported.withLock { $0.problems.append("\(error)") }
    }
  }

  private func problems(
    _ changes: CommittedChanges, from old: TableContents, to new: TableContents, isExact: Bool
  ) -> [String] {
    guard changes.isComplete else { return ["it is not complete"] }
    var problems: [String] = []
    let differences = new.differences(from: old)
    for (table, rows) in differences where !rows.isSubset(of: changes.rows[table] ?? []) {
      problems.append("rows of \(table) are missing: \(rows) are not in \(changes.rows)")
    }
    for (table, written) in changes.tables {
      if isExact, Set(written.before.keys) != differences[table] ?? [] {
        problems.append("\(written.before.keys) of \(table), expected \(differences)")
      }
      for (row, before) in written.before {
        let state = old.rows[table]?[row]
        if before != state.map({ .row($0.fingerprints) }) ?? .absent {
          problems.append("row \(row) of \(table) held something else before")
        }
        for column in Set(written.links.keys).union(state.map { Array($0.links.keys) } ?? [])
        where written.links[column]?[row] != state?.links[column] {
          problems.append("row \(row) of \(table) was linked to something else by \(column)")
        }
      }
    }
    return problems
  }
}

extension ModelStore {
  func witness() throws -> (CommitReportChecker, CommitSubscription) {
    try observe({ try CommitReportChecker($0) }) { witness, report, reader in
      witness.see(report, reader)
    }
  }

  /// Checks for external commits and waits for the check to finish.
  func checkExternalCommits() throws {
    try sqlite.commitFeed.checkExternalCommits()
    try writer.unsafeReentrantWrite { _ in }
  }
}
