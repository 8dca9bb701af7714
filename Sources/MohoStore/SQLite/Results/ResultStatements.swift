import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// The cached statements that read a result and keep it up to date.
package final class ResultStatements: Sendable {
  package let definition: ResultDefinition

  let evaluation: IntegerListStatement
  let comparison: CachedStatement
  let writtenRows: IntegerListStatement
  let models: IntegerListStatement

  /// The statements that find predecessors in an index, or nil if no index
  /// serves. Made when the first row is positioned, because each takes a query
  /// plan.
  private let probes = Lock<ProbeStatements??>(nil)

  init(_ definition: ResultDefinition) {
    self.definition = definition
    evaluation = IntegerListStatement(definition.evaluation)
    comparison = CachedStatement(definition.comparison)
    writtenRows = IntegerListStatement(definition.writtenRows)
    models = IntegerListStatement(definition.models)
  }

  func probes(on database: Database) throws -> ProbeStatements? {
    if let known = probes.withLock({ $0 }) { return known }
    let sql = try ProbeSQL(
      definition.sql, definition.terms, isSectioned: definition.isSectioned
    ) { try QueryPlan(of: $0.sql, database) }
    let found = sql.map(ProbeStatements.init)
    probes.withLock { $0 = .some(found) }
    return found
  }
}

/// The cached statements of ``ProbeSQL``.
struct ProbeStatements: Sendable {
  let levels: [ProbeLevel<CachedStatement>]
  let predecessors: IntegerListStatement?

  init(_ sql: ProbeSQL) {
    levels = sql.levels.map { $0.map { CachedStatement($0) } }
    predecessors = sql.predecessors.map { IntegerListStatement($0) }
  }
}

extension QueryPlan {
  /// SQLite's plan of a statement. The values of parameters do not affect it.
  init(of sql: String, _ database: Database) throws {
    var steps: [QueryPlan.Step] = []
    try PreparedStatement(database, "EXPLAIN QUERY PLAN " + sql).forEachRow { statement in
      steps.append(
        QueryPlan.Step(
          id: Int(sqlite3_column_int64(statement, 0)),
          parent: Int(sqlite3_column_int64(statement, 1)),
          detail: SQLiteValue(statement, 3).string ?? ""))
    }
    self.init(steps)
  }
}

extension StoreReader {
  /// The statements of the result of a request.
  ///
  /// - Throws: ``StoreError`` that lists all errors of the request.
  package func resultStatements<Model>(
    of request: ModelRequest<Model>, isSectioned: Bool
  ) throws -> ResultStatements {
    ResultStatements(
      try ResultDefinition(request.rows, of: Model.self, isSectioned: isSectioned, schema))
  }
}
