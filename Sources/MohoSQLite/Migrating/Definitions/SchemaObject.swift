import MohoMapping
public import MohoRows

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

  /// What the database contains, in an order in which it can be made.
  var objects: [SchemaObject] {
    tableDefinitions.map(\.object)
      + compiled.indexes.map { name, table, columns in
        SchemaObject(
          kind: .index, name: name, table: table,
          sql: "CREATE INDEX \(quotedName(name)) ON \(quotedName(table))"
            + " (\(columns.map(quotedName).joined(separator: ", ")))")
      }
      + compiled.entities.flatMap { entity in
        entity.relationships.compactMap { compiled.deleteTrigger(of: $0) }
      }
  }
}

extension CompiledSchema {
  /// The trigger that carries out a delete rule where a foreign key does not.
  fileprivate func deleteTrigger(of relationship: CompiledRelationship) -> SchemaObject? {
    guard relationship.needsDeleteTrigger else { return nil }
    let (entity, destination) = (
      entities[relationship.entity], entities[relationship.destination]
    )
    let name = ReservedName.deleteTrigger(of: relationship.name, in: entity.name)
    let linked = linkedRows(of: relationship, from: entity, to: destination)
    let body: String
    if relationship.deleteRule == .deny {
      let message = FieldContent.string("\(StoreError.denial)\(relationship.label)").literal
      body = "SELECT RAISE(ABORT, \(message)) WHERE EXISTS (\(linked))"
    } else {
      body =
        "DELETE FROM \(quotedName(destination.name)) WHERE"
        + " \(quotedName(destination.identityColumn)) IN (\(linked))"
    }
    return SchemaObject(
      kind: .trigger, name: name, table: entity.name,
      sql: "CREATE TRIGGER \(quotedName(name)) BEFORE DELETE ON \(quotedName(entity.name))"
        + " BEGIN \(body); END")
  }

  /// The query of the rows that the row `OLD` is linked to.
  private func linkedRows(
    of relationship: CompiledRelationship, from entity: CompiledEntity,
    to destination: CompiledEntity
  ) -> String {
    let identity = "OLD.\(quotedName(entity.identityColumn))"
    switch relationship.storage {
    case .inverseColumn(let column, _):
      return
        "SELECT 1 FROM \(quotedName(destination.name)) WHERE \(quotedName(column)) = \(identity)"
    case .column:
      let link = "OLD.\(quotedName(relationship.name))"
      return "SELECT \(link) WHERE \(link) IS NOT NULL"
    case .table(let table, let end):
      return "SELECT \(LinkTable.column(end.other)) FROM \(quotedName(table.name))"
        + " WHERE \(LinkTable.column(end)) = \(identity)"
    }
  }
}

extension SchemaObject.Kind {
  /// The order in which objects can be made.
  var creationOrder: Int {
    switch self {
    case .table: 0
    case .index: 1
    case .trigger: 2
    case .view: 3
    }
  }
}
