package import MohoMapping

/// Updates the rows of one model from partial models without relations.
package protocol PartialRowWriter<Model>: AnyObject {
  associatedtype Model: MappedModel

  /// The errors of the call.
  var failures: WriteFailures { get }

  /// Throws a ``StoreError`` with the code ``StoreError/Code/invalidRequest`` if a
  /// partial model does not contain the unique key.
  func check(_ partial: Partial<Model>) throws

  /// Returns the unique key of a partial model in the form that columns store. Null if it
  /// has no key, or if a value is null.
  ///
  /// - Throws: A `MappingError` if the key is invalid or cannot be stored.
  func key(of partial: Partial<Model>) throws -> FieldContent

  /// Returns the identities of the stored rows with unique keys, in the order of the
  /// keys. Nil if there is no row.
  func identities(of keys: [FieldContent]) throws -> [Int64?]

  /// Updates rows in order. Writes the keys that are present, if a value differs. The
  /// errors of partial models are added to those of the call.
  ///
  /// - Parameter partials: The partial models, with their positions in the call
  ///   for errors. Several of them may have the same row.
  /// - Returns: An outcome for each partial model, in order: ``SaveOutcome/missing`` if
  ///   it has no row, otherwise the one that ``SavedRowLog/outcome(ofUpdating:_:)``
  ///   returns if the row changes.
  /// - Throws: A ``RepeatedRow`` if the log reports that one of the keys has been updated
  ///   before, the errors of ``check(_:)``, and errors that ``WriteFailures`` does not
  ///   add.
  func update(_ partials: [(partial: Partial<Model>, index: Int)]) throws -> [SaveOutcome]
}

