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
  package let batch = GraphBatch()
  /// The rows for a context. Nested rows precede the rows that contain them.
  private(set) var rows: [GraphRow] = []
  private let merging: StoredMerging?
  private var targets: [ObjectIdentifier: ModelBinding] = [:]

  package init(
    _ schema: CompiledSchema, for destination: Destination = .database,
    merging: StoredMerging? = nil, validatesModels: Bool = true
  ) {
    self.schema = schema
    self.destination = destination
    self.merging = merging
    self.validatesModels = validatesModels
  }

  /// Records a model that is not nested in another.
  @discardableResult
  package func record<Model: MappedModel>(_ model: Model, at path: FieldPath) throws -> GraphRow {
    let mapping = Model.mapping
    let row = GraphRow(try schema.binding(of: Model.self), at: path)
    var model = model
    if row.node.hasMerges {
      if destination == .context {
        let encoder = FieldRecorder(keys: mapping.mappingKeys, path: path)
        row.incoming = try mapping.contents(
          of: mapping.validated(model, writtenTo: encoder), path: path)
      }
      if let merging { model = try merging.merge(model) }
    }
    try mapping.encode(model, to: GraphRecorder(row, self, path: path))
    return add(row)
  }

  /// Records a partial model.
  ///
  /// - Returns: The row. For a database, it is not added to the recorded rows.
  package func record<Model: MappedModel>(_ partial: Partial<Model>) throws -> GraphRow {
    let row = GraphRow(try schema.binding(of: Model.self), at: FieldPath([]))
    let recorder = GraphRecorder(row, self, path: row.path, isPartial: true)
    try Model.mapping.encode(partial, to: recorder)
    if destination == .context { rows.append(row) }
    return row
  }

  /// Records a nested model.
  func record(
    _ link: LinkBinding, at path: FieldPath, depth: Int,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> GraphRow {
    let row = GraphRow(try target(of: link), at: path)
    let recorder = GraphRecorder(row, self, path: path, depth: depth)
    if row.node.hasMerges, destination == .context {
      row.incoming = try contents(of: row.node.model, at: path, body)
    }
    if row.node.hasMerges, let merging {
      try merging.merge(row.node, at: path, body, to: recorder)
    } else {
      try body(recorder)
    }
    removeInverse(of: link, from: row)
    return add(row)
  }

  private func contents<Model: MappedModel>(
    of model: Model.Type, at path: FieldPath, _ body: (any FieldEncoder) throws -> Void
  ) throws -> [FieldContent?] {
    let table = Model.mapping.mappingKeys
    let recorder = FieldRecorder(keys: table, path: path)
    try body(recorder)
    var rest = recorder.contents[...]
    let contents = table.keys.map { $0.isTransient ? nil : rest.popFirst() }
    return try Model.mapping.validated(contents, path: path)
  }

  /// Removes a nested model's links to the model that contains it, because the
  /// containing model decides about the link. For a context, only empty links
  /// are removed.
  private func removeInverse(of link: LinkBinding, from row: GraphRow) {
    guard let inverse = link.relationship.inverse,
      let back = row.node.links.first(where: { $0.relationship.index == inverse })
    else { return }
    switch destination {
    case .database: row.members[back.index] = nil
    case .context:
      if row.targets(of: back)?.isEmpty == true {
        row.ones[back.index] = nil
        row.members[back.index] = nil
      }
    }
  }

  private func add(_ row: GraphRow) -> GraphRow {
    if destination == .database { return batch.add(row) }
    rows.append(row)
    return row
  }

  private func target(of link: LinkBinding) throws -> ModelBinding {
    let model = ObjectIdentifier(link.target)
    if let known = targets[model] { return known }
    let target = try schema.binding(of: link.target)
    targets[model] = target
    return target
  }
}
