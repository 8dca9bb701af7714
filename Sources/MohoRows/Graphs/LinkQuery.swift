package import MohoMapping

/// The query of the rows at the other end of a relationship, for any number of
/// rows at this end.
///
/// One parameter takes the identities as a JSON array: a parameter for each
/// would need a statement for each number of rows.
package struct LinkQuery {
  /// The name of the table of the rows at the other end in the statement.
  package static let alias = "t"

  /// The identity of the row at this end; for a link column, its value.
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

  /// The query of the rows of an entity with some identities, in no order.
  package init(of entity: CompiledEntity) {
    owner = Self.column(entity.identityColumn)
    position = "NULL"
    source = "\(quotedName(entity.name)) AS \(Self.alias)"
    order = []
  }

  package func select(_ columns: [String]) -> String {
    let order = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
    return """
      SELECT \(columns.joined(separator: ", ")) FROM \(source) \
      WHERE \(owner) IN (SELECT value FROM json_each(?))\(order)
      """
  }

  /// The argument of the query.
  package static func argument(_ identities: some Collection<Int64>) -> FieldContent {
    .string(SQLListQuery.json(identities))
  }

  private static func column(_ name: String) -> String { "\(alias).\(quotedName(name))" }
}
