import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension SQLiteSession {
  var dialect: any SQLDialect { SQLiteDialect() }

  func dialect(for request: ResolvedRequest) -> any SQLDialect { dialect }

  func forEachRow(
    of query: SQLQuery, as types: [ValueType], _ body: (inout [FieldContent]) throws -> Void
  ) throws {
    var values: [FieldContent] = []
    try forEachRow(of: query) { statement in
      values.removeAll(keepingCapacity: true)
      values.reserveCapacity(types.count)
      for (column, type) in types.enumerated() {
        values.append(
          try StoredValue(statement, Int32(column)).content(
            as: type, column: column,
            ofRow: sqlite3_column_int64(statement, Int32(types.count - 1))))
      }
      try body(&values)
    }
  }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    let sql = try requestSQL(request)
    return try sql.explanation { query in
      let plan = try perform { try QueryPlan(of: query.sql, $0) }
      return (plan.lines, plan.indexes, plan.lacksIndex(on: sql.alias))
    }
  }

  /// Passes the rows of a query to a closure.
  func forEachRow(of query: SQLQuery, _ body: (OpaquePointer) throws -> Void) throws {
    try perform { try StatementRows.forEach(of: query, $0, body) }
  }
}

extension StoredValue {
  /// Returns the content of a column of a query.
  ///
  /// - Throws: An ``UnreadableValue`` if the value does not have the type.
  func content(
    as type: ValueType, column: Int, ofRow identity: @autoclosure () -> Int64
  ) throws -> FieldContent {
    if let content = content(as: type) { return content }
    throw UnreadableValue(
      column: column, identity: identity(),
      error: MappingError(.invalidType, found: "\(self)", expected: type.rawValue))
  }
}
