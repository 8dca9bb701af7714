package import MohoMapping

extension GraphWriter {
  /// The maximum number of partial models of ``update(_:)``.
  package var partialBatchSize: Int { statements.partialBatchSize }

  /// Updates the rows of partial models, which must contain their unique keys, in order. Their
  /// errors are added to those of the call.
  ///
  /// - Parameter partials: The partial models, with their positions in the call.
  /// - Returns: Whether each partial model has a row.
  /// - Throws: A ``FailedBatch`` if there are several partial models and one of them cannot be
  ///   written, and errors that ``WriteFailures`` does not add.
  package func update(_ partials: [(partial: Partial<Model>, index: Int)]) throws -> [Bool] {
    if partials.count == 1 { return [try update(partials[0].partial, at: partials[0].index)] }
    let graphs = partials.map { item in Result { try graph(of: item.partial) } }
    var isStored = try asBatch { try contains(graphs.map { try? $0.get() }) }
    var pending = PartialGraphs(order, root: root)
    // The rows of the root model that earlier partial models have inserted or updated.
    var nested: Set<UniqueKey> = []
    for (position, (partial, index)) in partials.enumerated() {
      let graph: PartialGraph
      switch graphs[position] {
      case .success(let recorded): graph = recorded
      case .failure(let error):
        try write(&pending)
        try add(error, at: index)
        continue
      }
      if let key = UniqueKey(graph.row.key), nested.contains(key) {
        // The unknown members that the partial model changes may have been written.
        if partial.patchedIndex != nil { throw FailedBatch() }
        isStored[position] = true
      }
      guard isStored[position] else {
        report.count(.missing)
        continue
      }
      if !pending.canAdd(graph) { try write(&pending) }
      pending.add(graph)
      nested.formUnion(graph.batch.rows(of: root).compactMap { UniqueKey($0.key) })
    }
    try write(&pending)
    return isStored
  }

  private func update(_ partial: Partial<Model>, at index: Int) throws -> Bool {
    failures.position = index
    defer { failures.position = nil }
    do {
      let graph = try graph(of: partial)
      guard try contains([graph])[0] else {
        report.count(.missing)
        return false
      }
      try write([graph.batch], then: [graph.row])
    } catch {
      try add(error, at: index)
    }
    return true
  }

  private func add(_ error: any Error, at index: Int) throws {
    failures.position = index
    defer { failures.position = nil }
    try failures.add(
      (error as? MappingError)?.inElement(index) ?? error, at: FieldPath([]))
  }

  private func graph(of partial: Partial<Model>) throws -> PartialGraph {
    let batch = GraphBatch(schema)
    let row = try GraphRecording(schema, for: batch).record(partial)
    let graph = PartialGraph(row: row, batch: batch)
    for link in root.links { assignOwners([graph.row], link) }
    assignOwners(in: graph.batch)
    return graph
  }

  /// Returns whether the rows of partial models are stored.
  private func contains(_ graphs: [PartialGraph?]) throws -> [Bool] {
    try statements.contains(graphs.map { $0?.row.key ?? .null }, of: root)
  }

  private func write(_ pending: inout PartialGraphs) throws {
    let graphs = pending.graphs
    if graphs.isEmpty { return }
    pending.removeAll()
    try asBatch { try write(graphs.map(\.batch), then: graphs.map(\.row)) }
  }

  /// Runs a closure, and throws a ``FailedBatch`` instead of the error of a row.
  private func asBatch<Result>(_ body: () throws -> Result) throws -> Result {
    let count = failures.count
    do {
      let result = try body()
      if failures.count > count { throw FailedBatch() }
      return result
    } catch is MappingError {
      throw FailedBatch()
    } catch let error as StoreError where error.isAboutRow {
      throw FailedBatch()
    }
  }
}
