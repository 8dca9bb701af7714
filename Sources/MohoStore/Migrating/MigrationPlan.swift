/// The changes that opening a store would make. You can print and compare
/// plans.
///
/// ```swift
/// print(try ModelStore.migrationPlan(path: path, models: Episode.self))
/// ```
public struct MigrationPlan: Sendable, Hashable {
  /// The differences between the store and the declarations before the
  /// migration.
  public internal(set) var differences: [SchemaDifference]
  /// The steps of the migration, in execution order. All steps run in a single
  /// transaction.
  public internal(set) var steps: [MigrationStep]
  /// The values that the migration would delete.
  public internal(set) var losses: [MigrationLoss]
  /// The differences that no step can resolve. The store cannot be opened while
  /// there are any.
  public internal(set) var refusals: [SchemaDifference]

  /// A Boolean value indicating whether the store matches the declarations.
  public var isEmpty: Bool { steps.isEmpty && refusals.isEmpty }
}

/// A step of a migration.
public struct MigrationStep: Sendable, Hashable {
  /// A short description of the step.
  public let summary: String
  /// The statements of the step, in execution order. Rows are copied in
  /// batches, which the plan shows as a single statement.
  public let sql: [String]
  /// The rows to copy after the first statement.
  let copy: TableCopy?
  /// Whether references in other tables are updated when a table is renamed.
  let renames: Bool

  init(_ summary: String, _ sql: [String], copy: TableCopy? = nil, renames: Bool = false) {
    self.summary = summary
    self.copy = copy
    self.renames = renames
    self.sql = sql
  }
}

/// Values that a migration would delete.
public struct MigrationLoss: Sendable, Hashable, CustomStringConvertible {
  /// The entity or key of the values.
  public let part: SchemaPart
  /// The number of rows, values or links.
  public let count: Int

  /// A short description of the loss.
  public var description: String { "\(part) holds \(count) value\(count == 1 ? "" : "s")" }
}

/// Rows to copy from a table into a new one.
struct TableCopy: Sendable, Hashable {
  let source: String
  let destination: String
  /// The integer column of the source that identifies its rows.
  let identity: String
  let columns: [String]
  /// The SQL expression for the value of each column.
  let values: [String]

  /// The statement that copies all rows, or the rows in a range of identities,
  /// which is bound as arguments.
  func sql(isPart: Bool = false) -> String {
    let place =
      "INSERT INTO \(quoted(destination)) (\(columns.map(quoted).joined(separator: ", ")))"
    let rows = "SELECT \(values.joined(separator: ", ")) FROM \(quoted(source))"
    return isPart
      ? "\(place) \(rows) WHERE \(quoted(identity)) BETWEEN ? AND ?" : "\(place) \(rows)"
  }
}

extension MigrationPlan: CustomStringConvertible {
  /// The plan as text: a line for each step followed by its indented SQL, the
  /// values that would be deleted, and the differences that cannot be resolved.
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

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The number of the current step, starting at 1.
  public let step: Int
  /// The number of steps. It can increase after the declared steps.
  public let stepCount: Int
  /// A short description of the current step.
  public let summary: String
  /// The number of rows that the current step has written.
  public let rows: Int
}
