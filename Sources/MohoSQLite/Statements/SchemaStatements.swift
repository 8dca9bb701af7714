import MohoMapping
import MohoRows
import Synchronization

/// The cached statements that read rows by lists of integers, for all
/// transactions of an engine.
final class SchemaStatements: Sendable {
  let schema: Schema
  let tableNames: TableNames
  let hasSearchIndexes: Bool
  private let cached = Lock<[Key: IntegerListStatement]>([:])

  private enum Key: Hashable {
    case row(table: String)
    case column(String, table: String, condition: String)
  }

  init(_ schema: Schema) {
    self.schema = schema
    tableNames = TableNames(of: schema)
    hasSearchIndexes = !schema.compiled.searchIndexes.isEmpty
  }

  /// Returns the statement that selects the identity and all columns of rows,
  /// by identity.
  func rows(of table: CompiledTable) -> IntegerListStatement {
    statement(.row(table: table.name)) {
      SQLListQuery(
        columns: table.columnNames, of: table.name, identity: table.identityColumn ?? "rowid")
    }
  }

  /// Returns the statement that selects a column of rows, by the values of
  /// another column.
  func column(_ column: String, of table: String, where other: String) -> IntegerListStatement {
    statement(.column(column, table: table, condition: other)) {
      SQLListQuery(
        "SELECT \(quotedName(column)) FROM \(quotedName(table)) WHERE \(quotedName(other))")
    }
  }

  private func statement(_ key: Key, _ query: () -> SQLListQuery) -> IntegerListStatement {
    if let known = cached.withLock({ $0[key] }) { return known }
    let statement = IntegerListStatement(query())
    return cached.withLock { cached in
      if let known = cached[key] { return known }
      cached[key] = statement
      return statement
    }
  }
}
