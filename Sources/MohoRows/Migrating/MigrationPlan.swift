/// The changes that opening a store would make. You can print and compare
/// plans.
///
/// ```swift
/// print(try ModelStore.migrationPlan(path: path, models: Episode.self))
/// ```
public struct MigrationPlan: Sendable, Hashable {
  /// The differences between the store and the declarations before the
  /// migration.
  public package(set) var differences: [SchemaDifference]
  /// The steps of the migration, in execution order. All steps run in a single
  /// transaction.
  public package(set) var steps: [MigrationStep]
  /// The values that the migration would delete.
  public package(set) var losses: [MigrationLoss]
  /// The differences that no step can resolve. The store cannot be opened while
  /// there are any.
  public package(set) var refusals: [SchemaDifference]

  package init(
    differences: [SchemaDifference], steps: [MigrationStep], losses: [MigrationLoss],
    refusals: [SchemaDifference]
  ) {
    self.differences = differences
    self.steps = steps
    self.losses = losses
    self.refusals = refusals
  }

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
  package let copy: TableCopy?
  /// Whether references in other tables are updated when a table is renamed.
  package let renames: Bool

  package init(_ summary: String, _ sql: [String], copy: TableCopy? = nil, renames: Bool = false) {
    self.summary = summary
    self.copy = copy
    self.renames = renames
    self.sql = sql
  }

  /// Creates the step of a renaming.
  package init(_ renaming: Renaming, _ sql: [String]) {
    let (old, part) = (renaming.oldName, renaming.part)
    let name = part.key == nil ? "`\(old)`" : "`\(part.entity).\(old)`"
    self.init("rename \(name) to `\(part.key ?? part.entity)`", sql, renames: true)
  }
}

/// Values that a migration would delete.
public struct MigrationLoss: Sendable, Hashable, CustomStringConvertible {
  /// The entity or key of the values.
  public let part: SchemaPart
  /// The number of rows, values or links.
  public let count: Int
  /// The reason why one of the values is lost, if the key cannot take it out of
  /// unknown members, or if it cannot become an unknown member.
  public let reason: String?

  package init(part: SchemaPart, count: Int, reason: String? = nil) {
    self.part = part
    self.count = count
    self.reason = reason
  }

  /// A short description of the loss.
  public var description: String {
    let values = "\(part) has \(count) value\(count == 1 ? "" : "s")"
    return reason.map { "\(values) that cannot be moved: \($0)" } ?? values
  }
}

/// Rows to copy from a table into a new one.
package struct TableCopy: Sendable, Hashable {
  package let source: String
  package let destination: String
  /// The integer column of the source that identifies its rows.
  package let identity: String
  package let columns: [String]
  /// The SQL expression for the value of each column.
  package let values: [String]

  package init(
    source: String, destination: String, identity: String, columns: [String], values: [String]
  ) {
    self.source = source
    self.destination = destination
    self.identity = identity
    self.columns = columns
    self.values = values
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
    lines += losses.map { "deletes values: \($0)" }
    lines += refusals.map { "unresolved: \($0)" }
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

  package init(step: Int, stepCount: Int, summary: String, rows: Int) {
    self.step = step
    self.stepCount = stepCount
    self.summary = summary
    self.rows = rows
  }
}
