import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension SQLiteSession {
  func execute(_ sql: AppSQL) throws {
    try perform { database in
      try withSavepoint(database) { _ in
        try database.execute(sql, statements.tableNames)
        // A statement can have given another name to a temporary table.
        try statements.checkTemporaryTables(of: database)
      }
    }
  }

  func forEachBatch(
    of query: AppSQL, as node: ModelNode, needsAllKeys: Bool,
    _ body: ([StoredRow]) throws -> Void
  ) throws {
    try perform { database in
      let statement = try PreparedStatement(database, appSQL: query.text, statements.tableNames)
      var arguments = SQLArguments(query)
      try arguments.bind(to: statement)
      try arguments.checkEnd()
      guard statement.isReadOnly else { throw StoreError.changingQuery() }
      var rows = try StatementRows(statement)
      let columns = NamedColumns(Self.columnNames(of: rows.statement), for: node)
      if needsAllKeys { try columns.check(for: node) }
      var batch: [StoredRow] = []
      while try rows.next() {
        batch.append(StoredRow(node, rows.statement, columns))
        if batch.count == GraphReader.batchSize {
          try body(batch)
          batch.removeAll(keepingCapacity: true)
        }
      }
      if !batch.isEmpty { try body(batch) }
    }
  }

  private static func columnNames(of statement: OpaquePointer) -> [String] {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
  }
}
