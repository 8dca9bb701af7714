import MohoMapping

/// Writes models and the models inside them to the rows of a context: first it
/// takes them apart, then it looks for all their rows at once, and then it
/// changes those.
struct RowGraphWriter {
  /// A model to be written, inner ones before outer ones.
  struct Node {
    let entity: EntityLayout
    let model: any MappedModel.Type
    var contents: [FieldContent?]
    /// The path of the model, for errors.
    let path: FieldPath
    let unique: UniqueValues?
    let relations: [NodeRelation]
    var row: Int?
    var isNew = false
  }

  /// What a model says about the rows that it is related to.
  struct NodeRelation {
    let relationship: RelationshipLayout
    let linkPolicy: LinkPolicy
    /// The nodes of nested models, or the keys of references.
    let nodes: [Int]
    let references: [UniqueValues]
  }

  let context: EditingContext
  private(set) var nodes: [Node] = []
  private var rows: [Int: [UniqueValues: Int]] = [:]

  init(_ context: EditingContext) { self.context = context }

  func row(of node: Int) -> Int { nodes[node].row ?? 0 }

  /// Takes a model apart.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of the model, for errors.
  /// - Returns: The position of its node.
  mutating func add<Model: MappedModel>(_ model: Model, path: FieldPath) throws -> Int {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    let valid = try mapping.validated(
      model, writtenTo: FieldRecorder(keys: mapping.mappingKeys, path: path))
    return try add(Model.self, mapping.contents(of: valid, path: path), path: path)
  }

  /// Takes a partial model of a row apart.
  mutating func add<Model: MappedModel>(_ partial: Partial<Model>, for row: Int) throws {
    let mapping = Model.mapping
    let recorder = FieldRecorder(keys: mapping.mappingKeys, path: FieldPath([]))
    try mapping.encode(partial, to: recorder)
    let present = zip(partial.keys, recorder.contents).filter { $0.0.isStored }
    let byName = Dictionary(
      present.map { ($0.0.name, $0.1) }, uniquingKeysWith: { one, _ in one })
    let contents = mapping.keys.map { $0.isStored ? byName[$0.name] : nil }
    if let error = MappingError(mapping.errors(in: contents, isWhole: false)) { throw error }
    let node = try add(Model.self, contents, path: FieldPath([]), isPartial: true)
    nodes[node].row = row
  }

  private mutating func add<Model: MappedModel>(
    _ model: Model.Type, _ contents: [FieldContent?], path: FieldPath,
    via holder: RelationshipLayout? = nil, isPartial: Bool = false
  ) throws -> Int {
    let mapping = model.mapping
    let entity = try context.layout.requireEntity(mapping.name)
    var relations: [NodeRelation] = []
    for (key, content) in zip(mapping.keys, contents) where key.isStored {
      guard let relation = key.relation, let content else { continue }
      guard let relationship = entity.relationship(key.name) else {
        throw StoreError(
          .invalidRequest, subject: "`\(entity.name)`",
          reason: "`\(key.name)` is no relationship of the entity")
      }
      let isEmpty = content == .null || content == .array([])
      // A nested model that does not name its holder is held all the same.
      if isEmpty, let holder, holder.inverse == relationship.index { continue }
      if content == .null, relation.models.isToMany, !isPartial { continue }
      relations.append(
        try self.relation(relationship, relation, content, path.appending(.key(key.name))))
    }
    let unique = entity.uniqueAttribute.flatMap { unique in
      let name = entity.entity.attributes[unique].name
      let content = zip(mapping.keys, contents).first {
        $0.0.isStored && $0.0.name == name
      }?.1
      return content.flatMap { self.unique($0, entity, unique) }
    }
    nodes.append(
      Node(
        entity: entity, model: model, contents: contents, path: path,
        unique: isPartial ? nil : unique, relations: relations))
    return nodes.count - 1
  }

