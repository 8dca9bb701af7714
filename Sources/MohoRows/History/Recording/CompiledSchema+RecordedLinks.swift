/// Rows that change in the history because a linked row changes.
extension CompiledSchema {
  /// The entity at an end of a link table, and the relationship of its rows, if
  /// it is declared.
  package func members(
    of table: LinkTable, at end: LinkTable.End
  ) -> (entity: CompiledEntity, key: String)? {
    guard
      let relationship = entity(table.source)?.relationships
        .first(where: { $0.name == table.relationship })
    else { return nil }
    if end == .source { return (entities[relationship.entity], relationship.name) }
    return linkedMembers(of: relationship)
  }

  /// The entity that a relationship refers to, and the inverse relationship, if
  /// it is declared.
  package func linkedMembers(
    of link: CompiledRelationship
  ) -> (entity: CompiledEntity, key: String)? {
    guard let inverse = link.inverseRelationship, !inverse.isImplied else { return nil }
    return (entities[link.destination], inverse.name)
  }

  /// The rows whose unique keys contain those of other rows, at any depth.
  ///
  /// - Parameters:
  ///   - rows: The SQL condition for the identities of the other rows.
  ///   - table: Returns the name of a table in SQL.
  package func rowsIdentified(
    by entity: CompiledEntity, _ rows: String, _ table: (String) -> String
  ) -> [(entity: CompiledEntity, rows: String)] {
    entities.flatMap { other in
      other.identifyingLinks.filter { $0.destination == entity.index }
        .flatMap { link -> [(entity: CompiledEntity, rows: String)] in
          let linking =
            "IN (SELECT \(quotedName(other.identityColumn)) FROM \(table(other.name))"
            + " WHERE \(quotedName(link.name)) \(rows))"
          return [(other, linking)] + rowsIdentified(by: other, linking, table)
        }
    }
  }

  /// The rows with links to some rows, and their relationships, except rows whose unique key
  /// contains the link.
  ///
  /// - Parameters:
  ///   - rows: The SQL condition for the identities of the linked rows.
  ///   - table: Returns the name of a table in SQL.
  package func rowsLinked(
    to entity: CompiledEntity, _ rows: String, _ table: (String) -> String
  ) -> [(entity: CompiledEntity, key: String, rows: String)] {
    entities.flatMap { other -> [(entity: CompiledEntity, key: String, rows: String)] in
      other.relationships.filter { link in
        link.destination == entity.index && !link.isImplied
          && !other.identifyingLinks.contains(link)
      }
      .map { link in
        let linked: String
        switch link.storage {
        case .column:
          linked =
            "SELECT \(quotedName(other.identityColumn)) FROM \(table(other.name))"
            + " WHERE \(quotedName(link.name)) \(rows)"
        case .inverseColumn(let column, _):
          linked =
            "SELECT \(quotedName(column)) FROM \(table(entity.name))"
            + " WHERE \(quotedName(entity.identityColumn)) \(rows)"
        case .table(let links, let end):
          linked =
            "SELECT \(LinkTable.column(end)) FROM \(table(links.name))"
            + " WHERE \(LinkTable.column(end.other)) \(rows)"
        }
        return (other, link.name, "IN (\(linked))")
      }
    }
  }
}
