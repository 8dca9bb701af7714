import GRDB
import MohoMapping
import MohoRows

/// Saves models with their nested models, in batches.
///
/// Rows are written batch by batch. After all models have been saved, links
/// that are stored in other rows or in link tables are written, and rows that
/// are no longer linked are removed. A row that moves from one owner to another
/// is therefore never without an owner.
/// that moves between owners always has one.
final class GraphWriter<Model: MappedModel> {
  /// The maximum number of models in memory, with their nested models.
  static var batchSize: Int { 500 }

  private let database: Database
  private let schema: Schema
  private let root: ModelBinding
  /// The bindings in writing order: rows are written before other rows look
  /// them up.
  private let order: [ModelBinding]
  private var writers: [ObjectIdentifier: NodeWriter] = [:]
  private var links: [LinkWriter] = []
  private var lookup: RowLookup?
  private var report = SaveReport()
  private let deferredRows: DeferredRows?
  private var batchCount = 0
  private var merging: StoredMerging?

  /// The report so far.
  var counted: SaveReport { report }

  /// - Parameter rootLog: The log for the rows of the root model, if other
  ///   calls also write these rows.
  init(
    _ database: Database, _ schema: Schema, repeating: RepeatedRows<RepeatedNodeKeys>,
    rootLog: SavedRowLog? = nil
  ) throws {
    self.database = database
    self.schema = schema
    root = try schema.compiled.binding(of: Model.self)
    deferredRows = if case .deferred(let keys) = repeating { DeferredRows(keys) } else { nil }
    let isDetecting = if case .detected = repeating { true } else { false }
    let plan = try WriteOrder(
      schema.compiled.bindings(reachableFrom: Model.self), schema.compiled)
    order = plan.nodes
    for node in order {
      // If models are merged with stored models, a row may change with each
      // batch.
      let isLogged = isDetecting && !node.hasMerges
      let log = isLogged ? (node === root ? rootLog : nil) ?? SavedRowLog() : nil
      writers[ObjectIdentifier(node)] = try NodeWriter(
        node, deferring: plan.deferred[ObjectIdentifier(node)] ?? [], schema.compiled, database,
        log: log)
    }
  }

  /// - Parameters:
  ///   - models: The models.
  ///   - first: The index of the first model in the list of all models, for
  ///     messages. Nil if there is no list.
  ///   - scope: The scope that receives the row of each model.
  func save(_ models: [Model], from first: Int?, recordingIn scope: MirrorScope?) throws {
    let merges = order.contains(where: \.hasMerges)
    let incoming = GraphRecording(schema.compiled, validatesModels: !merges)
    var batch = try Self.record(models, from: first, in: incoming)
    if merges {
      let merging = try StoredMerging(
        batch, order, database, schema, after: deferredRows?.deferredModels(of: self.merging))
      batch = try Self.record(
        models, from: first, in: GraphRecording(schema.compiled, merging: merging))
      self.merging = deferredRows == nil ? nil : merging
    }
    try write(batch)
    if let scope {
      for row in batch.rows(of: root) { try scope.retain(.row(row)) }
    }
  }

  private static func record(
    _ models: [Model], from first: Int?, in recording: GraphRecording
  ) throws -> GraphBatch {
    for (index, model) in models.enumerated() {
      try recording.record(model, at: FieldPath(first.map { [.index($0 + index)] } ?? []))
    }
    return recording.batch
  }

  /// Updates the row of a partial model, which must contain its unique key.
  func update(_ partial: Partial<Model>) throws {
    batchCount += 1
    let recording = GraphRecording(schema.compiled)
    let row = try recording.record(partial)
    guard try isStored(row) else { return report.count(.missing) }
    assignOwners(row)
    try write(recording.batch, then: row)
  }

  /// Writes the links of all saved models.
  func finish() throws -> SaveReport {
    try writeDeferredRows()
    for writer in links { try writer.write(&report) }
    return report
  }

  private func isStored(_ row: GraphRow) throws -> Bool {
    if root.unique.isEmpty { return false }
    let lookup = try self.lookup ?? RowLookup(root, schema.compiled, database)
    self.lookup = lookup
    return try lookup.contains(row.key)
  }

  private func write(_ batch: GraphBatch, then partial: GraphRow? = nil) throws {
    batchCount += 1
    for node in order {
      for row in batch.rows(of: node) { assignOwners(row) }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in batch.rows(of: node) {
        if let deferredRows, deferredRows.isRepeated(row) {
          try deferredRows.add(row, isNew: writer.saveIfNew(row))
        } else {
          try writer.save(row, batch: batchCount)
        }
      }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in batch.rows(of: node) where row.outcome == .inserted || !isDeferred(row) {
        try writer.saveDeferredLinks(of: row, batch: batchCount)
      }
    }
    if let partial { try writers[ObjectIdentifier(root)]?.update(partial) }
    for row in order.flatMap({ batch.rows(of: $0) }) + (partial.map { [$0] } ?? []) {
      for link in row.node.links {
        if let members = row.members[link.index] {
          try linkWriter(link, of: row.node).save(row, members)
        }
      }
      report.count(row.outcome)
      for _ in 0..<row.repetitions { report.count(.unchanged) }
    }
  }

