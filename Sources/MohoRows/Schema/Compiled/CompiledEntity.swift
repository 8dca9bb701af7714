package import MohoMapping

/// An entity with resolved names.
package final class CompiledEntity: Sendable {
  /// The index of the entity in the schema.
  package let index: Int
  package let entity: Entity
  package let identityColumn: String
  /// The index of the attribute that is the identity of the row. Nil if the
  /// identity is a column of its own.
  package let identityAttribute: Int?
  /// The index of the attribute that identifies the row of a model.
  package let uniqueAttribute: Int?
  /// The columns that identify the row of a model. Empty if each model is a new
  /// row.
  package let identifying: [UniqueKeyColumn]
  package let relationships: [CompiledRelationship]
  /// The relationships whose links are columns of the entity's table, by slot.
  package let linkColumns: [CompiledRelationship]
  /// The names of the attributes, followed by the names of the link columns.
  package let columnNames: [String]
  package let table: CompiledTable
  /// The values of a new row, which are the default values of its attributes or
  /// of its model's keys.
  let defaults: RowValues
  private let attributeIndices: [String: Int]
  private let relationshipIndices: [String: Int]

  package var name: String { entity.name }
  package var attributes: [Attribute] { entity.attributes }

  /// The relationships whose rows are part of the identity of a row.
  package var identifyingLinks: [CompiledRelationship] {
    identifying.compactMap { if case .slot(let slot) = $0 { linkColumns[slot] } else { nil } }
  }

  /// Whether the unique attribute is the identity of the row.
  package var isKeyedByIdentity: Bool {
    uniqueAttribute != nil && uniqueAttribute == identityAttribute
  }

  init(
    _ entity: Entity, at index: Int, _ resolver: RelationshipResolver,
    _ model: (any MappedModel.Type)?, _ conversion: StoredConversion?
  ) {
    self.index = index
    self.entity = entity
    // Includes implied inverses, which the entity does not declare.
    let declared = resolver.entities[index].relationships
    let identityColumn = entity.identityColumn
    self.identityColumn = identityColumn
    identityAttribute = entity.attributes.firstIndex { $0.name == identityColumn }
    uniqueAttribute = entity.uniqueAttribute.flatMap { unique in
      entity.attributes.firstIndex { $0.name == unique.name }
    }
    var relationships: [CompiledRelationship] = []
    var linkColumns: [CompiledRelationship] = []
    for position in declared.indices {
      let relationship = CompiledRelationship(
        at: position, in: entity, index, slot: linkColumns.count, resolver)
      relationships.append(relationship)
      if relationship.slot != nil { linkColumns.append(relationship) }
    }
    self.relationships = relationships
    self.linkColumns = linkColumns
    identifying = entity.identifyingKeys.compactMap { key in
      if let index = entity.attributes.firstIndex(where: { $0.name == key }) {
        return .attribute(index)
      }
      return linkColumns.firstIndex { $0.name == key }.map { .slot($0) }
    }
    columnNames = entity.attributes.map(\.name) + linkColumns.map(\.name)
    table = CompiledTable(
      name: entity.name, identityColumn: identityColumn,
      columns: entity.attributes.map { TableColumn(name: $0.name, content: .attribute($0.type)) }
        + linkColumns.flatMap(\.columns))
    let modelDefaults = model?.storedDefaults ?? [:]
    defaults = RowValues(
      attributes: entity.attributes.map { attribute in
        let value = attribute.defaultValue ?? modelDefaults[attribute.name] ?? .null
        return value.stored(as: attribute.type, by: conversion)
      },
      targets: Array(repeating: nil, count: linkColumns.count))
    attributeIndices = Dictionary(
      entity.attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipIndices = Dictionary(
      declared.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  func attribute(_ name: String) -> Int? { attributeIndices[name] }

  func relationship(_ name: String) -> CompiledRelationship? {
    relationshipIndices[name].map { relationships[$0] }
  }

  /// The columns of each index: the declared indexes and the link columns,
  /// except columns that already have a unique key or an index.
  var indexes: [[String]] {
    let links = linkColumns.filter { !$0.isUnique }.map { $0.columns.map(\.name) }
      .filter { !entity.identifyingKeys.starts(with: $0) }
    var seen = Set(entity.uniqueKeys)
    return (entity.indexes + links).filter { seen.insert($0).inserted }
  }
}

extension MappedModel {
  /// The default values of the mapping's keys in stored form, by the name of
  /// the key.
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

/// A relationship with resolved names.
package final class CompiledRelationship: Sendable {
  package let relationship: Relationship
  /// The indexes of the declaring entity and of the relationship in that
  /// entity.
  package let entity: Int
  let index: Int
  private let declaringEntity: String
  /// The name of the entity and of the relationship, for messages.
  package var label: String { "\(declaration.entity).\(declaration.key)" }
  /// The index of the destination entity.
  package let destination: Int
  /// The index of the inverse in the relationships of the destination.
  let inverse: Int?
  /// The declaration of the inverse.
  package let inverseRelationship: Relationship?
  /// The rule for the linked rows when a row of the entity is deleted, which is
  /// ``DeleteRule/nullify``, ``DeleteRule/cascade``, ``DeleteRule/deny`` or
  /// ``DeleteRule/noAction``.
  package let deleteRule: DeleteRule
  /// The rule for the rows of the entity when a linked row is deleted.
  package let targetDeleteRule: DeleteRule
  package let storage: LinkStorage
  /// The index in the link columns of the entity's table, or nil if the links
  /// are not stored in a column of that table.
  let slot: Int?
  /// The column that stores the position of the row among the rows of its
  /// owner, next to the link column.
  package let positionColumn: String?
  /// Whether a link column has unique values, so that no two rows link to the
  /// same row.
  package let isUnique: Bool
  /// Whether the rows at the other end are identified by their links to the
  /// row at this end.
  let identifiesDestination: Bool

  package var name: String { relationship.name }
  var isToMany: Bool { relationship.isToMany }
  var isOrdered: Bool { relationship.isOrdered }
  package var isOptional: Bool { relationship.isOptional }

  /// Whether the relationship is the inverse of a to-one relationship that
  /// declares a delete rule, but no inverse.
  package let isImplied: Bool

  /// The entity and the key that declare the relationship.
  package var declaration: (entity: String, key: String) {
    if isImplied, let inverse = relationship.inverse { return (relationship.destination, inverse) }
    return (declaringEntity, name)
  }

  /// Whether the column of the links becomes null when the linked row is deleted.
  var clearsDeletedTarget: Bool {
    guard slot != nil else { return false }
    return switch targetDeleteRule {
    case .nullify: inverse != nil || isOptional
    case .cascade, .cascadeEvenIfShared: true
    case .deny, .noAction: false
    }
  }

  /// Whether links deny the deletion of a row at one of the ends.
  var deniesDeletion: Bool { deleteRule == .deny || targetDeleteRule == .deny }

  /// Whether both ends are to-one relationships.
  package var isOneToOne: Bool { !isToMany && inverseRelationship.map { !$0.isToMany } ?? false }

  /// Whether the linked rows must be loaded before a change: an ordered
  /// relationship has positions, and a to-one relationship has a row to
  /// replace.
  var needsMembers: Bool { slot == nil && (isOrdered || !isToMany) }

  /// Whether the delete rule requires a trigger. A foreign key acts only on the
  /// rows that store the link, and does not report which relationship denied a
  /// deletion.
  package var needsDeleteTrigger: Bool {
    switch (deleteRule, storage) {
    case (.nullify, _), (.noAction, _), (.cascade, .inverseColumn): false
    case (.cascade, _), (.cascadeEvenIfShared, _), (.deny, _): true
    }
  }

  /// The columns of the entity's table that store the links.
  fileprivate var columns: [TableColumn] {
    [TableColumn(name: name, content: .link(to: relationship.destination))]
      + (positionColumn.map { [TableColumn(name: $0, content: .position(of: name))] } ?? [])
  }

  /// - Parameter slot: The index in the link columns.
  fileprivate init(
    at index: Int, in entity: Entity, _ entityIndex: Int, slot: Int,
    _ resolver: RelationshipResolver
  ) {
    let relationship = resolver.entities[entityIndex].relationships[index]
    let destination = resolver.destination(of: relationship) ?? entityIndex
    let inverse = resolver.inverse(of: relationship, in: entityIndex)
    let inverseRelationship = inverse.map { resolver.entities[destination].relationships[$0] }
    let storage = resolver.storage(of: index, in: entityIndex)
    self.relationship = relationship
    self.entity = entityIndex
    declaringEntity = entity.name
    self.index = index
    self.destination = destination
    self.inverse = inverse
    self.inverseRelationship = inverseRelationship
    isImplied = relationship.isImplied
    deleteRule = Self.rule(relationship.deleteRule, inverseRelationship?.targetDeleteRule)
    targetDeleteRule = Self.rule(inverseRelationship?.deleteRule, relationship.targetDeleteRule)
    self.storage = storage
    self.slot = storage == .column ? slot : nil
    let isInOrder = inverseRelationship.map { $0.isToMany && $0.isOrdered } ?? false
    positionColumn =
      storage == .column && isInOrder ? ReservedName.position(of: relationship.name) : nil
    identifiesDestination =
      storage != .column
      && inverseRelationship.map {
        resolver.entities[destination].identifyingKeys.contains($0.name)
      } ?? false
    isUnique =
      entity.uniqueKeys.contains([relationship.name])
      || inverseRelationship.map { !$0.isToMany } ?? false
  }
}

extension CompiledRelationship {
  /// Returns the rule that a relationship or its inverse declares.
  private static func rule(_ own: DeleteRule?, _ inverse: DeleteRule?) -> DeleteRule {
    (own ?? inverse ?? .nullify).effect
  }
}

extension CompiledRelationship: Equatable {
  package static func == (one: CompiledRelationship, other: CompiledRelationship) -> Bool {
    one.entity == other.entity && one.index == other.index
  }
}
