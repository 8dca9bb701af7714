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
        let value = StoredValue(statement, Int32(column))
        guard let content = value.content(as: type) else {
          throw UnreadableValue(
            column: column, identity: sqlite3_column_int64(statement, Int32(types.count - 1)),
            error: MappingError(.invalidType, found: "\(value)", expected: type.rawValue))
        }
        values.append(content)
      }
      try body(&values)
    }
  }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    let sql = try requestSQL(request)
    let columns = sql.entity.attributes.map(\.name).filter { $0 != sql.entity.identityColumn }
    let query = try sql.select([sql.identity] + columns.map { sql.column($0) })
    let plan = try perform { try QueryPlan(of: query.sql, $0) }
    return RequestExplanation(
      sql: query.sql, arguments: query.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes,
      suggestedIndex: plan.lacksIndex(on: sql.alias) ? sql.request.suggestedIndex : [],
      entity: sql.entity.name)
  }

  /// Passes the rows of a query to a closure.
  func forEachRow(of query: SQLQuery, _ body: (OpaquePointer) throws -> Void) throws {
    try perform { try StatementRows.forEach(of: query, $0, body) }
  }
}
