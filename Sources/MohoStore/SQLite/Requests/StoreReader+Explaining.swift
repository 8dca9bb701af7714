import GRDB
import MohoMapping

extension StoreReader {
  /// The SQL, the arguments and the query plan of a request for rows.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    let sql = try RequestSQL(request, schema)
    let columns = sql.entity.attributes.map(\.name).filter { $0 != sql.entity.identityColumn }
    let query = try sql.select([sql.identity] + columns.map { sql.column($0) })
    let plan = try perform { try QueryPlan(of: query.sql, $0) }
    return RequestExplanation(
      sql: query.sql, arguments: query.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes,
      suggestedIndex: plan.lacksIndex(on: sql.alias) ? sql.request.suggestedIndex : [],
      entity: sql.entity.name)
  }
}

extension ModelStore {
  /// The SQL, the arguments and the query plan of a request for rows.
  ///
  /// - Throws: As ``StoreReader/explain(_:)``.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try read { try $0.explain(request) }
  }
}
