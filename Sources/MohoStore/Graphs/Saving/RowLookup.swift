import GRDB
import GRDBSQLite
import MohoMapping

/// Checks whether a row with a unique key is stored.
struct RowLookup {
  private let statement: BoundStatement

  /// - Parameter column: The quoted column of the unique key.
  init(_ node: ModelBinding, _ column: String, _ database: Database) throws {
    statement = try BoundStatement(
      database, sql: "SELECT 1 FROM \(quoted(node.name)) WHERE \(column) = ?1")
  }

  func contains(_ key: FieldContent) throws -> Bool {
    statement.clear()
    try statement.encoder.encode(key, at: 1)
    return try statement.hasRow()
  }
}
