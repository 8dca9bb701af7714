/// A table, an index, a trigger or a view, and the statement that makes it.
struct SchemaObject: Sendable, Hashable {
  enum Kind: String, Sendable {
    case table, index, trigger, view
  }

  let kind: Kind
  let name: String
  /// The table that it is, or that it belongs to.
  let table: String
  let sql: String
}

extension Schema {
  /// The statements that make the tables, indexes and triggers in an empty
  /// database, in order.
  public var statements: [String] { objects.map(\.sql) }

  /// What the database holds, in an order in which it can be made.
  var objects: [SchemaObject] {
    let tables = entities.map { table(of: $0) } + linkTables.flatMap { objects(of: $0) }
    return (tables + entities.flatMap { indexes(of: $0) + triggers(of: $0) })
      .sorted { $0.kind.rank < $1.kind.rank }
  }

  /// The tables of links, in the order of the relationships that they hold.
  var linkTables: [LinkTable] {
    entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        guard case .table(let table, .source) = link(relationship, of: entity) else { return nil }
        return table
      }
    }
  }
}

extension SchemaObject.Kind {
  /// The order in which objects can be made.
  var rank: Int {
    switch self {
    case .table: 0
    case .index: 1
    case .trigger: 2
    case .view: 3
    }
  }
}
