public import MohoChanges
public import MohoMapping
public import MohoRows

/// One state of a result: its sections, its rows and their models.
///
/// A snapshot never changes. It stores the IDs of the rows. When models are
/// accessed, it reads them from the store in batches, in the direction of
/// scrolling. Models that were read recently are cached. A model always has the
/// content that its row had when the snapshot was taken. If the row has since
/// been changed or deleted and the content can no longer be read, accessing the
/// model throws an error. In that case, a newer snapshot and the update that
/// leads to it are available, or will be available when the commit of another
/// process is detected.
public struct ResultsSnapshot<Model: MappedModel>: Sendable {
  let state: ResultsState
  let follower: ResultsFollower
  /// The rows that a context shows instead of the store's rows.
  var overlay: SnapshotOverlay?

  /// The number of earlier states of the result.
  public var generation: Int { overlay?.generation ?? state.generation }

  /// A Boolean value indicating whether the snapshot contains all rows. If a
  /// controller starts with the first batch, the remaining rows may not have
  /// been read.
  public var isComplete: Bool { state.rows.isComplete }

  /// The IDs of the rows, in order and in sections.
  ///
  /// In a ``ContextResultsController``, rows that were inserted and not saved
  /// have numbers instead. ``identity(at:)`` returns their identities.
  public var index: OrderedIndex { overlay?.index ?? state.index }

  /// The number of rows.
  public var count: Int { index.count }

  /// A Boolean value indicating whether the result has no rows.
  public var isEmpty: Bool { index.isEmpty }

  /// The sections, in order. An unsectioned result has exactly one section, which
  /// may be empty. In a sectioned result, each section has rows.
  ///
  /// - Complexity: O(*s*) for *s* sections for the first access to a state of the
  ///   result, then O(1). Reads no rows.
  public var sections: [ResultsSection] {
    if let overlay { return overlay.sectionCache.sections(of: index, overlay.summaries) }
    return state.sectionCache.sections(of: index, state.summaries)
  }

  /// The model at a path. `nil` if there is no row at the path, or if the model
  /// can no longer be read. ``model(at:)`` distinguishes the two cases.
  public subscript(path: RowPath) -> Model? { try? model(at: path) }

  /// Returns the model at a path.
  ///
  /// - Throws: A ``ResultsError`` if there is no row at the path, or if the row
  ///   has since been changed or deleted. A `MappingError` if the row cannot be
  ///   decoded. A `StoreError` if the store cannot be read.
  /// - Complexity: O(1) if the model is cached. Otherwise it reads a batch.
  public func model(at path: RowPath) throws -> Model {
    guard let position = index.position(of: path) else {
      throw ResultsError(code: .rowNotFound, reason: "there is no row at \(path)")
    }
    let number = index.rowIDs[position]
    if let model = overlay?.model(Model.self, of: number) { return try model.get() }
    if let model = cachedModel(of: number) { return model }
    let batch = batch(at: position)
    do {
      return try read(batch).model(at: position - batch.lowerBound)
    } catch is MappingError {
      // The error may come from another row of the batch.
      do {
        return try read(position..<position + 1).model(at: 0)
      } catch let error as MappingError {
        throw identity(at: path).map(error.naming) ?? error
      }
    }
  }

  /// Returns the models of all rows, in order, after reading them together.
  ///
  /// - Throws: The error of ``model(at:)`` for the first row that cannot be
  ///   read.
  public func models() throws -> [Model] {
    do {
      let rows = try read(0..<count)
      return try (0..<count).map { try rows.model(at: $0) }
    } catch is MappingError {
      return try paths.map { try model(at: $0) }
    }
  }

  /// Returns the models of all rows that can be read, in order, and the rows that break a
  /// rule of the mapping or cannot be read for another reason.
  ///
  /// ``models()`` throws if one row cannot be read, and subscripts return nil for that
  /// row.
  ///
  /// - Throws: A ``ResultsError`` if a row has since been changed or deleted. A
  ///   `StoreError` if the store cannot be read.
  public func lossyModels() throws -> LossyFetch<Model> {
    var (models, identities, failures): ([Model], [RowIdentity], [RowFailure]) = ([], [], [])
    for path in paths {
      guard let identity = identity(at: path) else { continue }
      do {
        models.append(try model(at: path))
        identities.append(identity)
      } catch let error as MappingError {
        failures.append(RowFailure(identity, error))
      }
    }
    return LossyFetch(models: models, identities: identities, failures: failures)
  }

  private var paths: [RowPath] { (0..<count).compactMap(index.path(atPosition:)) }

