package import MohoMapping
import Synchronization

/// The way an entity stores the keys of a model.
package final class ModelNode: Sendable {
  package let model: any MappedModel.Type
  package let entity: CompiledEntity
  package let table: FieldKeys

  /// The way the entity stores each key, in declaration order.
  package let keys: [NodeKey]

  /// The keys that link rows.
  package let links: [NodeLink]

  /// The indexes of the keys that identify the row of a model. Empty if each
  /// model is a new row.
  package let unique: [Int]

  /// The links that are part of the row's identity.
  let identifyingLinks: [NodeLink]

  /// The keys whose rows are identified by this row.
  let identifiedMembers: [NodeLink]

  /// Whether saved models are merged with the stored ones.
  package let hasMerges: Bool

  /// The merge policies that statements apply to columns, by the indexes of the keys.
  package let columnMerges: [Int: MergePolicy]

  /// Whether saved models are merged with stored models that are read before.
  package let mergesInMemory: Bool

  /// Whether recorded rows are merged with the stored ones, and not models before they are
  /// recorded. Rows with links cannot be decoded alone.
  var mergesRows: Bool { mergesInMemory && links.isEmpty }

  /// The merge policies of rows that are merged by the policies of columns alone. Nil if
  /// models must be decoded to merge them.
  let rowMerges: [Int: MergePolicy]?

  package var name: String { entity.name }

  /// The quoted name of the identity column.
  package var identity: String { quotedName(entity.identityColumn) }

  /// The columns of the entity's table from which models are read.
  package var columnNames: Set<String> {
    Set(zip(table.keys, keys).compactMap { $1.isColumn ? $0.name : nil })
  }

  /// Returns the select list for reading models. The column of each key is at
  /// the index of the key. Other keys have null. The identity comes last.
  ///
  /// - Parameter alias: The name of the table in the statement.
  package func selection(in alias: String? = nil) -> [String] {
    let table = alias.map { "\($0)." } ?? ""
    return selectedColumns.map { column in column.map { table + $0 } ?? "NULL" }
  }

  /// The quoted names of the columns of the keys, and of the identity. Nil for other keys.
  private let selectedColumns: [String?]

  fileprivate init<Model: MappedModel>(_ model: Model.Type, _ entity: CompiledEntity) {
    let mapping = Model.mapping
    self.model = model
    self.entity = entity
    table = mapping.fieldKeys
    hasMerges = mapping.hasMerges
    let identity = entity.entity.identifyingKeys
    let found = identity.compactMap { name in
      mapping.keys.firstIndex { $0.isStored && $0.name == name }
    }
    let unique = found.count == identity.count ? found : []
    self.unique = unique
    let keys: [NodeKey] = mapping.keys.enumerated().map { index, key in
      if !key.isStored { return .unstored }
      if let relation = key.relation, let relationship = entity.relationship(key.name) {
        return .link(NodeLink(index, relation, relationship))
      }
      return .column(attribute: entity.attribute(key.name))
    }
    self.keys = keys
    selectedColumns =
      zip(mapping.keys, keys).map { $1.isColumn ? quotedName($0.name) : nil }
      + [quotedName(entity.identityColumn)]
    let columnMerges = keys.columnMerges(mapping.columnMerges, except: unique)
    self.columnMerges = columnMerges ?? [:]
    mergesInMemory = columnMerges == nil
    rowMerges = keys.columnMerges(mapping.validatedColumnMerges, except: unique)
    links = keys.compactMap { if case .link(let link) = $0 { link } else { nil } }
    identifyingLinks = links.filter { unique.contains($0.index) }
    identifiedMembers = links.filter(\.relationship.identifiesDestination)
  }
}

/// The way an entity stores a key of a model.
package enum NodeKey: Sendable {
  /// The entity does not store the key.
  case unstored
  /// A column stores the key. The value is the index of the attribute, or nil
  /// if the entity does not declare it.
  case column(attribute: Int?)
  /// Links between rows store the key.
  case link(NodeLink)

  /// Whether a column of the entity's own table stores the key.
  package var isColumn: Bool {
    switch self {
    case .unstored: false
    case .column: true
    case .link(let link): link.storage == .column
    }
  }
}

extension [NodeKey] {
  /// The merge policies of keys if all of them are those of columns. Nil if not.
  fileprivate func columnMerges(
    _ merges: [Int: MergePolicy]?, except unique: [Int]
  ) -> [Int: MergePolicy]? {
    guard let merges else { return nil }
    let areColumns = merges.keys.allSatisfy { index in
      if case .column = self[index] { !unique.contains(index) } else { false }
    }
    return areColumns ? merges : nil
  }
}

/// A key of a model that links rows.
package final class NodeLink: Sendable {
  /// The index of the key in its mapping.
  package let index: Int
  package let relation: Relation
  package let relationship: CompiledRelationship

  package var name: String { relationship.name }
  package var label: String { relationship.label }
  package var storage: LinkStorage { relationship.storage }
  package var isToMany: Bool { relation.models.isToMany }
  package var isReference: Bool { relation.models.isReference }
  package var target: any MappedModel.Type { relation.models.model }
  /// The quoted name of the column that contains the link.
  package var column: String { quotedName(name) }

  fileprivate init(_ index: Int, _ relation: Relation, _ relationship: CompiledRelationship) {
    self.index = index
    self.relation = relation
    self.relationship = relationship
  }
}

/// The nodes of the models of a schema. They are created on first use.
final class ModelNodes: Sendable {
  private let known = Lock<[ObjectIdentifier: ModelNode]>([:])

  fileprivate func node<Model: MappedModel>(
    of model: Model.Type, _ schema: CompiledSchema
  ) throws -> ModelNode {
    let id = ObjectIdentifier(model)
    if let node = known.withLock({ $0[id] }) { return node }
    guard let entity = schema.entity(Model.mapping.name) else {
      throw StoreError(
        .invalidRequest, reason: "the store has no table for `\(Model.mapping.name)`",
        suggestion: "add the model to the models that the store is opened with")
    }
    let node = ModelNode(model, entity)
    return known.withLock { nodes in
      if let node = nodes[id] { return node }
      nodes[id] = node
      return node
    }
  }
}

extension CompiledSchema {
  /// - Throws: A ``StoreError`` if the schema does not contain the model.
  package func node(of model: any MappedModel.Type) throws -> ModelNode {
    try nodes.node(of: model, self)
  }

  /// Returns the node of a model and the nodes that its nested models may
  /// have, its own first.
  package func nodes(reachableFrom model: any MappedModel.Type) throws -> [ModelNode] {
    var found = [try node(of: model)]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(model)]
    var position = 0
    while position < found.count {
      for link in found[position].links where !link.isReference {
        if seen.insert(ObjectIdentifier(link.target)).inserted {
          found.append(try node(of: link.target))
        }
      }
      position += 1
    }
    return found
  }
}

extension Mapping {
  /// Whether rows of the model are linked to others.
  package var hasRelations: Bool { keys.contains { $0.relation != nil } }

  /// Whether models are saved in a graph and not one by one, because they are
  /// linked to other models, or merged with stored ones in memory.
  package var isSavedInGraphs: Bool { hasRelations || columnMerges == nil }
}
