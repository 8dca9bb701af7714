package import MohoMapping

/// A query for the rows that a relationship links to, for any number of rows at
/// this end.
///
/// A single parameter takes all identities. With one parameter per identity,
/// each number of rows would need its own statement.
package struct LinkQuery {
  /// The alias of the table that contains the rows at the other end.
  package static let alias = "t"

  /// The identity of the row at this end. For a link column, the value of the
  /// column.
  package let owner: String
  /// The position of the row at the other end, if the relationship is ordered.
  package let position: String
  private let dialect: any SQLDialect
  private let source: String
  private let order: [String]

  package init(
    _ relationship: CompiledRelationship, _ schema: CompiledSchema, _ dialect: any SQLDialect
  ) {
    self.dialect = dialect
    let entity = schema.entities[relationship.destination]
    let identity = Self.column(entity.identityColumn)
    let table = Self.table(entity)
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
      owner = Self.column(of: end)
      position = links.positionColumn(for: end).map { "l.\($0)" }
      source = Self.join(entity, links, end.other)
    }
    self.position = position ?? "NULL"
    let positions = position.map {
      [$0 + dialect.nulls(.last, .ascending, isNeverNull: false)]
    }
    order = relationship.storage == .column ? [] : [owner] + (positions ?? []) + [identity]
  }

  /// Creates a query for the rows of an entity with the given identities, in no
  /// particular order.
  package init(of entity: CompiledEntity, _ dialect: any SQLDialect) {
    self.dialect = dialect
    owner = Self.column(entity.identityColumn)
    position = "NULL"
    source = Self.table(entity)
    order = []
  }

  /// Creates a query for the rows that a relationship links to rows at the other end, if a link
  /// table has the links.
  init?(
    ownersBy relationship: CompiledRelationship, _ schema: CompiledSchema,
    _ dialect: any SQLDialect
  ) {
    guard case .table(let links, let end) = relationship.storage else { return nil }
    self.dialect = dialect
    owner = Self.column(of: end.other)
    position = "NULL"
    source = Self.join(schema.entities[relationship.entity], links, end)
    order = []
  }

  package func select(_ columns: [String]) -> String {
    let order = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
    return """
      SELECT \(columns.joined(separator: ", ")) FROM \(source) \
      WHERE \(dialect.isInList(owner))\(order)
      """
  }

  /// Returns the argument of the query.
  package func argument(_ identities: some Collection<Int64>) -> FieldContent {
    dialect.list(identities)
  }

  /// Returns the table of an entity with the links of its rows.
  private static func join(
    _ entity: CompiledEntity, _ links: LinkTable, _ end: LinkTable.End
  ) -> String {
    "\(table(entity)) JOIN \(quotedName(links.name)) AS l"
      + " ON \(column(of: end)) = \(column(entity.identityColumn))"
  }

  private static func table(_ entity: CompiledEntity) -> String {
    "\(quotedName(entity.name)) AS \(alias)"
  }

  private static func column(of end: LinkTable.End) -> String { "l.\(LinkTable.column(end))" }

  private static func column(_ name: String) -> String { "\(alias).\(quotedName(name))" }
}
