import MohoMapping

extension Schema {
  /// The triggers that implement those delete rules of an entity that foreign
  /// keys do not cover. A foreign key acts only on the row that stores the
  /// link, and its error does not name the relationship that denies a deletion.
  func triggers(of entity: Entity) -> [SchemaObject] {
    entity.relationships.compactMap { relationship in
      let destination = self.entity(relationship.destination)
      guard let destination,
        let linked = linkedRows(of: relationship, to: destination, in: entity)
      else { return nil }
      let name = "\(entity.name).\(relationship.name)"
      let body: String
      switch relationship.deleteRule {
      case .nullify, .noAction: return nil
      case .cascade:
        body =
          "DELETE FROM \(quoted(destination.name)) WHERE"
          + " \(quoted(destination.identityColumn)) IN (\(linked))"
      case .deny:
        let message = FieldContent.string("\(StoreError.denial)\(name)").literal
        body = "SELECT RAISE(ABORT, \(message)) WHERE EXISTS (\(linked))"
      }
      return SchemaObject(
        kind: .trigger, name: "_moho_\(name)", table: entity.name,
        sql: "CREATE TRIGGER \(quoted("_moho_\(name)")) BEFORE DELETE ON \(quoted(entity.name))"
          + " BEGIN \(body); END")
    }
  }

  /// A query for the identities of the rows that are linked to the row `OLD`,
  /// or nil if a foreign key implements the delete rule.
  private func linkedRows(
    of relationship: Relationship, to destination: Entity, in entity: Entity
  ) -> String? {
    switch link(relationship, of: entity) {
    case .inverseColumn(let column, _):
      relationship.deleteRule == .deny
        ? "SELECT 1 FROM \(quoted(destination.name))"
          + " WHERE \(quoted(column)) = OLD.\(quoted(entity.identityColumn))"
        : nil
    case .column:
      "SELECT OLD.\(quoted(relationship.name)) WHERE OLD.\(quoted(relationship.name)) IS NOT NULL"
    case .table(let table, let end):
      "SELECT \(LinkTable.column(end.other)) FROM \(quoted(table.name))"
        + " WHERE \(LinkTable.column(end)) = OLD.\(quoted(entity.identityColumn))"
    }
  }
}
