import MohoMapping

/// What saving and reading graphs need to know of one model.
final class ModelNode: Sendable {
  let model: any MappedModel.Type
  let entity: Entity
  let table: MappingKeys

  /// What a store does with each key, in declaration order.
  let keys: [NodeKey]

  /// The position of the key that tells which row a model is, or nil where each
  /// model is a new row.
  let unique: Int?

  /// Whether stored models are merged into the ones that are saved.
  let hasMerges: Bool

  var name: String { entity.name }

  /// The quoted name of the column with the row's identity.
  var identity: String { quoted(entity.identityColumn) }

  /// Whether the unique key is the row's identity itself.
  var isKeyedByIdentity: Bool {
    entity.uniqueAttribute.map(entity.isIdentity) ?? false
  }

  /// Whether rows are linked to others.
  var links: [NodeLink] {
    keys.compactMap { if case .link(let link) = $0 { link } else { nil } }
  }

  /// The columns of the entity's table that models are read from.
  var columnNames: Set<String> {
    let names = zip(table.keys, keys).compactMap { key, node in
      switch node {
      case .unstored: nil as String?
      case .column: key.name
      case .link(let link): link.link == .column ? link.name : nil
      }
    }
    return Set(names)
  }

  init<Model: MappedModel>(_ model: Model.Type, _ schema: Schema) throws {
    let mapping = Model.mapping
    let entity = try schema.entity(of: model)
    self.model = model
    self.entity = entity
    table = mapping.mappingKeys
    hasMerges = mapping.hasMerges
    unique = entity.uniqueAttribute.flatMap { attribute in
      mapping.keys.firstIndex { $0.isStored && $0.name == attribute.name }
    }
    keys = mapping.keys.enumerated().map { index, key in
      if !key.isStored { return .unstored }
      if let relation = key.relation, let relationship = entity.relationship(key.name) {
        return .link(NodeLink(index: index, relation, relationship, entity, schema))
      }
      return .column
    }
  }
}

/// What a store does with a key.
enum NodeKey: Sendable {
  /// Nothing: the store does not hold the key.
  case unstored
  /// It keeps the value in a column.
  case column
  /// It links rows.
  case link(NodeLink)
}

/// A key that links rows.
struct NodeLink: Sendable {
  /// The position of the key in its mapping.
  let index: Int
  let name: String
  /// The key with its model's name, for messages.
  let label: String
  let relation: Relation
  let isOptional: Bool
  /// How the database keeps the links.
  let link: Link
  /// Whether no two rows are linked to the same.
  let isOneToOne: Bool
  /// The column beside the link's that holds the row's place among those of one
  /// owner.
  let position: String?
  /// The way back, by its name.
  let inverse: String?

  var target: any MappedModel.Type { relation.models.model }
  var isReference: Bool { relation.models.isReference }
  var isToMany: Bool { relation.models.isToMany }
  var column: String { quoted(name) }

  fileprivate init(
    index: Int, _ relation: Relation, _ relationship: Relationship, _ entity: Entity,
    _ schema: Schema
  ) {
    let inverse = schema.inverse(of: relationship, in: entity)
    self.index = index
    name = relationship.name
    label = "\(entity.name).\(relationship.name)"
    self.relation = relation
    isOptional = relationship.isOptional
    link = schema.link(relationship, of: entity)
    isOneToOne = !relationship.isToMany && inverse.map { !$0.isToMany } ?? false
    position = schema.position(of: relationship, in: entity)
    self.inverse = inverse?.name
  }
}

/// The nodes of a schema's models, made when they are first asked for.
final class ModelNodes {
  let schema: Schema
  private var known: [ObjectIdentifier: ModelNode] = [:]

  init(_ schema: Schema) { self.schema = schema }

  /// - Throws: ``StoreError`` where the model is none of the schema's.
  func node(of model: any MappedModel.Type) throws -> ModelNode {
    if let node = known[ObjectIdentifier(model)] { return node }
    let node = try ModelNode(model, schema)
    known[ObjectIdentifier(model)] = node
    return node
  }

  /// The nodes that nested models of a model may belong to, itself first.
  func reachable(from model: any MappedModel.Type) throws -> [ModelNode] {
    var nodes = [try node(of: model)]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(model)]
    var position = 0
    while position < nodes.count {
      for link in nodes[position].links where !link.isReference {
        if seen.insert(ObjectIdentifier(link.target)).inserted {
          nodes.append(try node(of: link.target))
        }
      }
      position += 1
    }
    return nodes
  }
}

extension Mapping {
  /// Whether rows of the model are linked to others.
  var hasRelations: Bool { keys.contains { $0.relation != nil } }

  /// Whether models are saved together, and not one by one: with those that they
  /// are linked to, or merged with what is stored.
  var isSavedInGraphs: Bool { hasRelations || hasMerges }
}

extension Schema {
  /// The select list from which models are read: the column of each key at the
  /// position that it has in the mapping, null where the table has none, then
  /// the identity.
  ///
  /// - Parameter alias: The name of the table in the statement.
  func selection<Model>(
    of mapping: Mapping<Model>, _ entity: Entity, in alias: String? = nil
  ) -> [String] {
    let table = alias.map { "\($0)." } ?? ""
    return mapping.keys.map { hasColumn($0, in: entity) ? table + quoted($0.name) : "NULL" }
      + [table + quoted(entity.identityColumn)]
  }

  private func hasColumn(_ key: MappingKey, in entity: Entity) -> Bool {
    if !key.isStored { return false }
    guard key.relation != nil else { return true }
    return entity.relationship(key.name).map { link($0, of: entity) == .column } ?? false
  }
}
