import MohoMapping

extension Schema {
  /// The triggers that carry out an entity's delete rules where foreign keys do
  /// not: those lead from the row that holds the link to the other end only, and
  /// do not say which of them keeps a row from being deleted.
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

  /// The identities of the rows that the row `OLD` is linked to, as a query; nil
  /// where the foreign key in those rows carries out the rule.
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
