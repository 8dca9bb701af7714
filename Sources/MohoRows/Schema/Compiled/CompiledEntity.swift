package import MohoMapping

/// An entity whose names are resolved.
package final class CompiledEntity: Sendable {
  /// The index among the schema's entities.
  package let index: Int
  package let entity: Entity
  package let identityColumn: String
  /// The attribute that is the row's identity, if one is.
  package let identityAttribute: Int?
  /// The attribute that identifies the row of a model.
  package let uniqueAttribute: Int?
  package let relationships: [CompiledRelationship]
  /// The relationships that columns of the entity's table store, by slot.
  package let linkColumns: [CompiledRelationship]
  /// The names of the attributes, then those of the link columns.
  package let columnNames: [String]
  package let table: CompiledTable
  /// The values of a new row: the defaults that its attributes or its model's
  /// keys declare.
  let defaults: RowValues
  private let attributeIndices: [String: Int]
  private let relationshipIndices: [String: Int]

  package var name: String { entity.name }
  package var attributes: [Attribute] { entity.attributes }

  /// The column of the unique attribute.
  package var uniqueName: String? { uniqueAttribute.map { attributes[$0].name } }

  /// Whether the unique attribute is the row's identity itself.
  package var isKeyedByIdentity: Bool {
    uniqueAttribute != nil && uniqueAttribute == identityAttribute
  }

  init(
    _ entity: Entity, at index: Int, _ resolver: RelationshipResolver,
    _ model: (any MappedModel.Type)?
  ) {
    self.index = index
    self.entity = entity
    let identityColumn = entity.identityColumn
    self.identityColumn = identityColumn
    identityAttribute = entity.attributes.firstIndex { $0.name == identityColumn }
    uniqueAttribute = entity.uniqueAttribute.flatMap { unique in
      entity.attributes.firstIndex { $0.name == unique.name }
    }
    var relationships: [CompiledRelationship] = []
    var linkColumns: [CompiledRelationship] = []
    for position in entity.relationships.indices {
      let relationship = CompiledRelationship(
        at: position, in: entity, index, slot: linkColumns.count, resolver)
      relationships.append(relationship)
      if relationship.slot != nil { linkColumns.append(relationship) }
    }
    self.relationships = relationships
    self.linkColumns = linkColumns
    columnNames = entity.attributes.map(\.name) + linkColumns.map(\.name)
    table = CompiledTable(
      name: entity.name, identityColumn: identityColumn,
      columns: entity.attributes.map { TableColumn(name: $0.name, content: .attribute($0.type)) }
        + linkColumns.flatMap(\.columns))
    let modelDefaults = model?.storedDefaults ?? [:]
    defaults = RowValues(
      attributes: entity.attributes.map { $0.defaultValue ?? modelDefaults[$0.name] ?? .null },
      targets: Array(repeating: nil, count: linkColumns.count))
    attributeIndices = Dictionary(
      entity.attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipIndices = Dictionary(
      entity.relationships.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  func attribute(_ name: String) -> Int? { attributeIndices[name] }

  func relationship(_ name: String) -> CompiledRelationship? {
    relationshipIndices[name].map { relationships[$0] }
  }

  /// The columns of each index: declared ones, and those of link columns that
  /// no unique key serves.
  var indexes: [[String]] {
    let links = linkColumns.filter { !$0.isUnique }.map { $0.columns.map(\.name) }
    var seen = Set(entity.uniqueKeys)
    return (entity.indexes + links).filter { seen.insert($0).inserted }
  }
}

extension MappedModel {
  /// The defaults that the mapping's keys declare, as a store stores them, by
  /// the names of the keys.
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

/// A relationship whose names are resolved.
package final class CompiledRelationship: Sendable {
  package let relationship: Relationship
  /// The index of the entity that declares it, and its own index there.
  package let entity: Int
  let index: Int
  /// The name with that of its entity, for messages.
  package let label: String
  /// The index of the entity that it leads to.
  package let destination: Int
  /// The index of the inverse among the relationships of the destination.
  let inverse: Int?
  /// The inverse as it is declared.
  package let inverseRelationship: Relationship?
  package let storage: LinkStorage
  /// The index among the link columns of the entity's table, or nil if the links
  /// have no column.
  let slot: Int?
  /// The column next to the link column with the position of the row among the
  /// rows of one owner.
  package let positionColumn: String?
  /// Whether a link column has unique values: no two rows lead to the same row.
  package let isUnique: Bool

  package var name: String { relationship.name }
  var isToMany: Bool { relationship.isToMany }
  var isOrdered: Bool { relationship.isOrdered }
  package var isOptional: Bool { relationship.isOptional }
  package var deleteRule: DeleteRule { relationship.deleteRule }

  /// Whether both ends are to one.
  package var isOneToOne: Bool { !isToMany && inverseRelationship.map { !$0.isToMany } ?? false }

  /// Whether the rows at the other end must be known before they are changed:
  /// an order has positions, and a relationship to one has a row that is
  /// replaced.
  var needsMembers: Bool { slot == nil && (isOrdered || !isToMany) }

  /// Whether a foreign key cannot carry out the delete rule: it acts on the rows
  /// that store the link, and does not report which relationship denied a
  /// deletion.
  package var needsDeleteTrigger: Bool {
    switch (deleteRule, storage) {
    case (.nullify, _), (.noAction, _), (.cascade, .inverseColumn): false
    case (.cascade, _), (.deny, _): true
    }
  }

  /// The columns that store the links in the entity's table.
  fileprivate var columns: [TableColumn] {
    [TableColumn(name: name, content: .link(to: relationship.destination))]
      + (positionColumn.map { [TableColumn(name: $0, content: .position(of: name))] } ?? [])
  }

  /// - Parameter slot: The index among the link columns, if it is one.
  fileprivate init(
    at index: Int, in entity: Entity, _ entityIndex: Int, slot: Int,
    _ resolver: RelationshipResolver
  ) {
    let relationship = entity.relationships[index]
    let destination = resolver.destination(of: relationship) ?? entityIndex
    let inverse = resolver.inverse(of: relationship, in: entityIndex)
    let inverseRelationship = inverse.map { resolver.entities[destination].relationships[$0] }
    let storage = resolver.storage(of: index, in: entityIndex)
    self.relationship = relationship
    self.entity = entityIndex
    self.index = index
    label = "\(entity.name).\(relationship.name)"
    self.destination = destination
    self.inverse = inverse
    self.inverseRelationship = inverseRelationship
    self.storage = storage
    self.slot = storage == .column ? slot : nil
    let isInOrder = inverseRelationship.map { $0.isToMany && $0.isOrdered } ?? false
    positionColumn =
      storage == .column && isInOrder ? ReservedName.position(of: relationship.name) : nil
    isUnique =
      entity.uniqueKeys.contains([relationship.name])
      || inverseRelationship.map { !$0.isToMany } ?? false
  }
}

extension CompiledRelationship: Equatable {
  package static func == (one: CompiledRelationship, other: CompiledRelationship) -> Bool {
    one.entity == other.entity && one.index == other.index
  }
}
