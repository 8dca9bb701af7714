import MohoMapping
public import MohoRows

/// A table, an index, a trigger or a view, and the statement that creates it.
struct SchemaObject: Sendable, Hashable {
  enum Kind: String, Sendable {
    case table, index, trigger, view
  }

  let kind: Kind
  let name: String
  /// The name of the table that the object is or belongs to.
  let table: String
  let sql: String
}

extension Schema {
  /// The statements that create the tables, indexes and triggers in an empty
  /// database, in execution order.
  public var statements: [String] { (objects + searchObjects).map(\.sql) }

  /// All tables, indexes and triggers, in creation order, without
  /// ``searchObjects``.
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
  /// Returns the trigger for a delete rule that a foreign key cannot implement.
  func deleteTrigger(of relationship: CompiledRelationship) -> SchemaObject? {
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
    // A trigger before the deletion would follow a cycle of rows forever, because
    // the first row still exists. If it changed the row, SQLite would count wrong
    // references. Links in tables are deleted with the row.
    let isAfter = relationship.deleteRule == .cascade && relationship.storage == .column
    return SchemaObject(
      kind: .trigger, name: name, table: entity.name,
      sql: "CREATE TRIGGER \(quotedName(name)) \(isAfter ? "AFTER" : "BEFORE") DELETE"
        + " ON \(quotedName(entity.name))"
        + " BEGIN \(body); END")
  }

  /// Returns the query for the rows that the row `OLD` is linked to.
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
      // A link can remain after the deletion of its row, before it is checked.
      let link = quotedName(destination.identityColumn)
      return "SELECT \(link) FROM \(quotedName(destination.name))"
        + " WHERE \(link) = OLD.\(quotedName(relationship.name))"
    case .table(let table, let end):
      return "SELECT \(LinkTable.column(end.other)) FROM \(quotedName(table.name))"
        + " WHERE \(LinkTable.column(end)) = \(identity)"
    }
  }
}

extension SchemaObject.Kind {
  /// The rank of the kind in creation order.
  var creationOrder: Int {
    switch self {
    case .table: 0
    case .index: 1
    case .trigger: 2
    case .view: 3
    }
  }
}
