import MohoMapping
import MohoRows

/// The statements that write one row of a table.
struct UpsertSQL {
  /// A column, and what is written to it.
  struct Column {
    /// The quoted name.
    let name: String
    /// The expression of the value.
    let value: String
    /// How an upsert merges the value into the stored one.
    var merge: MergePolicy?
    /// The quoted name of the column with the position of the row among the rows
    /// of its owner.
    var position: String?
  }

  /// The quoted name of the table.
  let table: String
  /// The quoted name of the identity column.
  let identity: String
  /// The quoted names of the columns of the unique key.
  let key: [String]
  let columns: [Column]
  /// The quoted names of required columns that are written later.
  var placeholders: [String] = []

  private var others: [Column] { columns.filter { !key.contains($0.name) } }

  /// The statement that inserts a row if no row has its unique key.
  var insertion: String {
    if columns.isEmpty && placeholders.isEmpty { return "INSERT INTO \(table) DEFAULT VALUES" }
    return key.isEmpty ? insert : "\(insert) \(onConflict) DO NOTHING"
  }

  /// The statement that inserts a row. If a row has the same unique key, it is
  /// updated if a column differs.
  var upsert: String {
    let updated = others.filter { $0.merge != .stored }
    if key.isEmpty || updated.isEmpty { return insertion }
    let (assignments, isWritten) = update(updated, of: Self.stored) { column in
      let value = "excluded.\(column.name)"
      return column.merge == .incomingUnlessNil
        ? "coalesce(\(value), \(Self.stored).\(column.name))" : value
    }
    return "\(insert) \(onConflict) DO UPDATE SET \(assignments) WHERE \(isWritten)"
  }

  /// The statement that updates the row with the unique key if a column differs.
  var update: String {
    let hasKey = columns.filter { key.contains($0.name) }.map { "\($0.name) = \($0.value)" }
    let (assignments, isWritten) = update(others, of: table, to: \.value)
    let conditions = (hasKey + [isWritten]).joined(separator: " AND ")
    return "UPDATE \(table) SET \(assignments) WHERE \(conditions)"
  }

  // The alias avoids a conflict with a table that is named `excluded`.
  private static let stored = quotedName("_moho_stored")

  private var onConflict: String { "ON CONFLICT (\(key.joined(separator: ", ")))" }

  private var insert: String {
    // A placeholder is unique for each row, and no row has it as its identity.
    let values = columns.map(\.value) + placeholders.map { _ in "-1 - abs(random() / 2)" }
    let names = columns.map(\.name) + placeholders
    return "INSERT INTO \(table) AS \(Self.stored) (\(names.joined(separator: ", ")))"
      + " VALUES (\(values.joined(separator: ", ")))"
  }

  /// Returns the assignments to a stored row, and the condition that a column differs.
  private func update(
    _ columns: [Column], of stored: String, to value: (Column) -> String
  ) -> (assignments: String, isWritten: String) {
    let assignments = columns.flatMap { column in
      ["\(column.name) = \(value(column))"]
        // A row that gets another owner moves to the end.
        + (column.position.map { position in
          [
            """
            \(position) = CASE WHEN \(stored).\(column.name) IS \(value(column)) \
            THEN \(stored).\(position) END
            """
          ]
        } ?? [])
    }
    let differences = columns.map { "\(stored).\($0.name) IS NOT \(value($0))" }
    let isWritten = UpdatedRow.noting(
      "\(stored).\(identity)", where: differences.joined(separator: " OR "))
    return (assignments.joined(separator: ", "), isWritten)
  }
}
