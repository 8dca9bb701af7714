/// How the database keeps a relationship, seen from one of its ends.
enum Link: Sendable, Hashable {
  /// In a column of the entity's own table, of the relationship's name: the
  /// identity of the row at the other end.
  case column
  /// In a column of the destination's table: that of the way back. The position
  /// among the rows of one owner is in another column of it, if there is an
  /// order.
  case inverseColumn(String, position: String?)
  /// In a table of links.
  case table(LinkTable, end: LinkTable.End)
}

/// A table that holds the links of a relationship to many whose way back is not
/// to one.
struct LinkTable: Sendable, Hashable {
  /// The two ends of a link.
  enum End: String, Sendable {
    case source, target
  }

  let name: String
  /// The names of the entities at the ends.
  let source: String
  let target: String
  /// Whether the targets of a source have an order, and the sources of a target.
  let isOrdered: Bool
  let isInverseOrdered: Bool

  /// The column with the identities of an end.
  static func column(_ end: End) -> String { end.rawValue }

  /// The column with the position of the row at the other end, or nil where
  /// those have no order.
  func position(seenFrom end: End) -> String? {
    switch end {
    case .source: isOrdered ? "target_position" : nil
    case .target: isInverseOrdered ? "source_position" : nil
    }
  }
}

extension LinkTable.End {
  var other: LinkTable.End { self == .source ? .target : .source }
}

extension Schema {
  /// The entity of a name.
  public func entity(_ name: String) -> Entity? {
    let table = tables[name] ?? name
    return entities.first { $0.name == table }
  }

  /// The relationship that is the way back of another, whichever of the two
  /// declares it.
  public func inverse(of relationship: Relationship, in entity: Entity) -> Relationship? {
    guard let destination = self.entity(relationship.destination) else { return nil }
    if let inverse = relationship.inverse { return destination.relationship(inverse) }
    return destination.relationships.first {
      $0.inverse == relationship.name && $0.destination == entity.name
    }
  }

  /// The names of the keys of an entity whose values lie in its own table:
  /// attributes, and relationships to one.
  package func columnNames(of entity: Entity) -> [String] {
    entity.attributes.map(\.name)
      + entity.relationships.filter { link($0, of: entity) == .column }.map(\.name)
  }

  /// How the database keeps a relationship of an entity.
  func link(_ relationship: Relationship, of entity: Entity) -> Link {
    let inverse = inverse(of: relationship, in: entity)
    if !relationship.isToMany {
      guard let inverse, !inverse.isToMany else { return .column }
      return isFirst(relationship, of: entity, before: inverse)
        ? .column : .inverseColumn(inverse.name, position: nil)
    }
    if let inverse, !inverse.isToMany {
      return .inverseColumn(
        inverse.name,
        position: relationship.isOrdered ? "_moho_position_\(inverse.name)" : nil)
    }
    let isSource = inverse.map { isFirst(relationship, of: entity, before: $0) } ?? true
    if isSource {
      return .table(
        LinkTable(
          name: "_moho_\(entity.name)_\(relationship.name)", source: entity.name,
          target: relationship.destination, isOrdered: relationship.isOrdered,
          isInverseOrdered: inverse?.isOrdered ?? false),
        end: .source)
    }
    let name = "_moho_\(relationship.destination)_\(inverse?.name ?? "")"
    return .table(
      LinkTable(
        name: name, source: relationship.destination, target: entity.name,
        isOrdered: inverse?.isOrdered ?? false, isInverseOrdered: relationship.isOrdered),
      end: .target)
  }

  /// Whether a relationship is the one of a pair that holds the link, which is
  /// the one that is declared first.
  private func isFirst(
    _ relationship: Relationship, of entity: Entity, before inverse: Relationship
  ) -> Bool {
    guard relationship.destination != entity.name else {
      // A pair within one entity, or a relationship that is its own way back.
      let names = entity.relationships.map(\.name)
      return names.firstIndex(of: relationship.name) ?? 0 <= names.firstIndex(of: inverse.name) ?? 0
    }
    let names = entities.map(\.name)
    return names.firstIndex(of: entity.name) ?? 0
      < names.firstIndex(of: relationship.destination) ?? 0
  }
}
