/// What opening a store would do to it: a value that one can print and compare.
///
/// ```swift
/// print(try ModelStore.migrationPlan(path: path, models: Episode.self))
/// ```
public struct MigrationPlan: Sendable, Hashable {
  /// In what the store differs from what is declared, before anything is done.
  public internal(set) var differences: [SchemaDifference]
  /// What is done, in this order, in one transaction.
  public internal(set) var steps: [MigrationStep]
  /// What would be thrown away with values, and how many those are.
  public internal(set) var losses: [MigrationLoss]
  /// Those of the differences that no step makes go away: the store cannot be
  /// opened as long as there are any.
  public internal(set) var refusals: [SchemaDifference]

  /// Whether the store is as declared.
  public var isEmpty: Bool { steps.isEmpty && refusals.isEmpty }
}

/// A step of a migration.
public struct MigrationStep: Sendable, Hashable {
  /// What it does, in a clause.
  public let summary: String
  /// The statements that it runs, in order. Rows are copied in parts.
  public let sql: [String]
  /// The rows that are copied behind the first statement.
  let copy: TableCopy?
  /// Whether references in other tables follow when a table is renamed.
  let renames: Bool

  init(_ summary: String, _ sql: [String], copy: TableCopy? = nil, renames: Bool = false) {
    self.summary = summary
    self.copy = copy
    self.renames = renames
    self.sql = sql
  }
}

/// Values that a migration would throw away.
public struct MigrationLoss: Sendable, Hashable, CustomStringConvertible {
  /// What they belong to.
  public let part: SchemaPart
  /// How many there are: rows of an entity, values of a key, links.
  public let count: Int

  /// The loss in a clause.
  public var description: String { "\(part) holds \(count) value\(count == 1 ? "" : "s")" }
}

/// Rows that are copied from one table into another, which is new.
struct TableCopy: Sendable, Hashable {
  let source: String
  let destination: String
  /// The column of the source that tells its rows apart, an integer.
  let identity: String
  let columns: [String]
  /// What each column gets, of the columns of the source.
  let values: [String]

  /// The statement that copies all rows, or those of a range, which is bound.
  func sql(isPart: Bool = false) -> String {
    let place =
      "INSERT INTO \(quoted(destination)) (\(columns.map(quoted).joined(separator: ", ")))"
    let rows = "SELECT \(values.joined(separator: ", ")) FROM \(quoted(source))"
    return isPart
      ? "\(place) \(rows) WHERE \(quoted(identity)) BETWEEN ? AND ?" : "\(place) \(rows)"
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as text of several lines: a line for each step with its SQL
  /// indented below, what would be lost, and what is refused.
  public var description: String {
    var lines: [String] = []
    for step in steps {
      lines.append(step.summary)
      lines += step.sql.map { "  \($0)" }
    }
    lines += losses.map { "loses values: \($0)" }
    lines += refusals.map { "refused: \($0)" }
    return lines.isEmpty ? "nothing to do" : lines.joined(separator: "\n")
  }
}

/// How far a migration is.
public struct MigrationProgress: Sendable, Hashable {
  /// The number of the step that is under way, from 1.
  public let step: Int
  /// How many steps there are: more may follow declared ones.
  public let stepCount: Int
  /// What the step does.
  public let summary: String
  /// How many rows it has written.
  public let rows: Int
}
