import MohoMapping
import MohoRows
import Synchronization

/// The statements that read rows by lists of integers or write the rows of graphs, for all
/// transactions of an engine.
final class SchemaStatements: Sendable {
  let schema: Schema
  let tableNames: TableNames
  let hasSearchIndexes: Bool
  private let cached = Lock<[Key: IntegerListStatement]>([:])
  private let nodes = Lock<[NodeKey: NodeSQL]>([:])

  private enum Key: Hashable {
    case row(table: String)
    case column(String, table: String, condition: String)
  }

  private struct NodeKey: Hashable {
    let node: ObjectIdentifier
    let deferredLinks: Set<Int>
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

  /// Returns the statements that write the rows of a model.
  ///
  /// - Parameter deferredLinks: The indexes of the links whose columns are written after all
  ///   rows have been written.
  func node(_ node: ModelNode, deferring deferredLinks: Set<Int>) throws -> NodeSQL {
    // The schema retains its nodes.
    let key = NodeKey(node: ObjectIdentifier(node), deferredLinks: deferredLinks)
    if let known = nodes.withLock({ $0[key] }) { return known }
    let sql = try NodeSQL(node, deferring: deferredLinks, schema.compiled)
    nodes.withLock { $0[key] = sql }
    return sql
  }
}
