import MohoMapping

/// A schema by positions: what a context asks for with every access.
struct ContextLayout: Sendable {
  let entities: [EntityLayout]
  private let positions: [String: Int]
  /// The relationships that lead to an entity and have no way back.
  let incoming: [[RelationshipLayout]]

  init(_ schema: Schema) {
    let positions = Dictionary(
      schema.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
    let entities = schema.entities.enumerated().map { index, entity in
      EntityLayout(entity, at: index, in: schema, positions)
    }
    self.positions = positions
    self.entities = entities
    incoming = entities.indices.map { index in
      entities.flatMap(\.relationships).filter { $0.destination == index && $0.inverse == nil }
    }
  }

  func entity(_ name: String) -> EntityLayout? { positions[name].map { entities[$0] } }

  /// - Throws: ``StoreError`` where there is no entity of the name.
  func requireEntity(_ name: String) throws -> EntityLayout {
    guard let entity = entity(name) else {
      throw StoreError(
        .invalidRequest, reason: "the store has no entity `\(name)`",
        suggestion: proposal(for: name, among: entities.map(\.name)))
    }
    return entity
  }
}

/// An entity by positions.
struct EntityLayout: Sendable {
  /// The position in ``ContextLayout/entities``.
  let index: Int
  let entity: Entity
  let relationships: [RelationshipLayout]
  /// The relationships that are columns of the entity's table, by slot.
  let columns: [RelationshipLayout]
  /// The attribute that is the row's identity, if one is.
  let identityAttribute: Int?
  /// The position of the attribute that tells which row a model is.
  let uniqueAttribute: Int?
  /// The values of a new row: the defaults that its attributes or its model's
  /// keys declare.
  let defaults: RowValues
  private let attributePositions: [String: Int]
  private let relationshipPositions: [String: Int]

  var name: String { entity.name }

  init(_ entity: Entity, at index: Int, in schema: Schema, _ positions: [String: Int]) {
    self.index = index
    self.entity = entity
    var slots = 0
    relationships = entity.relationships.enumerated().map { position, relationship in
      let link = schema.link(relationship, of: entity)
      let slot = link == .column ? slots : nil
      if slot != nil { slots += 1 }
      let destination = schema.entity(relationship.destination)
      let inverse = schema.inverse(of: relationship, in: entity)
      return RelationshipLayout(
        relationship: relationship, link: link, slot: slot, entity: index, index: position,
        destination: positions[relationship.destination] ?? index,
        inverse: inverse.flatMap { inverse in
          destination?.relationships.firstIndex { $0.name == inverse.name }
        })
    }
    columns = relationships.filter { $0.slot != nil }
    identityAttribute = entity.attributes.firstIndex { entity.isIdentity($0) }
    uniqueAttribute = entity.uniqueAttribute.flatMap { unique in
      entity.attributes.firstIndex { $0.name == unique.name }
    }
    let modelDefaults = schema.models[entity.name]?.model.storedDefaults ?? [:]
    defaults = RowValues(
      attributes: entity.attributes.map { $0.defaultValue ?? modelDefaults[$0.name] ?? .null },
      targets: Array(repeating: nil, count: columns.count))
    attributePositions = Dictionary(
      entity.attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
    relationshipPositions = Dictionary(
      entity.relationships.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
  }

  func attribute(_ name: String) -> Int? { attributePositions[name] }

  func relationship(_ name: String) -> RelationshipLayout? {
    relationshipPositions[name].map { relationships[$0] }
  }

}

extension MappedModel {
  /// The defaults that the mapping's keys declare, as a store holds them, by the
  /// names of the keys.
  fileprivate static var storedDefaults: [String: FieldContent] {
    var defaults: [String: FieldContent] = [:]
    for (index, key) in mapping.keys.enumerated() where key.isStored && key.relation == nil {
      guard let content = mapping.defaultContent(at: index),
        let stored = try? mapping.storedContent(content, at: index)
      else { continue }
      defaults[key.name] = stored.normalized(for: AttributeType(key.type))
    }
    return defaults
  }
}

/// A relationship by positions.
struct RelationshipLayout: Sendable {
  let relationship: Relationship
  let link: Link
  /// The position among the columns of the entity's table, or nil where the
  /// link is elsewhere.
  let slot: Int?
  /// The position of the entity that has it, and its own in that.
  let entity: Int
  let index: Int
  /// The position of the entity that it leads to.
  let destination: Int
  /// The position of the way back among the relationships of the destination.
  let inverse: Int?

  var name: String { relationship.name }
  var isToMany: Bool { relationship.isToMany }
  var isOrdered: Bool { relationship.isOrdered }

  /// Whether the rows at the other end must be known before they are changed:
  /// an order has places, and what is to one has a row that gives way.
  var needsMembers: Bool { slot == nil && (isOrdered || !isToMany) }
}

extension RelationshipLayout: Equatable {
  static func == (one: Self, other: Self) -> Bool {
    one.entity == other.entity && one.index == other.index
  }
}