/// Updates rows with the partial models of one call.
package final class PartialUpdates<Model: MappedModel> {
  /// The maximum number of partial models that are updated together.
  private static var batchSize: Int { 1_000 }

  private let writer: any PartialRowWriter<Model>
  private let members: PatchedRows<Model>
  private let makeGraph: () throws -> GraphWriter<Model>
  private var graph: GraphWriter<Model>?
  private var report = SaveReport()
  /// The partial models of the batch, which either all have relations or none.
  private var batch: [(partial: Partial<Model>, index: Int)] = []
  /// The numbers of additional partial models that share the rows of the batch.
  private var repetitions: [Int] = []
  private var hasRelations = false

  /// - Parameters:
  ///   - source: Reads the rows whose unknown members are changed.
  ///   - graph: Returns a writer for partial models with relations.
  package init(
    _ writer: any PartialRowWriter<Model>, from source: any RowSource, _ schema: Schema,
    graph: @escaping () throws -> GraphWriter<Model>
  ) throws {
    self.writer = writer
    members = PatchedRows(writer, source, try schema.compiled.node(of: Model.self))
    makeGraph = graph
  }

  /// - Parameters:
  ///   - index: The position of the partial model in the call, for errors.
  ///   - repetitions: The number of other partial models that are merged with
  ///     this one.
  private func update(_ partial: Partial<Model>, at index: Int, repetitions: Int = 0) throws {
    let hasRelations = partial.keys.contains { $0.relation != nil }
    if hasRelations != self.hasRelations {
      try updateBatch()
      self.hasRelations = hasRelations
    }
    var batchSize = Self.batchSize
    if hasRelations {
      do {
        try writer.check(partial)
      } catch {
        try updateBatch()
        return try add(error, at: index)
      }
      batchSize = min(batchSize, try graphWriter().partialBatchSize)
    }
    batch.append((partial, index))
    self.repetitions.append(repetitions)
    if batch.count >= batchSize { try updateBatch() }
  }

  private func graphWriter() throws -> GraphWriter<Model> {
    let graph = try self.graph ?? makeGraph()
    self.graph = graph
    return graph
  }

  private func updateBatch() throws {
    if batch.isEmpty { return }
    defer {
      batch.removeAll(keepingCapacity: true)
      repetitions.removeAll(keepingCapacity: true)
    }
    guard !hasRelations else { return try updateGraphs() }
    let outcomes = try writer.update(members.resolve(batch))
    for (outcome, repetitions) in zip(outcomes, repetitions) {
      report.count(outcome)
      count(repetitions, isMissing: outcome == .missing)
    }
  }

  private func updateGraphs() throws {
    let resolved: [PatchedRows<Model>.Numbered]
    do {
      resolved = try members.resolve(batch)
    } catch {
      if batch.count > 1 { throw error is MappingError ? FailedBatch() : error }
      return try add(error, at: batch[0].index)
    }
    for (isStored, repetitions) in zip(try graphWriter().update(resolved), repetitions) {
      count(repetitions, isMissing: !isStored)
    }
  }

  /// Adds the error of a partial model with relations.
  private func add(_ error: any Error, at index: Int) throws {
    writer.failures.position = index
    defer { writer.failures.position = nil }
    try writer.failures.add(error, at: FieldPath([]))
  }

  private func count(_ repetitions: Int, isMissing: Bool) {
    for _ in 0..<repetitions { report.count(isMissing ? .missing : .unchanged) }
  }

  /// Updates rows, and writes the links of all partial models.
  ///
  /// - Parameter isMerging: Whether each row is updated once, after merging all of its partial
  ///   models.
  package func update(
    _ partials: some Sequence<Partial<Model>>, merging isMerging: Bool
  ) throws -> SaveReport {
    if isMerging { return try update(merging: partials) }
    for (index, partial) in partials.enumerated() { try update(partial, at: index) }
    return try finish()
  }

  /// Updates each row once, after merging all of its partial models.
  private func update(merging partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    var merged: [(partial: Partial<Model>, index: Int, repetitions: Int)] = []
    var positions: [UniqueKey: Int] = [:]
    for (index, partial) in partials.enumerated() {
      try writer.check(partial)
      // An error is reported when the partial model is written.
      guard let key = (try? writer.key(of: partial)).flatMap({ UniqueKey($0) }) else {
        merged.append((partial, index, 0))
        continue
      }
      guard let position = positions[key] else {
        positions[key] = merged.count
        merged.append((partial, index, 0))
        continue
      }
      let (values, links) = partial.separatingAddedLinks()
      merged[position].partial = merged[position].partial.merging(values)
      if let links {
        merged.append((links, index, 0))
      } else {
        merged[position].repetitions += 1
      }
    }
    for (partial, index, repetitions) in merged {
      try update(partial, at: index, repetitions: repetitions)
    }
    return try finish()
  }

  /// Writes the remaining partial models, and the links of all of them.
  private func finish() throws -> SaveReport {
    try updateBatch()
    try writer.failures.check()
    return try report + (graph?.finish() ?? SaveReport())
  }
}

extension Partial where Model: MappedModel {
  /// Returns the partial model without the links that are added to the stored
  /// ones, and one of the same row with only these links, or nil if there are
  /// none.
  ///
  /// Merging partial models would replace the links that an earlier one adds.
  func separatingAddedLinks() -> (values: Partial, links: Partial?) {
    let mapping = Model.mapping
    func addsLinks(_ index: Int) -> Bool { mapping.keys[index].relation?.addsLinks == true }
    guard keys.contains(where: { $0.relation?.addsLinks == true }) else { return (self, nil) }
    return (
      filter { !addsLinks($0) }, filter { addsLinks($0) || mapping.identity.contains($0) }
    )
  }
}

extension StoreError {
  /// The error for a model whose partial models cannot be saved.
  package static func noUniqueKey(ofPartial node: ModelNode) -> StoreError {
    StoreError(
      .invalidRequest,
      reason: "`\(node.name)` has no unique key to find the row of a partial model by",
      suggestion: "save whole models")
  }

  /// The error for a partial model that does not have a unique key.
  package static func missingKey<Model>(
    _ key: String, of partial: Partial<Model>
  ) -> StoreError {
    StoreError(
      .invalidRequest,
      subject: "\(partial)",
      reason: "the partial model does not have the unique key `\(key)`",
      suggestion: "set it, to tell which row is meant")
  }
}
