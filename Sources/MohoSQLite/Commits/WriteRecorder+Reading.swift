import GRDBSQLite
import MohoRows

extension WriteRecorder {
  /// Returns the written rows of a table that subscribers may not have
  /// received, or nil if there are none.
  func unreportedRows(in table: String) -> RowWriteSet? {
    discardAbandonedRows()
    let written =
      isReporting ? committed[table] : tables.first { $0.table.name == table }?.written
    return written.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the rows that the current transaction has written.
  func rowsWrittenInTransaction(to tables: [CompiledTable]) -> CommittedChanges {
    var written: [String: RowWriteSet] = [:]
    for table in tracked(tables) where !table.written.isEmpty {
      written[table.table.name] = table.written
    }
    return CommittedChanges(tables: written, hasAllTables: true)
  }

  /// Runs a closure, and returns the rows that it has written.
  func recordingRows<Result>(
    of tables: [CompiledTable], _ body: () throws -> Result
  ) throws -> (result: Result, written: CommittedChanges) {
    let recorded = tracked(tables)
    for table in recorded { table.parts.append(RowWriteSet(isComplete: usesHook)) }
    let changeCount = sqlite3_total_changes(connection)
    let result = Swift.Result { try body() }
    var written: [String: RowWriteSet] = [:]
    for table in recorded {
      if let rows = table.parts.popLast(), !rows.isEmpty { written[table.table.name] = rows }
    }
    // Without the hook, GRDB reports rows that are written in a savepoint of the app after
    // the savepoint has ended.
    let isDelayed =
      !usesHook && isInTransactionOfApp && written.isEmpty
      && sqlite3_total_changes(connection) != changeCount
    return (try result.get(), CommittedChanges(tables: written, hasAllTables: !isDelayed))
  }

  private func tracked(_ tables: [CompiledTable]) -> [TrackedTable] {
    self.tables.filter { tracked in tables.contains { $0.name == tracked.table.name } }
  }
}
