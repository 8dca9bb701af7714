import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Finds the row with a unique key.
struct RowLookup {
  private let statement: PreparedStatement
  private let columns: IdentifyingColumns

  init(_ node: ModelNode, _ schema: CompiledSchema, _ database: Database) throws {
    columns = IdentifyingColumns(node.entity, schema)
    statement = try PreparedStatement(
      database,
      """
      SELECT \(quotedName(node.entity.identityColumn)) FROM \(quotedName(node.name)) \
      WHERE \(columns.condition(first: 1))
      """,
      reusesMemory: true)
  }

  func contains(_ key: FieldContent) throws -> Bool { try identity(key) != nil }

  /// Returns the identity of the row with a key, or nil if the row does not exist.
  func identity(_ key: FieldContent) throws -> Int64? {
    statement.clearBindings()
    try columns.bind(key, to: statement, first: 1)
    return try statement.first { sqlite3_column_int64($0, 0) }
  }
}
