import GRDB
import MohoMapping
import MohoRows

/// Checks whether a row with a unique key is stored.
struct RowLookup {
  private let statement: PreparedStatement
  private let columns: IdentifyingColumns

  init(_ node: ModelBinding, _ schema: CompiledSchema, _ database: Database) throws {
    columns = IdentifyingColumns(node.entity, schema)
    statement = try PreparedStatement(
      database, "SELECT 1 FROM \(quotedName(node.name)) WHERE \(columns.condition(first: 1))",
      reusesMemory: true)
  }

  func contains(_ key: FieldContent) throws -> Bool {
    statement.clearBindings()
    try columns.bind(key, to: statement, first: 1)
    return try statement.hasRow()
  }
}
