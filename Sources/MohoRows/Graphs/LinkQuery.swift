package import MohoMapping

/// A query for the rows that a relationship links to, for any number of rows at
/// this end.
///
/// A single parameter takes the identities as a JSON array. With one parameter
/// per identity, each number of rows would need its own statement.
package struct LinkQuery {
  /// The alias of the table that contains the rows at the other end.
  package static let alias = "t"

  /// The identity of the row at this end. For a link column, the value of the
  /// column.
  package let owner: String
  /// The position of the row at the other end, if the relationship is ordered.
  package let position: String
  private let source: String
  private let order: [String]

  package init(_ relationship: CompiledRelationship, _ schema: CompiledSchema) {
    let entity = schema.entities[relationship.destination]
    let identity = Self.column(entity.identityColumn)
    let table = "\(quotedName(entity.name)) AS \(Self.alias)"
    var position: String?
    switch relationship.storage {
    case .column:
      owner = identity
      source = table
    case .inverseColumn(let column, let positionColumn):
      owner = Self.column(column)
      position = positionColumn.map { Self.column($0) }
      source = table
    case .table(let links, let end):
      owner = "l.\(LinkTable.column(end))"
      position = links.positionColumn(for: end).map { "l.\($0)" }
      source =
        "\(table) JOIN \(quotedName(links.name)) AS l ON l.\(LinkTable.column(end.other)) = \(identity)"
    }
    self.position = position ?? "NULL"
    order =
      relationship.storage == .column
      ? [] : [owner] + (position.map { ["\($0) NULLS LAST"] } ?? []) + [identity]
  }

  /// Creates a query for the rows of an entity with the given identities, in no
  /// particular order.
  package init(of entity: CompiledEntity) {
    owner = Self.column(entity.identityColumn)
    position = "NULL"
    source = "\(quotedName(entity.name)) AS \(Self.alias)"
    order = []
  }

  /// - Parameter list: The condition that an owner is one of the given rows.
  package func select(
    _ columns: [String], ofOwnersIn list: String = "IN (SELECT value FROM json_each(?))"
  ) -> String {
    let order = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
    return """
      SELECT \(columns.joined(separator: ", ")) FROM \(source) \
      WHERE \(owner) \(list)\(order)
      """
  }

  /// Returns the argument of the query.
  package static func argument(_ identities: some Collection<Int64>) -> FieldContent {
    .string(SQLListQuery.json(identities))
  }

  private static func column(_ name: String) -> String { "\(alias).\(quotedName(name))" }
}
