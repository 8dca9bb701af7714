package import MohoMapping

/// Saves models with their nested models, in batches.
///
/// Rows are written batch by batch. After all models have been saved, links
/// that are stored in other rows or in link tables are written, and rows that
/// are no longer linked are removed. A row that moves from one owner to another
/// is therefore never without an owner.
///
/// After an invalid model, the other models are only validated, because the rows
/// that they refer to may be missing. After a row that violates a constraint, the
/// rows that do not lead to it are written.
package final class GraphWriter<Model: MappedModel> {
  /// The maximum number of models in memory, with their nested models.
  private static var batchSize: Int { 500 }

  let statements: any GraphStatements
  let failures: WriteFailures
  let schema: CompiledSchema
  let root: ModelNode
  /// The nodes in writing order: rows are written before other rows look
  /// them up.
  let order: [ModelNode]
  /// The nodes with links that are written after all rows, in writing order.
  private let nodesWithDeferredLinks: [(node: ModelNode, links: [NodeLink])]
  private var writers: [ObjectIdentifier: any NodeRowWriter] = [:]
  private var links: [any LinkRowWriter] = []
  var report = SaveReport()
  let deferredRows: DeferredRows?
  private var batchCount = 0
  private(set) var merging: StoredMerging?

  /// - Parameter rootLog: The log for the rows of the root model, if another
  ///   writer of the call also writes these rows. Each row is then counted once.
  package init(
    _ statements: any GraphStatements, _ schema: Schema, repeating: RepeatedRows<RepeatedNodeKeys>,
    rootLog: SavedRowLog? = nil
  ) throws {
    self.statements = statements
    failures = statements.failures
    self.schema = schema.compiled
    root = try schema.compiled.node(of: Model.self)
    deferredRows = if case .deferred(let keys) = repeating { DeferredRows(keys) } else { nil }
    let isDetecting = if case .detected = repeating { true } else { false }
    let plan = try WriteOrder(
      schema.compiled.nodes(reachableFrom: Model.self), schema.compiled)
    order = plan.nodes
    nodesWithDeferredLinks = plan.nodes.compactMap { node in
      plan.deferred[ObjectIdentifier(node)]
        .map { deferred in (node, node.links.filter { deferred.contains($0.index) }) }
    }
    for node in order {
      // If models are merged with stored models, a row may change with each
      // batch.
      let detects = isDetecting && !node.mergesInMemory
      let log = detects || rootLog != nil ? SavedRowLog(detectsRepetitions: detects) : nil
      writers[ObjectIdentifier(node)] = try statements.nodeWriter(
        node, deferring: plan.deferred[ObjectIdentifier(node)] ?? [],
        log: node === root ? rootLog ?? log : log)
    }
  }

  /// - Parameters:
  ///   - models: The models.
  ///   - first: The index of the first model in the list of all models, for
  ///     messages. Nil if there is no list.
  /// - Returns: The rows of the models. They are not all written if there are errors.
  @discardableResult
  package func save(_ models: [Model], from first: Int?) throws -> [GraphRow] {
    let mergesModels = order.contains { $0.mergesInMemory && !$0.mergesRows }
    var invalid: Set<Int> = []
    var batch = GraphBatch(schema, mergesRows: !mergesModels)
    try record(
      models, from: first, in: GraphRecording(schema, for: batch, validatesModels: !mergesModels),
      skipping: &invalid)
    if order.contains(where: \.mergesInMemory) {
      let merging = try storedModels(of: batch)
      if mergesModels {
        batch = GraphBatch(schema)
        try record(
          models, from: first, in: GraphRecording(schema, for: batch, merging: merging),
          skipping: &invalid)
      } else {
        try mergeRows(of: batch, into: merging)
      }
      self.merging = deferredRows == nil ? nil : merging
    }
    if failures.hasInvalidModels { return [] }
    assignOwners(in: batch)
    try write([batch])
    return batch.rows(of: root)
  }

  /// - Parameter invalid: The indexes of invalid models.
  private func record(
    _ models: [Model], from first: Int?, in recording: GraphRecording,
    skipping invalid: inout Set<Int>
  ) throws {
    for (index, model) in models.enumerated() where !invalid.contains(index) {
      let path = FieldPath(first.map { [.index($0 + index)] } ?? [])
      do {
        try recording.record(model, at: path)
      } catch {
        try failures.add((error as? MappingError)?.locating(at: path) ?? error)
        invalid.insert(index)
      }
    }
  }

  /// Writes the links of all saved models.
  ///
  /// - Throws: The errors of the call.
  package func finish() throws -> SaveReport {
    if failures.hasInvalidModels { try failures.check() }
    try writeDeferredRows()
    try failures.check()
    for writer in links { try writer.write(&report) }
    return report
  }

  /// Writes the rows of batches, and then those of partial models.
  ///
  /// - Parameter partials: The row of the partial model of each batch, if the batches have the
  ///   nested models of partial models.
  func write(_ batches: [GraphBatch], then partials: [GraphRow] = []) throws {
    batchCount += 1
    func rows(of node: ModelNode) -> [GraphRow] { batches.flatMap { $0.rows(of: node) } }
    for node in order {
      let rows = failures.writable(rows(of: node))
      guard !rows.isEmpty, let writer = writers[ObjectIdentifier(node)] else { continue }
      try writer.save(rows, onlyInserting: isDeferred, batch: batchCount)
      guard let deferredRows else { continue }
      for row in failures.writable(rows) where deferredRows.isRepeated(row) {
        deferredRows.add(row, isNew: row.outcome == .inserted)
      }
    }
    for (node, links) in nodesWithDeferredLinks {
      let rows = failures.writable(rows(of: node)).filter { row in
        row.outcome == .inserted ? links.contains { row.needs($0) } : !isDeferred(row)
      }
      guard !rows.isEmpty, let writer = writers[ObjectIdentifier(node)] else { continue }
      try writer.saveDeferredLinks(of: rows, batch: batchCount)
    }
    if !partials.isEmpty, failures.isEmpty {
      try writers[ObjectIdentifier(root)]?.update(partials)
    }
    var linked: Set<Int> = []
    for node in order {
      for link in node.links {
        var owners = batches.map { $0.owners(of: link, node) }
        if node === root, !partials.isEmpty,
          owners.contains(where: { $0.contains { $0.members[link.index] != nil } })
        {
          // The rows of a partial model follow those of its nested models.
          for (index, row) in partials.enumerated() { owners[index].append(row) }
          linked.insert(link.index)
        }
        try saveLinks(of: owners.flatMap { $0 }, link, node)
      }
      count(rows(of: node))
    }
    for link in root.links where !partials.isEmpty && !linked.contains(link.index) {
      try saveLinks(of: partials, link, root)
    }
    count(partials)
  }

  /// Collects the links of rows.
  private func saveLinks(of rows: [GraphRow], _ link: NodeLink, _ node: ModelNode) throws {
    if link.storage == .column { return }
    let linked = rows.filter { $0.members[link.index] != nil && $0.written?.hasFailed != true }
    let owners = failures.writable(linked, linkedBy: link)
    if owners.isEmpty { return }
    for owner in owners where owner.rowID == nil { owner.rowID = owner.written?.rowID }
    try linkWriter(link, of: node).save(owners)
  }

  private func count(_ rows: [GraphRow]) {
    for row in rows {
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
      try writer.save(
        failures.writable(deferredRows.rows(of: node)), onlyInserting: { _ in false },
        batch: batchCount)
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      let rows = failures.writable(deferredRows.rows(of: node))
      try writer.saveDeferredLinks(of: rows, batch: batchCount)
      for row in rows {
        if row.outcome == .updated, !deferredRows.isNew(row) { report.countUpdateOfUnchanged() }
      }
    }
  }

  func assignOwners(in batch: GraphBatch) {
    for node in order {
      for link in node.links { assignOwners(batch.owners(of: link, node), link) }
    }
  }

  /// Sets the owners of the rows that store the links of other rows.
  func assignOwners(_ rows: [GraphRow], _ link: NodeLink) {
    guard case .inverseColumn(let inverse, _) = link.storage else { return }
    for row in rows {
      for case .row(let member) in row.members[link.index] ?? [] {
        member.owners[inverse] = .row(row.written ?? row)
      }
    }
  }

  private func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter {
    if let writer = links.first(where: { $0.link.label == link.label }) { return writer }
    let writer = try statements.linkWriter(link, of: node)
    links.append(writer)
    return writer
  }
}