  /// Returns the positions to read together with a position, up to the size of
  /// a batch. These are the missing rows after the position and, if there are
  /// too few of them, the missing rows before it.
  private func batch(at position: Int) -> Range<Int> {
    let size = state.query.batchSize
    let end = count - position > size ? position + size : count
    let after = max(1, missingCount(index.rowIDs(atPositions: position..<end)))
    let start = max(0, position - (size - after))
    let before = missingCount(index.rowIDs(atPositions: start..<position).reversed())
    return position - before..<position + after
  }

  /// Returns the number of rows before the first one whose model is available.
  private func missingCount(_ numbers: some Sequence<Int64>) -> Int {
    guard let overlay else { return follower.history.missingCount(numbers, in: generation) }
    let stored = numbers.map { overlay.storedRowID(of: $0) }.prefix { $0 != nil }
    return follower.history.missingCount(stored.compactMap { $0 }, in: state.generation)
  }

  /// Returns the identity of the row at a path, or `nil` if there is no row. A
  /// row that has not been saved has a temporary identity.
  public func identity(at path: RowPath) -> RowIdentity? {
    guard let number = index[path] else { return nil }
    let key = overlay?.numbers.key(of: number) ?? .stored(number)
    return RowIdentity(entity: state.query.result.tableName, key: key)
  }

  /// Returns the ID of a row whose content comes from the store.
  private func storedRowID(of number: Int64) -> Int64? {
    overlay.map { $0.storedRowID(of: number) } ?? number
  }

  private func cachedModel(of number: Int64) -> Model? {
    storedRowID(of: number).flatMap { rowID in
      follower.history.model(of: rowID, in: state.generation)?.model(as: Model.self)
    }
  }

  /// Reads the models of rows, and determines which of them have the content of
  /// this state.
  private func read(_ positions: Range<Int>) throws -> ReadRows {
    let numbers = Array(index.rowIDs(atPositions: positions))
    let rowIDs = overlay == nil ? numbers : numbers.compactMap { storedRowID(of: $0) }
    let start = follower.state.generation
    let isOneStatement = state.query.result.readsModelsInOneStatement
    let (found, unsettled) = try follower.store.readSettled(inOneStatement: isOneStatement) {
      reader in
      (
        try state.query.rows.models(of: Model.self, rowIDs: rowIDs, reader),
        try unsettledRows(among: rowIDs, reader)
      )
    }
    let batch = ModelBatch(found.models)
    let isOfState = follower.history.insert(
      batch, of: found.rowIDs, in: state.generation, readAfter: start, unsettled: unsettled)
    var offsets: [Int64: Int] = [:]
    offsets.reserveCapacity(found.rowIDs.count)
    for (offset, rowID) in found.rowIDs.enumerated() { offsets[rowID] = offset }
    return ReadRows(
      snapshot: self, start: positions.lowerBound, numbers: numbers, batch: batch,
      offsets: offsets, isOfState: isOfState)
  }

  /// Rows whose models have been read.
  private struct ReadRows {
    let snapshot: ResultsSnapshot
    /// The position of the first row.
    let start: Int
    let numbers: [Int64]
    let batch: ModelBatch<Model>
    /// The offset of each row in the batch, by row ID.
    let offsets: [Int64: Int]
    /// For each model of the batch, whether it has the content of the snapshot.
    let isOfState: [Bool]

    func model(at index: Int) throws -> Model {
      let number = numbers[index]
      if let model = snapshot.overlay?.model(Model.self, of: number) { return try model.get() }
      let offset = snapshot.storedRowID(of: number).flatMap { offsets[$0] }
      if let offset, isOfState[offset] { return batch.models[offset] }
      if let model = snapshot.cachedModel(of: number) { return model }
      throw offset == nil
        ? snapshot.staleRowError(.rowDeleted, "deleted", start + index)
        : snapshot.staleRowError(.rowChanged, "changed", start + index)
    }
  }

  /// Returns the rows that the reading connection has written and that may not
  /// have been recorded, or `nil` if these may be all rows.
  private func unsettledRows(
    among rowIDs: [Int64], _ reader: StoreReader
  ) throws -> Set<Int64>? {
    let name = state.query.result.tableName
    for table in state.query.result.contentTables where table != name {
      if try reader.session.unreportedRows(in: table) != nil { return nil }
    }
    guard let written = try reader.session.unreportedRows(in: name) else { return [] }
    // After all rows were removed, a row with the same identity may be another one.
    guard written.isComplete else { return nil }
    return Set(rowIDs.filter(written.contains))
  }

  private func staleRowError(
    _ code: ResultsError.Code, _ change: String, _ position: Int
  ) -> ResultsError {
    let path = index.path(atPosition: position).map { "\($0)" } ?? ""
    return ResultsError(
      code: code,
      reason: "the row at \(path) was \(change) after the snapshot was taken;"
        + " use the controller's current snapshot")
  }
}