  private mutating func relation(
    _ relationship: RelationshipLayout, _ relation: Relation, _ content: FieldContent,
    _ path: FieldPath
  ) throws -> NodeRelation {
    let elements: [FieldContent]
    switch content {
    case .null: elements = []
    case .array(let contents): elements = contents
    default: elements = [content]
    }
    let destination = context.layout.entities[relationship.destination]
    var nodes: [Int] = []
    var references: [UniqueValues] = []
    for (position, element) in elements.enumerated() {
      let path = relation.models.isToMany ? path.appending(.index(position)) : path
      if relation.models.isReference {
        guard let unique = destination.uniqueAttribute,
          let key = self.unique(element, destination, unique)
        else { throw unknownReference(element, to: destination, path) }
        references.append(key)
      } else {
        nodes.append(try add(relation.models.model, nested: element, path, via: relationship))
      }
    }
    return NodeRelation(
      relationship: relationship, linkPolicy: relation.linkPolicy, nodes: nodes,
      references: references)
  }

  private mutating func add<Model: MappedModel>(
    _ model: Model.Type, nested content: FieldContent, _ path: FieldPath,
    via holder: RelationshipLayout
  ) throws -> Int {
    guard case .object(let fields) = content else {
      throw MappingError(
        .invalidType, model: model.mapping.name, path: path, found: "\(content)",
        expected: "object")
    }
    var rest = fields[...]
    let contents = model.mapping.keys.map { $0.isTransient ? nil : rest.popFirst() }
    return try add(
      model, model.mapping.validated(contents, path: path), path: path, via: holder)
  }

  private func unique(
    _ content: FieldContent, _ entity: EntityLayout, _ attribute: Int
  ) -> UniqueValues? {
    let content = content.normalized(for: entity.entity.attributes[attribute].type)
    return content == .null ? nil : UniqueValues(values: [.content(ExactContent(content))])
  }

  /// Writes all models.
  mutating func write() throws {
    try findRows()
    try writeValues()
    try writeLinks()
  }

  /// Finds the rows of models and references, those of one entity at once, and
  /// makes rows of what has none.
  private mutating func findRows() throws {
    var wanted: [Int: [UniqueValues]] = [:]
    for node in nodes {
      if let unique = node.unique { wanted[node.entity.index, default: []].append(unique) }
      for relation in node.relations {
        wanted[relation.relationship.destination, default: []] += relation.references
      }
    }
    for (entity, values) in wanted.sorted(by: { $0.key < $1.key }) {
      let entity = context.layout.entities[entity]
      guard let unique = entity.uniqueAttribute else { continue }
      var seen: Set<UniqueValues> = []
      let found = try context.handles(
        of: entity, with: [.attribute(unique)],
        in: values.filter { seen.insert($0).inserted && $0.isStorable(in: entity, unique) })
      for (value, rows) in found {
        guard rows.count == 1 else { throw severalRows(value, entity) }
        self.rows[entity.index, default: [:]][value] = rows[0]
      }
    }
    for index in nodes.indices where nodes[index].row == nil {
      let node = nodes[index]
      if let unique = node.unique, let row = rows[node.entity.index]?[unique] {
        nodes[index].row = row
        continue
      }
      let row = context.graph.insert(node.entity)
      nodes[index].row = row
      nodes[index].isNew = true
      if let unique = node.unique { rows[node.entity.index, default: [:]][unique] = row }
    }
  }

  private mutating func writeValues() throws {
    var failures: [ValidationFailure] = []
    for index in nodes.indices {
      try mergeStored(into: index)
      let node = nodes[index]
      guard let row = node.row else { continue }
      for (position, key) in node.model.keys.enumerated()
      where key.isStored && key.relation == nil {
        guard
          let content = try node.model.storedContent(
            node.contents[position], at: position, path: node.path)
        else { continue }
        guard let attribute = node.entity.attribute(key.name) else {
          throw StoreError(
            .invalidRequest, subject: "`\(node.entity.name)`",
            reason: "`\(key.name)` is no attribute of the entity")
        }
        let declared = node.entity.entity.attributes[attribute]
        let value = content.normalized(for: declared.type)
        failures += declared.failures(of: value, in: context.graph[row].identity)
        context.graph.setValue(value, of: row, attribute: attribute)
      }
    }
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }

  /// Applies the merge rules of a model whose row was there.
  private mutating func mergeStored(into index: Int) throws {
    let node = nodes[index]
    guard let row = node.row, !node.isNew, node.model.hasMerges,
      node.contents.count == node.model.keys.count
    else { return }
    nodes[index].contents = try merged(node.model, node.contents, row)
  }

