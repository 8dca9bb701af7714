import MohoMapping

/// An explanation of how the store runs a request: its SQL, the arguments, and
/// the query plan of the database.
///
/// ```swift
/// print(try store.explain(request))
/// ```
/// ```
/// SELECT t0."_moho_id" FROM "Task" AS t0 WHERE t0."priority" > ?1 ORDER BY t0."due", t0."_moho_id"
/// ?1 = 3
/// SCAN t0
/// USE TEMP B-TREE FOR ORDER BY
/// an index on `Task` (`due`) would help
/// ```
public struct RequestExplanation: Sendable, Hashable {
  /// The statement.
  public let sql: String

  /// The descriptions of the arguments, starting with `?1`.
  public let arguments: [String]

  /// The steps of the database's query plan. Nested steps follow their parent,
  /// indented by two spaces.
  public let plan: [String]

  /// The names of the indexes that the plan uses, including automatic ones.
  public let indexes: [String]

  /// The keys of an index on the entity that would probably speed up the
  /// request. Empty if no index would.
  ///
  /// The suggestion considers the conditions and orderings on the entity's own
  /// attributes. The database may choose another plan.
  public let suggestedIndex: [String]

  /// The name of the entity.
  public let entity: String

  fileprivate init(
    sql: String, arguments: [String], plan: [String], indexes: [String], suggestedIndex: [String],
    entity: String
  ) {
    self.sql = sql
    self.arguments = arguments
    self.plan = plan
    self.indexes = indexes
    self.suggestedIndex = suggestedIndex
    self.entity = entity
  }
}

extension RequestExplanation: CustomStringConvertible {
  /// The statement, the arguments, the plan and the suggestion, line by line.
  public var description: String {
    var lines = [sql]
    lines += arguments.enumerated().map { "?\($0 + 1) = \($1)" }
    lines += plan
    if !suggestedIndex.isEmpty {
      let keys = suggestedIndex.map { "`\($0)`" }.joined(separator: ", ")
      lines.append("an index on `\(entity)` (\(keys)) would help")
    }
    return lines.joined(separator: "\n")
  }
}

extension RequestSQL {
  /// Returns an explanation of the query of all attributes.
  ///
  /// - Parameter plan: Returns the database's plan of a query.
  package func explanation(
    _ plan: (SQLQuery) throws -> (lines: [String], indexes: [String], lacksIndex: Bool)
  ) throws -> RequestExplanation {
    let columns = entity.attributes.map(\.name).filter { $0 != entity.identityColumn }
    let query = try select([identity] + columns.map { column($0) })
    let plan = try plan(query)
    return RequestExplanation(
      sql: query.sql, arguments: query.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes, suggestedIndex: plan.lacksIndex ? request.suggestedIndex : [],
      entity: entity.name)
  }
}
