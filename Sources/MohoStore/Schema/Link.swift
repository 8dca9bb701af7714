/// The storage of a relationship in the database, seen from one of its ends.
enum Link: Sendable, Hashable {
  /// A column of the entity's own table, with the name of the relationship. It
  /// stores the identity of the related row.
  case column
  /// A column of the destination's table, with the name of the inverse
  /// relationship. If the relationship is ordered, another column stores the
  /// position among the rows of the same owner.
  case inverseColumn(String, position: String?)
  /// A link table.
  case table(LinkTable, end: LinkTable.End)
}

/// A table with the links of a to-many relationship whose inverse is not a
/// to-one relationship.
struct LinkTable: Sendable, Hashable {
  /// The ends of a link.
  enum End: String, Sendable {
    case source, target
  }

  let name: String
  /// The names of the entities at the ends.
  let source: String
  let target: String
  /// Whether the targets of a source are ordered, and whether the sources of a
  /// target are ordered.
  let isOrdered: Bool
  let isInverseOrdered: Bool

  /// The column with the identities of an end.
  static func column(_ end: End) -> String { end.rawValue }

  /// The column with the position of the row at the other end, or nil if these
  /// rows are not ordered.
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
  /// Returns the entity with a name.
  public func entity(_ name: String) -> Entity? {
    let table = tables[name] ?? name
    return entities.first { $0.name == table }
  }

  /// Returns the inverse of a relationship. Either of the two relationships can
  /// declare the other one as its inverse.
  public func inverse(of relationship: Relationship, in entity: Entity) -> Relationship? {
    guard let destination = self.entity(relationship.destination) else { return nil }
    if let inverse = relationship.inverse { return destination.relationship(inverse) }
    return destination.relationships.first {
      $0.inverse == relationship.name && $0.destination == entity.name
    }
  }

  /// The names of the keys that are columns of the entity's table: attributes,
  /// and to-one relationships stored in the table.
  package func columnNames(of entity: Entity) -> [String] {
    entity.attributes.map(\.name)
      + entity.relationships.filter { link($0, of: entity) == .column }.map(\.name)
  }

  /// Returns how the database stores a relationship.
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

  /// Whether a relationship is the one of a pair that stores the link: the one
  /// that is declared first.
  private func isFirst(
    _ relationship: Relationship, of entity: Entity, before inverse: Relationship
  ) -> Bool {
    guard relationship.destination != entity.name else {
      // Both relationships belong to the same entity, or the relationship is
      // its own inverse.
      let names = entity.relationships.map(\.name)
      return names.firstIndex(of: relationship.name) ?? 0 <= names.firstIndex(of: inverse.name) ?? 0
    }
    let names = entities.map(\.name)
    return names.firstIndex(of: entity.name) ?? 0
      < names.firstIndex(of: relationship.destination) ?? 0
  }
}