  private func merged<Model: MappedModel>(
    _ model: Model.Type, _ incoming: [FieldContent?], _ row: Int
  ) throws -> [FieldContent?] {
    var contents = RowContents(in: context)
    let stored = try contents.contents(of: row, for: model.mapping.keys)
    // A partial model holds what it has; the rest is as it is stored.
    let whole = zip(zip(model.mapping.keys, incoming), stored).map { pair, stored in
      pair.0.isTransient ? nil : pair.1 ?? stored
    }
    let merged = try model.mapping.merge(whole, into: stored)
    return zip(incoming, merged).map { $0 == nil ? nil : $1 }
  }

  private mutating func writeLinks() throws {
    try prepareLinks()
    var removed: [Int] = []
    for node in nodes {
      guard let row = node.row else { continue }
      for relation in node.relations {
        let members = try members(of: relation)
        let old = context.graph.partners(of: row, relation.relationship)
        switch relation.linkPolicy {
        case .merge where relation.relationship.isToMany:
          for member in members {
            context.graph.link(row, relation.relationship, to: member)
          }
        case .merge:
          context.graph.replace(row, relation.relationship, with: members)
        case .replace(let rule):
          context.graph.replace(row, relation.relationship, with: members)
          let kept = Set(members)
          if rule == .delete { removed += old.filter { !kept.contains($0) } }
        }
      }
    }
    let written = Set(nodes.compactMap(\.row))
    try context.delete(handles: removed.filter { !written.contains($0) })
  }

  /// Reads what linking must know: for all rows at once.
  private func prepareLinks() throws {
    var relationships: [(RelationshipLayout, owners: [Int], members: [Int])] = []
    var positions: [[Int]: Int] = [:]
    for node in nodes {
      guard let row = node.row else { continue }
      for relation in node.relations {
        let key = [relation.relationship.entity, relation.relationship.index]
        let position = positions[key] ?? relationships.count
        if position == relationships.count {
          positions[key] = position
          relationships.append((relation.relationship, [], []))
        }
        relationships[position].owners.append(row)
        relationships[position].members += try members(of: relation)
      }
    }
    for (relationship, owners, members) in relationships {
      try context.prepareLinks(relationship, owners: owners, members: members)
      let old = owners.flatMap { context.graph.partners(of: $0, relationship) }
      try context.prepareLinks(relationship, owners: owners, members: old)
    }
  }

  private func members(of relation: NodeRelation) throws -> [Int] {
    var seen: Set<Int> = []
    let nested = relation.nodes.compactMap { nodes[$0].row }
    let referred = try relation.references.map { key in
      let destination = relation.relationship.destination
      guard let row = rows[destination]?[key] else {
        let content = key.values.first.map { $0.content } ?? .null
        throw unknownReference(
          content, to: context.layout.entities[destination],
          FieldPath([.key(relation.relationship.name)]))
      }
      return row
    }
    return (nested + referred).filter { seen.insert($0).inserted }
  }

  private func unknownReference(
    _ content: FieldContent, to entity: EntityLayout, _ path: FieldPath
  ) -> StoreError {
    StoreError(
      .unknownReference, subject: "`\(path)`",
      reason: "there is no `\(entity.name)` with the unique key \(content)",
      suggestion: "save it first, or in the same call")
  }

  private func severalRows(_ value: UniqueValues, _ entity: EntityLayout) -> StoreError {
    StoreError(
      .notUnique, subject: "`\(entity.name)`",
      reason: "several rows have the unique key \(value.values.first?.content ?? .null)",
      suggestion: "delete all but one")
  }
}

extension UniqueValues {
  /// Whether a column can hold the value, so that it can be looked for.
  fileprivate func isStorable(in entity: EntityLayout, _ attribute: Int) -> Bool {
    values.allSatisfy { entity.entity.attributes[attribute].type.holds($0.content) }
  }
}

extension UniqueValues.Value {
  fileprivate var content: FieldContent {
    switch self {
    case .content(let value): value.content
    case .row(let identity): .string("\(identity)")
    }
  }
}

extension MappedModel {
  fileprivate static var keys: [MappingKey] { mapping.keys }
  fileprivate static var hasMerges: Bool { mapping.hasMerges }

  fileprivate static func storedContent(
    _ content: FieldContent?, at index: Int, path: FieldPath
  ) throws -> FieldContent? {
    try content.map { try mapping.storedContent($0, at: index, path: path) }
  }
}