  private func isDeferred(_ row: GraphRow) -> Bool { deferredRows?.isRepeated(row) ?? false }

  /// Writes each row that occurs in several batches once, with the values of
  /// the last batch.
  private func writeDeferredRows() throws {
    guard let deferredRows else { return }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in deferredRows.rows(of: node) { try writer.save(row, batch: batchCount) }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in deferredRows.rows(of: node) {
        try writer.saveDeferredLinks(of: row, batch: batchCount)
        if row.outcome == .updated, !deferredRows.isNew(row) { report.countUpdateOfUnchanged() }
      }
    }
  }

  /// Sets the owners of nested rows.
  private func assignOwners(_ row: GraphRow) {
    for link in row.node.links {
      guard case .inverseColumn(let inverse, _) = link.storage else { continue }
      for case .row(let member) in row.members[link.index] ?? [] {
        member.owners[inverse] = .row(row)
      }
    }
  }

  private func linkWriter(_ link: LinkBinding, of node: ModelBinding) throws -> LinkWriter {
    if let writer = links.first(where: { $0.link.label == link.label }) { return writer }
    let writer = try LinkWriter(link, of: node, schema.compiled, database)
    links.append(writer)
    return writer
  }
}

extension GraphWriter {
  /// Calls a closure with batches of models and the index of the first model in
  /// each batch.
  static func forEachBatch(
    of models: some Sequence<Model>, _ body: ([Model], Int) throws -> Void
  ) throws {
    var batch: [Model] = []
    var count = 0
    for model in models {
      batch.append(model)
      if batch.count < batchSize { continue }
      try body(batch, count)
      count += batch.count
      batch.removeAll(keepingCapacity: true)
    }
    try body(batch, count)
  }

  /// Returns the unique keys, by model, of rows that occur in several batches.
  static func repeatedKeys(
    of models: some Sequence<Model>, _ database: Database, _ schema: Schema
  ) throws -> RepeatedNodeKeys {
    let reachable = try schema.compiled.bindings(reachableFrom: Model.self)
    var known: RepeatedNodeKeys = [:]
    var repeated: RepeatedNodeKeys = [:]
    try forEachBatch(of: models) { models, start in
      let recording = GraphRecording(schema.compiled, validatesModels: false)
      let batch = try record(models, from: start, in: recording)
      for node in reachable {
        for row in batch.rows(of: node) {
          guard let key = UniqueKey(row.key) else { continue }
          if !known[ObjectIdentifier(node.model), default: []].insert(key).inserted {
            repeated[ObjectIdentifier(node.model), default: []].insert(key)
          }
        }
      }
    }
    return repeated
  }
}

/// The order in which the models of a batch are written.
private struct WriteOrder {
  private(set) var nodes: [ModelBinding] = []
  /// The links of each binding that are part of a cycle, by the indexes of
  /// their keys. Their columns are written after all rows have been written.
  private(set) var deferred: [ObjectIdentifier: Set<Int>] = [:]
  private var visiting: Set<ObjectIdentifier> = []
  /// The models whose rows are part of the identity of each binding's rows.
  private var identifying: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]

  init(_ reachable: [ModelBinding], _ schema: CompiledSchema) throws {
    let all = Set(reachable.map { ObjectIdentifier($0) })
    for node in reachable { try addIdentifying(node, schema) }
    for node in reachable { try visit(node, all, schema) }
  }

  /// Adds the models that a binding's rows are identified by, directly or
  /// through others.
  @discardableResult
  private mutating func addIdentifying(
    _ node: ModelBinding, _ schema: CompiledSchema
  ) throws -> Set<ObjectIdentifier> {
    if let known = identifying[ObjectIdentifier(node)] { return known }
    var models: Set<ObjectIdentifier> = []
    for link in node.links where node.unique.contains(link.index) {
      let target = try schema.binding(of: link.target)
      models.formUnion(try addIdentifying(target, schema))
      models.insert(ObjectIdentifier(target))
    }
    identifying[ObjectIdentifier(node)] = models
    return models
  }

  private mutating func visit(
    _ node: ModelBinding, _ all: Set<ObjectIdentifier>, _ schema: CompiledSchema
  ) throws {
    let id = ObjectIdentifier(node)
    guard !nodes.contains(where: { $0 === node }), visiting.insert(id).inserted else { return }
    for link in node.links where link.storage == .column {
      let target = try schema.binding(of: link.target)
      // If the key is the identity, no lookup is needed.
      guard !target.entity.isKeyedByIdentity, all.contains(ObjectIdentifier(target)) else {
        continue
      }
      // Identifying links are never deferred: the row is found by them.
      let isNeeded = !identifying[ObjectIdentifier(target), default: []].isDisjoint(with: visiting)
      if visiting.contains(ObjectIdentifier(target)) || isNeeded {
        deferred[id, default: []].insert(link.index)
      } else {
        try visit(target, all, schema)
      }
    }
    visiting.remove(id)
    nodes.append(node)
  }
}
