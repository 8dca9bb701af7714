import MohoMapping

/// Writes models and their nested models to the rows of a context. It first
/// records all models, then finds their rows in a few statements, and then
/// changes the rows.
struct ContextGraphWriter {
  private let context: EditingContext
  private let recording: GraphRecording
  private let recorded = ContextRows()
  /// The handles of the context's rows, by the recorded rows.
  private var handles: [ObjectIdentifier: Int] = [:]
  private var new: Set<ObjectIdentifier> = []
  /// The handles of the rows that have been found, by entity and unique key.
  private var known: [Int: [UniqueKey: Int]] = [:]

  init(_ context: EditingContext) {
    self.context = context
    recording = GraphRecording(context.schema, for: recorded)
  }

  /// Returns the handle of a recorded row that has been written.
  func handle(of row: GraphRow) -> Int { handles[ObjectIdentifier(row)] ?? 0 }

  /// Records a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - path: The path of the model, for errors.
  func add<Model: MappedModel>(_ model: Model, path: FieldPath) throws -> GraphRow {
    try Model.mapping.checkDeclaration()
    _ = try context.schema.requireEntity(Model.mapping.name)
    return try recording.record(model, at: path)
  }

  /// Records a partial model that changes an existing row.
  mutating func add<Model: MappedModel>(_ partial: Partial<Model>, for handle: Int) throws {
    let mapping = Model.mapping
    let partial = try resolved(partial, for: handle)
    let recorder = FieldRecorder(keys: mapping.fieldKeys, path: FieldPath([]))
    try mapping.encode(partial, to: recorder)
    let present = zip(partial.keys, recorder.contents).filter { $0.0.isStored }
    let byName = Dictionary(
      present.map { ($0.0.name, $0.1) }, uniquingKeysWith: { one, _ in one })
    let contents = mapping.keys.map { $0.isStored ? byName[$0.name] : nil }
    if let error = MappingError(mapping.errors(in: contents, isWhole: false)) { throw error }
    let row = recorded.add(try recording.record(partial, validatesModels: false))
    row.incoming = contents
    handles[ObjectIdentifier(row)] = handle
  }

  /// Returns a partial model whose unknown members are values: those of the row
  /// after the changes of a merge patch.
  private func resolved<Model: MappedModel>(
    _ partial: Partial<Model>, for handle: Int
  ) throws -> Partial<Model> {
    let mapping = Model.mapping
    guard let index = partial.patchedIndex, mapping.keys[index].isStored else { return partial }
    var reader = RowContents(in: context)
    let contents = try reader.contents(of: handle, for: [mapping.keys[index]])
    let stored = try contents[0].map { try mapping.partial(ofStored: $0, at: index) }
    return partial.resolvingMembers(over: stored)
  }

  /// Writes all recorded models.
  mutating func write() throws {
    try findRows()
    try writeValues()
    try writeLinks()
  }

  /// Finds the rows of models and references in one request per entity, and
  /// inserts rows for models that have no row. Rows that are part of the
  /// identity of other rows come first.
  private mutating func findRows() throws {
    var references: [Int: [FieldContent]] = [:]
    let failures = WriteFailures { true }
    for row in recorded.rows {
      for link in row.node.links {
        for (position, target) in (row.targets(of: link) ?? []).enumerated() {
          guard case .key(let content) = target else { continue }
          let entity = context.schema.entities[link.relationship.destination]
          guard add(content, of: entity, to: &references) else {
            let path = row.path.appending(.key(link.name))
            try failures.add(
              danglingReference(
                content, to: entity, link.isToMany ? path.appending(.index(position)) : path),
              at: row.path)
            continue
          }
        }
      }
    }
    try failures.check()
    let entities = Set(recorded.rows.map(\.node.entity.index)).union(references.keys)
    let levels = Dictionary(grouping: entities) { identityDepth(of: context.schema.entities[$0]) }
    for (_, entities) in levels.sorted(by: { $0.key < $1.key }) {
      try findRows(of: Set(entities), references)
    }
  }

  /// Adds the key of a reference, and the keys of references that are part of
  /// it.
  ///
  /// - Returns: False if the content is not a key.
  private func add(
    _ content: FieldContent, of entity: CompiledEntity, to references: inout [Int: [FieldContent]]
  ) -> Bool {
    if entity.uniqueAttribute != nil {
      if content != .null { references[entity.index, default: []].append(content) }
      return content != .null
    }
    let parts = entity.identifying.count == 1 ? [content] : content.elements
    guard !parts.isEmpty, parts.count == entity.identifying.count, !parts.contains(.null) else {
      return false
    }
    references[entity.index, default: []].append(content)
    return zip(entity.identifying, parts).allSatisfy { column, part in
      guard case .slot(let slot) = column else { return true }
      let target = context.schema.entities[entity.linkColumns[slot].destination]
      return add(part, of: target, to: &references)
    }
  }

