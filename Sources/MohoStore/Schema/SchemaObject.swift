/// A table, an index, a trigger or a view, with the statement that creates it.
struct SchemaObject: Sendable, Hashable {
  enum Kind: String, Sendable {
    case table, index, trigger, view
  }

  let kind: Kind
  let name: String
  /// The table that the object is or belongs to.
  let table: String
  let sql: String
}

extension Schema {
  /// The statements that create the tables, indexes and triggers in an empty
  /// database, in execution order.
  public var statements: [String] { objects.map(\.sql) }

  /// The objects of the schema, in an order in which they can be created.
  var objects: [SchemaObject] {
    let tables = entities.map { table(of: $0) } + linkTables.flatMap { objects(of: $0) }
    return (tables + entities.flatMap { indexes(of: $0) + triggers(of: $0) })
      .sorted { $0.kind.rank < $1.kind.rank }
  }

  /// The link tables, in the order of their relationships.
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
  /// The position in creation order.
  var rank: Int {
    switch self {
    case .table: 0
    case .index: 1
    case .trigger: 2
    case .view: 3
    }
  }
}