extension GraphWriter {
  /// Calls a closure with batches of models and the index of the first model in
  /// each batch.
  private static func forEachBatch(
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

  /// Saves models in batches, and their links.
  ///
  /// - Parameters:
  ///   - isList: Whether errors contain the position of a model.
  ///   - mirrored: Receives the rows of the models.
  /// - Returns: The report, and the number of models.
  package func save(
    all models: some Sequence<Model>, isList: Bool, mirrored: (any MirroredRows)?,
    _ meter: ImportMeter?
  ) throws -> (report: SaveReport, count: Int) {
    let total = meter == nil ? nil : (models as? any Collection)?.count
    var count = 0
    try Self.forEachBatch(of: models) { batch, start in
      let rows = try save(batch, from: isList ? start : nil)
      if failures.isEmpty { try mirrored?.retain(rows) }
      count = start + batch.count
      if let meter, count >= meter.next { try meter.report(count, of: total) }
    }
    return (try finish(), count)
  }

  /// Returns the unique keys, by model, of rows that occur in several batches.
  package static func repeatedKeys(
    of models: some Sequence<Model>, _ statements: any GraphStatements, _ schema: Schema
  ) throws -> RepeatedNodeKeys {
    let reachable = try schema.compiled.nodes(reachableFrom: Model.self)
    var known: RepeatedNodeKeys = [:]
    var repeated: RepeatedNodeKeys = [:]
    try forEachBatch(of: models) { models, start in
      let batch = GraphBatch(schema.compiled)
      let recording = GraphRecording(schema.compiled, for: batch, validatesModels: false)
      for (index, model) in models.enumerated() {
        do {
          try recording.record(model, at: FieldPath([.index(start + index)]))
        } catch is MappingError {
          // The model is reported when it is saved.
        }
      }
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

extension GraphRow {
  /// Whether the column of a link must be written after the row was inserted without it.
  fileprivate func needs(_ link: NodeLink) -> Bool {
    if case .nothing = target(of: link) { !link.relationship.isOptional } else { true }
  }
}
