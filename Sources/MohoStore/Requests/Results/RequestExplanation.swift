/// How the store carries out a request: its SQL, the values bound to it, and
/// what SQLite makes of them.
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

  /// The values bound to it as SQL spells them, that of `?1` first.
  public let arguments: [String]

  /// The steps of SQLite's query plan; those that are part of another come
  /// behind it, indented by two spaces.
  public let plan: [String]

  /// The indexes that are used, of SQLite's own making too.
  public let indexes: [String]

  /// The keys of an index on the entity that would probably help, or none.
  ///
  /// A suggestion by the conditions and orderings on the entity's own
  /// attributes; SQLite may choose otherwise.
  public let suggestedIndex: [String]

  /// The name of the entity.
  public let entity: String
}

extension RequestExplanation: CustomStringConvertible {
  /// The statement, the values, the plan and the suggestion, line by line.
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
