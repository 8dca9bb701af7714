import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension SQLiteSession {
  func count(_ request: RowRequest) throws -> Int {
    Int(try integers(RequestSQL(request, schema, SQLiteDialect()).count).first ?? 0)
  }

  func exists(_ request: RowRequest) throws -> Bool {
    try integers(RequestSQL(request, schema, SQLiteDialect()).exists).first == 1
  }

  func identities(of request: RowRequest) throws -> [Int64] {
    let sql = try RequestSQL(request, schema, SQLiteDialect())
    return try integers(sql.select([sql.identity]))
  }

  func values(_ values: [Operand], of request: RowRequest) throws -> [RequestRow] {
    let sql = try RequestSQL(request, schema, SQLiteDialect(), selecting: values)
    return try rows(
      sql.request.isDistinct ? sql.selectDistinct() : sql.select([]),
      names: values.map(\.description), sql.request.selection.map(\.type))
  }

  func aggregates(
    _ aggregates: [Aggregate], of request: RowRequest, groupedBy keys: [Operand]
  ) throws -> [RequestRow] {
    let sql = try AggregateSQL(request, schema, SQLiteDialect(), aggregates, groupedBy: keys)
    return try rows(sql.query, names: sql.names, sql.types)
  }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    let sql = try RequestSQL(request, schema, SQLiteDialect())
    let columns = sql.entity.attributes.map(\.name).filter { $0 != sql.entity.identityColumn }
    let query = try sql.select([sql.identity] + columns.map { sql.column($0) })
    let plan = try perform { try QueryPlan(of: query.sql, $0) }
    return RequestExplanation(
      sql: query.sql, arguments: query.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes,
      suggestedIndex: plan.lacksIndex(on: sql.alias) ? sql.request.suggestedIndex : [],
      entity: sql.entity.name)
  }

  private func integers(_ query: SQLQuery) throws -> [Int64] {
    var integers: [Int64] = []
    try forEachRow(of: query) { integers.append(sqlite3_column_int64($0, 0)) }
    return integers
  }

  private func rows(
    _ query: SQLQuery, names: [String], _ types: [ValueType]
  ) throws -> [RequestRow] {
    var rows: [RequestRow] = []
    try forEachRow(of: query) { statement in
      var values: [FieldContent] = []
      for (column, type) in types.enumerated() {
        let value = StoredValue(statement, Int32(column))
        guard let content = value.content(as: type) else {
          throw MappingError(
            .invalidType, path: FieldPath([.key(names[column])]), found: "\(value)",
            expected: type.rawValue)
        }
        values.append(content)
      }
      rows.append(RequestRow(names: names, values: values))
    }
    return rows
  }

  /// Passes the rows of a query to a closure.
  func forEachRow(of query: SQLQuery, _ body: (OpaquePointer) throws -> Void) throws {
    try perform { try StatementRows.forEach(of: query, $0, body) }
  }
}
