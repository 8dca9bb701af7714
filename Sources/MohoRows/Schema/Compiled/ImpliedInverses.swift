extension [Entity] {
  /// The entities with an inverse of each to-one relationship that declares what
  /// happens when its target is deleted, but has no inverse.
  ///
  /// A delete rule applies to the links of the row that is deleted. The implied
  /// inverses are these links. They have no columns.
  var withImpliedInverses: [Entity] {
    var implied: [String: [Relationship]] = [:]
    for entity in self {
      for relationship in entity.relationships
      where relationship.targetDeleteRule != nil && !hasInverse(relationship, in: entity) {
        implied[relationship.destination, default: []].append(
          relationship.impliedInverse(in: entity.name))
      }
    }
    if implied.isEmpty { return self }
    return map { entity in implied[entity.name].map { entity.adding($0) } ?? entity }
  }

  private func hasInverse(_ relationship: Relationship, in entity: Entity) -> Bool {
    if relationship.inverse != nil { return true }
    let destination = first { $0.name == relationship.destination }
    return destination?.relationships.contains {
      $0.inverse == relationship.name && $0.destination == entity.name
    } ?? false
  }
}

extension Relationship {
  fileprivate func impliedInverse(in entity: String) -> Relationship {
    .toMany(
      ReservedName.impliedInverse(of: name, in: entity), entity, inverse: name)
  }

  /// Whether the relationship is an implied inverse.
  package var isImplied: Bool { isToMany && inverse.map { name == impliedName($0) } ?? false }

  private func impliedName(_ inverse: String) -> String {
    ReservedName.impliedInverse(of: inverse, in: destination)
  }
}
