package import MohoMapping

/// Records models as rows and links between the rows.
///
/// The recording does not access a database. A database or a context writes the
/// rows.
package final class GraphRecording {
  /// The destination of the rows.
  package enum Destination {
    /// A database. The values must be storable in columns. Models with the same
    /// unique key become one row.
    case database
    /// An editing context. It validates values when they are set, and writes
    /// the models one by one.
    case context
  }

  let schema: CompiledSchema
  let destination: Destination
  /// Whether models are validated now. Models that are merged later are not.
  let validatesModels: Bool
  /// The rows for a database.
  package let batch: GraphBatch
  /// The rows for a context. Nested rows precede the rows that contain them.
  private(set) var rows: [GraphRow] = []
  private let merging: StoredMerging?
  /// Returns the value that a column stores for a content.
  let storedContent: ContentConversion?
  private var targets: [ObjectIdentifier: ModelNode] = [:]

  package init(
    _ schema: CompiledSchema, for destination: Destination = .database,
    merging: StoredMerging? = nil, validatesModels: Bool = true, mergesRows: Bool = false,
    storedContent: ContentConversion? = nil
  ) {
    self.storedContent = storedContent
    self.schema = schema
    self.destination = destination
    self.merging = merging
    self.validatesModels = validatesModels
    batch = GraphBatch(mergesRows: mergesRows)
  }

  deinit { for row in rows { row.unlink() } }

  /// Merges the recorded rows of nodes that merge rows, and validates the results.
  func mergeRows(into merging: StoredMerging, _ failures: WriteFailures) throws {
    for row in batch.mergedRows {
      do {
        if let policies = row.node.rowMerges {
          // Other rows have been validated alone.
          if merging.merge(row, by: policies) {
            try row.node.model.validate(stored: row.contents, path: row.path)
          } else if let failure = row.failure {
            throw failure
          }
        } else {
          let recorder = GraphRecorder(row, self, path: row.path, validatesModels: true)
          try merging.merge(row.node.model, at: row.path, stored: row.contents, to: recorder)
        }
      } catch {
        try failures.add((error as? MappingError)?.locating(at: row.path) ?? error)
        continue
      }
      row.written?.contents = row.contents
    }
  }

  /// Returns the unique keys of the recorded rows whose stored rows are needed to merge them.
  func keysToMerge(of node: ModelNode) -> [FieldContent] {
    guard batch.mergesRows, let policies = node.rowMerges else {
      return batch.rows(of: node).map(\.key).filter { $0 != .null }
    }
    var seen: Set<UniqueKey> = []
    return batch.mergedRows.compactMap { row in
      guard row.node === node, let key = UniqueKey(row.key), seen.insert(key).inserted,
        policies.contains(where: { $1 == .stored || row.contents[$0] == .null })
      else { return nil }
      return row.key
    }
  }

  /// Adds the stored models with some unique keys, into which models of the recording are
  /// merged.
  func load<Model: MappedModel>(
    _ model: Model.Type, _ keys: [FieldContent], from statements: any GraphStatements,
    into merging: StoredMerging
  ) throws {
    let node = try schema.node(of: model)
    for model in try statements.models(of: model, with: keys) {
      guard batch.mergesRows, node.rowMerges != nil else {
        try merging.add(model)
        continue
      }
      let row = GraphRow(node, at: FieldPath([]))
      let recorder = GraphRecorder(row, self, path: row.path, validatesModels: false)
      try Model.mapping.encode(model, to: recorder)
      merging.add(row)
    }
  }

  /// Records the fields of a row that is merged later. A model that may be valid then keeps
  /// its failure.
  private func recordMerged(
    _ row: GraphRow, depth: Int = 1, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    func recorder(validating validatesModels: Bool) -> GraphRecorder {
      GraphRecorder(row, self, path: row.path, depth: depth, validatesModels: validatesModels)
    }
    guard row.node.rowMerges != nil else { return try body(recorder(validating: false)) }
    do {
      try body(recorder(validating: true))
    } catch {
      try body(recorder(validating: false))
      row.failure = error
    }
  }

  /// Records a model that is not nested in another.
  @discardableResult
  package func record<Model: MappedModel>(_ model: Model, at path: FieldPath) throws -> GraphRow {
    let mapping = Model.mapping
    let row = GraphRow(try schema.node(of: Model.self), at: path)
    var model = model
    if row.node.hasMerges {
      if destination == .context {
        let encoder = FieldRecorder(keys: mapping.fieldKeys, path: path)
        row.incoming = try mapping.contents(
          of: mapping.validated(model, writtenTo: encoder), path: path)
      }
      if let merging, row.node.mergesInMemory { model = try merging.merge(model) }
    }
    if batch.isMerged(row) {
      try recordMerged(row) { try mapping.encode(model, to: $0) }
    } else {
      try mapping.encode(
        model, to: GraphRecorder(row, self, path: path, validatesModels: validatesModels))
    }
    return try add(row)
  }

  /// Records a partial model.
  ///
  /// - Returns: The row. For a database, it is not added to the recorded rows.
  package func record<Model: MappedModel>(_ partial: Partial<Model>) throws -> GraphRow {
    let row = GraphRow(try schema.node(of: Model.self), at: FieldPath([]))
    // A context validates a partial model before it is recorded, to report all errors.
    let recorder = GraphRecorder(
      row, self, path: row.path, validatesModels: destination == .database && validatesModels,
      isPartial: true)
    try Model.mapping.encode(partial, to: recorder)
    do {
      try addMembers(identifiedBy: row, to: row)
    } catch {
      row.unlink()
      throw error
    }
    if destination == .context { rows.append(row) }
    return row
  }

  /// Records a nested model.
  ///
  /// - Returns: The row. If the row is identified by its owner, it is added when
  ///   the owner is.
  func record(
    _ link: NodeLink, at path: FieldPath, depth: Int,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> GraphRow {
    let row = GraphRow(try target(of: link), at: path)
    if batch.isMerged(row) {
      // The row has no links.
      try recordMerged(row, depth: depth, body)
      return try add(row)
    }
    let recorder = GraphRecorder(
      row, self, path: path, depth: depth, validatesModels: validatesModels)
    let isIdentified = link.relationship.identifiesDestination
    if row.node.hasMerges, destination == .context {
      let contents = try row.node.model.contents(at: path, writtenBy: body)
      row.incoming = try row.node.model.validated(contents, path: path)
    }
    if row.node.mergesInMemory, let merging {
      let contents = try row.node.model.contents(at: path, writtenBy: body)
      if isIdentified {
        row.incoming = contents
      } else {
        try merging.merge(row.node.model, at: path, contents, to: recorder)
      }
    } else {
      // Called for each level of nested models: one more function would need more stack.
      try body(recorder)
    }
    removeInverse(of: link, from: row)
    return isIdentified ? row : try add(row)
  }

  /// Adds the rows that are identified by their links to an owner.
  ///
  /// - Parameters:
  ///   - owner: The row with the links.
  ///   - added: The row of the recording that the owner has become.
  private func addMembers(identifiedBy owner: GraphRow, to added: GraphRow) throws {
    for link in owner.node.identifiedMembers {
      guard case .inverseColumn(let inverse, _) = link.storage,
        let members = owner.members[link.index]
      else { continue }
      var seen: Set<ObjectIdentifier> = []
      let linked = link.relation.addsLinks ? owner : added
      linked.members[link.index] = try members.compactMap { member in
        guard case .row(let row) = member else { return member }
        row.owners[inverse] = .row(added)
        if destination == .database { try merge(row, ownedBy: added, inverse) }
        let member = try add(row)
        return seen.insert(ObjectIdentifier(member)).inserted ? .row(member) : nil
      }
    }
  }

  /// Merges a row whose identity was not known when it was recorded.
  private func merge(_ row: GraphRow, ownedBy owner: GraphRow, _ inverse: String) throws {
    guard let merging, let contents = row.incoming,
      let index = row.node.links.first(where: { $0.name == inverse })?.index
    else { return }
    row.incoming = nil
    try merging.merge(
      row.node.model, at: row.path, contents, owner: (index, owner.key),
      to: GraphRecorder(row, self, path: row.path, validatesModels: validatesModels))
  }

  /// Removes a nested model's links to the model that contains it, because the
  /// containing model decides about the link. For a context, only empty links
  /// are removed.
  private func removeInverse(of link: NodeLink, from row: GraphRow) {
    guard let inverse = link.relationship.inverse,
      let back = row.node.links.first(where: { $0.relationship.index == inverse })
    else { return }
    switch destination {
    case .database: row.members[back.index] = nil
    case .context:
      if link.relationship.identifiesDestination || row.targets(of: back)?.isEmpty == true {
        row.toOneTargets[back.index] = nil
        row.members[back.index] = nil
      }
    }
  }

  private func add(_ row: GraphRow) throws -> GraphRow {
    let added = destination == .database ? batch.add(row) : row
    try addMembers(identifiedBy: row, to: added)
    if destination == .context { rows.append(row) }
    return added
  }

  private func target(of link: NodeLink) throws -> ModelNode {
    let model = ObjectIdentifier(link.target)
    if let known = targets[model] { return known }
    let target = try schema.node(of: link.target)
    targets[model] = target
    return target
  }
}

extension MappedModel {
  fileprivate static func contents(
    at path: FieldPath, writtenBy body: (any FieldEncoder) throws -> Void
  ) throws -> [FieldContent?] {
    try mapping.contents(at: path, writtenBy: body)
  }

  fileprivate static func validate(stored contents: [FieldContent?], path: FieldPath) throws {
    _ = try mapping.model(
      from: ContentDecoder(stored: contents, path: path, keys: mapping.fieldKeys))
  }

  fileprivate static func validated(
    _ contents: [FieldContent?], path: FieldPath
  ) throws -> [FieldContent?] {
    try mapping.validated(contents, path: path)
  }
}