  /// The number of levels of rows that are part of an entity's identity.
  private func identityDepth(of entity: CompiledEntity) -> Int {
    entity.identifyingLinks
      .map { 1 + identityDepth(of: context.schema.entities[$0.destination]) }.max() ?? 0
  }

  private mutating func findRows(
    of entities: Set<Int>, _ references: [Int: [FieldContent]]
  ) throws {
    var wanted: [Int: [UniqueKey]] = [:]
    let rows = recorded.rows.filter { entities.contains($0.node.entity.index) }
    for row in rows {
      if let key = uniqueKey(of: row) { wanted[row.node.entity.index, default: []].append(key) }
    }
    for index in entities {
      let entity = context.schema.entities[index]
      let keys = references[index, default: []].compactMap { uniqueKey($0, of: entity) }
      wanted[index, default: []] += keys
    }
    for (entity, keys) in wanted.sorted(by: { $0.key < $1.key }) {
      let entity = context.schema.entities[entity]
      var seen: Set<UniqueKey> = []
      let keys = keys.filter { seen.insert($0).inserted && entity.canHave($0) }
      let found =
        try keys.isEmpty ? [:] : context.handles(of: entity, with: entity.identifying, in: keys)
      for (key, rows) in found {
        guard rows.count == 1 else { throw severalRows(key, entity) }
        known[entity.index, default: [:]][key] = rows[0]
      }
    }
    for row in rows where handles[ObjectIdentifier(row)] == nil {
      let entity = row.node.entity
      let key = uniqueKey(of: row)
      if let key, let handle = known[entity.index]?[key] {
        handles[ObjectIdentifier(row)] = handle
        continue
      }
      let handle = context.graph.insert(entity)
      handles[ObjectIdentifier(row)] = handle
      new.insert(ObjectIdentifier(row))
      if let key { known[entity.index, default: [:]][key] = handle }
    }
  }

  private func uniqueKey(of row: GraphRow) -> UniqueKey? {
    // The row of a partial model has already been found.
    guard handles[ObjectIdentifier(row)] == nil else { return nil }
    let (node, entity) = (row.node, row.node.entity)
    if entity.uniqueAttribute != nil { return uniqueKey(row.key, of: entity) }
    return UniqueKey(
      zip(entity.identifying, node.unique).map { column, index in
        guard case .link(let link) = node.keys[index] else {
          return row.contents[index].flatMap { part($0, of: column, in: entity) }
        }
        switch row.target(of: link) {
        case .nothing: return nil
        case .key(let content): return part(content, of: column, in: entity)
        case .row(let target): return .row(context.graph[handle(of: target)].identity)
        }
      })
  }

  private func uniqueKey(_ content: FieldContent, of entity: CompiledEntity) -> UniqueKey? {
    if let unique = entity.uniqueAttribute {
      return UniqueKey(context.schema.stored(content, as: entity.attributes[unique].type))
    }
    let contents = entity.identifying.count == 1 ? [content] : content.elements
    guard contents.count == entity.identifying.count else { return nil }
    return UniqueKey(zip(contents, entity.identifying).map { part($0, of: $1, in: entity) })
  }

  /// Returns a part of a unique key. The part of a link is the linked row, which
  /// must have been found.
  private func part(
    _ content: FieldContent, of column: UniqueKeyColumn, in entity: CompiledEntity
  ) -> UniqueKey.Part? {
    switch column {
    case .attribute(let index):
      return UniqueKey.Part(context.schema.stored(content, as: entity.attributes[index].type))
    case .slot(let slot):
      let target = context.schema.entities[entity.linkColumns[slot].destination]
      return uniqueKey(content, of: target).flatMap { known[target.index]?[$0] }
        .map { .row(context.graph[$0].identity) }
    }
  }

  private func writeValues() throws {
    var failures: [ValidationFailure] = []
    for row in recorded.rows {
      let handle = handle(of: row)
      let contents = try merged(row.node.model, row, handle) ?? row.contents
      for (index, key) in row.node.keys.enumerated() {
        guard case .column(let attribute) = key else { continue }
        let content = try row.node.model.storedContent(contents[index], at: index, path: row.path)
        guard let content else { continue }
        guard let attribute else { throw undeclared(row.node.table.keys[index], row.node) }
        let declared = row.node.entity.attributes[attribute]
        let value = context.schema.stored(content, as: declared.type)
        failures += declared.failures(of: value, in: context.graph[handle].identity)
        context.graph.setValue(value, of: handle, attribute: attribute)
      }
    }
    if !failures.isEmpty { throw RowValidationError(failures: failures) }
  }

