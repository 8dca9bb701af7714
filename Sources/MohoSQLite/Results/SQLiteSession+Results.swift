import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension SQLiteSession {
  func resultReader(
    of request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader {
    SQLiteResultReader(try ResultSQL(request, models: model, isSectioned: isSectioned, schema))
  }

  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]] {
    var found: [Int64: [UInt64]] = [:]
    if rowIDs.isEmpty { return found }
    try perform { database in
      try statements.rows(of: table).prepared(for: rowIDs, on: database).forEachRow { statement in
        let (rowID, values) = SQLiteValue.fingerprints(statement)
        found[rowID] = values
      }
    }
    return found
  }

  func integers(
    _ column: String, in table: String, where other: String?, isIn values: Set<Int64>
  ) throws -> Set<Int64> {
    var integers: Set<Int64> = []
    if values.isEmpty { return integers }
    try perform { database in
      let statement = statements.column(column, of: table, where: other ?? "rowid")
      try statement.prepared(for: values, on: database).forEachRow { statement in
        if let integer = SQLiteValue(statement, 0).integer { integers.insert(integer) }
      }
    }
    return integers
  }

  func unreportedRows(in table: String) throws -> RowWriteSet? {
    try WriteRecorder.existing(of: database)?.unreportedRows(in: table)
  }

  func rowsWrittenInTransaction(to tables: [CompiledTable]) throws -> CommittedChanges {
    try recorder.rowsWrittenInTransaction(to: tables)
  }

  func recordingRows<Result>(
    of tables: [CompiledTable], _ body: () throws -> Result
  ) throws -> (result: Result, written: CommittedChanges) {
    try recorder.recordingRows(of: tables, body)
  }

  /// The recorder of the rows that rules may read.
  private var recorder: WriteRecorder {
    get throws {
      guard let recorder = WriteRecorder.existing(of: try database) else {
        throw StoreError(.database, reason: "the transaction does not record its rows")
      }
      return recorder
    }
  }
}
