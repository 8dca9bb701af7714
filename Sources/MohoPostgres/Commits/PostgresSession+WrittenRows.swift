import MohoRows

extension PostgresSession {
  private var logReader: LogReader {
    get throws {
      LogReader(try PostgresLogSchema(schema, schemaName: connection.schemaName))
    }
  }

  func unreportedRows(in table: String) throws -> RowWriteSet? {
    if let reportedCommit { return reportedCommit.changes[table] }
    guard isWriting else { return nil }
    return try logReader.unreportedRows(in: table, on: connection)
  }

  func rowsWrittenInTransaction(to tables: [CompiledTable]) throws -> CommittedChanges {
    try logReader.rowsWrittenInTransaction(to: tables, after: 0, on: connection)
  }

  func recordingRows<Result>(
    of tables: [CompiledTable], _ body: () throws -> Result
  ) throws -> (result: Result, written: CommittedChanges) {
    let connection = try connection
    let last = try LogReader.lastEntry(on: connection)
    let result = try body()
    return (
      result, try logReader.rowsWrittenInTransaction(to: tables, after: last, on: connection)
    )
  }

  func checkReferences() throws { try connection.checkReferences() }
}