  /// Returns the contents of a row after applying the merge policies of the
  /// model, or nil if the mapping merges nothing.
  private func merged<Model: MappedModel>(
    _ model: Model.Type, _ row: GraphRow, _ handle: Int
  ) throws -> [FieldContent?]? {
    guard row.node.hasMerges, !new.contains(ObjectIdentifier(row)), let incoming = row.incoming
    else { return nil }
    var reader = RowContents(in: context)
    let stored = try reader.contents(of: handle, for: model.mapping.keys)
    // Keys that a partial model does not have keep their stored values.
    let whole = zip(zip(model.mapping.keys, incoming), stored).map { pair, stored in
      pair.0.isTransient ? nil : pair.1 ?? stored
    }
    let merged = try model.mapping.merge(whole, into: stored)
    return zip(incoming, merged).map { $0 == nil ? nil : $1 }
  }

  private func writeLinks() throws {
    try prepareLinks()
    var removed: [Int] = []
    for row in recorded.rows {
      let handle = handle(of: row)
      for link in row.node.links {
        guard let members = try members(of: link, in: row) else { continue }
        let relationship = link.relationship
        let old = context.graph.partners(of: handle, relationship)
        switch link.relation.linkPolicy {
        case .merge where relationship.isToMany:
          for member in members { context.graph.link(handle, relationship, to: member) }
        case .merge:
          context.graph.replace(handle, relationship, with: members)
        case .replace(let rule):
          context.graph.replace(handle, relationship, with: members)
          let linked = Set(members)
          if rule == .delete { removed += old.filter { !linked.contains($0) } }
        }
      }
    }
    let written = Set(handles.values)
    try context.delete(handles: removed.filter { !written.contains($0) })
  }

  /// Reads the links that linking depends on, for all rows together.
  private func prepareLinks() throws {
    var relationships: [(CompiledRelationship, owners: [Int], members: [Int])] = []
    var positions: [ObjectIdentifier: Int] = [:]
    let failures = WriteFailures { true }
    for row in recorded.rows {
      for link in row.node.links {
        let found: [Int]?
        do {
          found = try members(of: link, in: row)
        } catch {
          try failures.add(error, at: row.path)
          continue
        }
        guard let members = found else { continue }
        let id = ObjectIdentifier(link.relationship)
        let position = positions[id] ?? relationships.count
        if position == relationships.count {
          positions[id] = position
          relationships.append((link.relationship, [], []))
        }
        relationships[position].owners.append(handle(of: row))
        relationships[position].members += members
      }
    }
    try failures.check()
    for (relationship, owners, members) in relationships {
      try context.prepareLinks(relationship, owners: owners, members: members)
      let old = owners.flatMap { context.graph.partners(of: $0, relationship) }
      try context.prepareLinks(relationship, owners: owners, members: old)
    }
  }

  /// Returns the rows that a relation of the model links to, without
  /// duplicates. Returns nil if the model does not specify the links.
  private func members(of link: NodeLink, in row: GraphRow) throws -> [Int]? {
    var seen: Set<Int> = []
    guard let targets = row.targets(of: link) else { return nil }
    let members = try targets.map { target in
      switch target {
      case .nothing: nil as Int?
      case .row(let nested): handle(of: nested)
      case .key(let content): try handle(of: content, link, in: row)
      }
    }
    return members.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  private func handle(
    of reference: FieldContent, _ link: NodeLink, in row: GraphRow
  ) throws -> Int {
    let entity = context.schema.entities[link.relationship.destination]
    if let key = uniqueKey(reference, of: entity), let handle = known[entity.index]?[key] {
      return handle
    }
    throw danglingReference(reference, to: entity, row.path.appending(.key(link.name)))
  }

  private func danglingReference(
    _ content: FieldContent, to entity: CompiledEntity, _ path: FieldPath
  ) -> StoreError {
    StoreError(referenceBy: "\(path)", to: entity.name, "\(content)")
  }

  private func severalRows(_ key: UniqueKey, _ entity: CompiledEntity) -> StoreError {
    StoreError(
      .notUnique, subject: "`\(entity.name)`",
      reason: "several rows have the unique key \(key.content)",
      suggestion: "delete all but one")
  }

  private func undeclared(_ key: FieldKey, _ node: ModelNode) -> StoreError {
    StoreError(
      .invalidRequest, subject: "`\(node.name)`",
      reason: "`\(key.name)` is not "
        + (key.relation == nil ? "an attribute" : "a relationship") + " of the entity")
  }
}

extension FieldContent {
  /// The elements of an array, or no elements.
  fileprivate var elements: [FieldContent] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

extension CompiledEntity {
  /// Whether the columns that identify rows can store the values of a key.
  fileprivate func canHave(_ key: UniqueKey) -> Bool {
    if let uniqueAttribute { return attributes[uniqueAttribute].type.holds(key.content) }
    return zip(identifying, key.parts).allSatisfy { column, part in
      guard case .attribute(let index) = column else { return true }
      return attributes[index].type.holds(part.content)
    }
  }
}

extension MappedModel {
  fileprivate static func storedContent(
    _ content: FieldContent?, at index: Int, path: FieldPath
  ) throws -> FieldContent? {
    try content.map { try mapping.storedContent($0, at: index, path: path) }
  }
}
