import MohoMapping

/// Records models as rows and links between the rows.
///
/// The recording does not access a database. A database or a context writes the
/// rows.
final class GraphRecording {
  let schema: CompiledSchema
  let destination: any GraphDestination
  /// Whether models are validated now. Models that are merged later are not.
  let validatesModels: Bool
  private let merging: StoredMerging?
  private var targets: [ObjectIdentifier: ModelNode] = [:]

  init(
    _ schema: CompiledSchema, for destination: any GraphDestination,
    merging: StoredMerging? = nil, validatesModels: Bool = true
  ) {
    self.schema = schema
    self.destination = destination
    self.merging = merging
    self.validatesModels = validatesModels
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
  func record<Model: MappedModel>(_ model: Model, at path: FieldPath) throws -> GraphRow {
    let mapping = Model.mapping
    let row = GraphRow(try schema.node(of: Model.self), at: path)
    var model = model
    if row.node.hasMerges {
      if destination.mergesWrittenRows {
        let encoder = FieldRecorder(keys: mapping.fieldKeys, path: path)
        row.incoming = try mapping.contents(
          of: mapping.validated(model, writtenTo: encoder), path: path)
      }
      if let merging, row.node.mergesInMemory { model = try merging.merge(model) }
    }
    if destination.isMerged(row) {
      try recordMerged(row) { try mapping.encode(model, to: $0) }
    } else {
      try mapping.encode(
        model, to: GraphRecorder(row, self, path: path, validatesModels: validatesModels))
    }
    return try add(row)
  }

  /// Records a partial model.
  ///
  /// - Parameter validatesModels: Whether to validate the values that are present.
  /// - Returns: The row, which is not added to those of the destination.
  func record<Model: MappedModel>(
    _ partial: Partial<Model>, validatesModels: Bool = true
  ) throws -> GraphRow {
    let row = GraphRow(try schema.node(of: Model.self), at: FieldPath([]))
    let recorder = GraphRecorder(
      row, self, path: row.path, validatesModels: validatesModels, isPartial: true)
    try Model.mapping.encode(partial, to: recorder)
    do {
      try addMembers(identifiedBy: row, to: row)
    } catch {
      row.unlink()
      throw error
    }
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
    if destination.isMerged(row) {
      // The row has no links.
      try recordMerged(row, depth: depth, body)
      return try add(row)
    }
    let recorder = GraphRecorder(
      row, self, path: path, depth: depth, validatesModels: validatesModels)
    let isIdentified = link.relationship.identifiesDestination
    if row.node.hasMerges, destination.mergesWrittenRows {
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
        try merge(row, ownedBy: added, inverse)
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

  /// Removes links of a nested model to the model that contains it.
  private func removeInverse(of link: NodeLink, from row: GraphRow) {
    guard let inverse = link.relationship.inverse,
      let back = row.node.links.first(where: { $0.relationship.index == inverse })
    else { return }
    destination.remove(back, of: row, against: link)
  }

  private func add(_ row: GraphRow) throws -> GraphRow {
    let added = destination.add(row)
    try addMembers(identifiedBy: row, to: added)
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

  fileprivate static func validated(
    _ contents: [FieldContent?], path: FieldPath
  ) throws -> [FieldContent?] {
    try mapping.validated(contents, path: path)
  }
}
