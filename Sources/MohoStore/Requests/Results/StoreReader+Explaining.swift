import GRDB

extension StoreReader {
  /// How the store would carry out a request for its rows.
  ///
  /// - Throws: ``StoreError`` where it cannot be carried out.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    let sql = try RequestSQL(request, schema)
    let columns = sql.entity.attributes.map(\.name).filter { $0 != sql.entity.identityColumn }
    let statement = try sql.select([sql.identity] + columns.map { sql.column($0) })
    let rows = try perform { database in
      try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN " + statement.sql,
        arguments: StatementArguments(statement.arguments))
    }
    let plan = QueryPlan(
      rows.map { QueryPlan.Step(id: $0["id"], parent: $0["parent"], detail: $0["detail"]) })
    return RequestExplanation(
      sql: statement.sql, arguments: statement.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes,
      suggestedIndex: plan.isWanting(sql.alias) ? sql.request.suggestedIndex : [],
      entity: sql.entity.name)
  }
}

extension ModelStore {
  /// How the store would carry out a request for its rows.
  ///
  /// - Throws: As ``StoreReader/explain(_:)``.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try read { try $0.explain(request) }
  }
}
