import GRDB
import MohoMapping
import MohoRows

/// Checks whether a row with a unique key is stored.
struct RowLookup {
  private let statement: PreparedStatement

  /// - Parameter column: The quoted column of the unique key.
  init(_ node: ModelBinding, _ column: String, _ database: Database) throws {
    statement = try PreparedStatement(
      database, "SELECT 1 FROM \(quotedName(node.name)) WHERE \(column) = ?1", reusesMemory: true)
  }

  func contains(_ key: FieldContent) throws -> Bool {
    statement.clear()
    try statement.bind(key, at: 1)
    return try statement.hasRow()
  }
}
