public import MohoChanges
public import MohoMapping
public import MohoStore

/// One state of a result: its sections, its rows and their models.
///
/// A snapshot never changes. It holds the identities of the rows; models are
/// read from the store in batches, when they are asked for, ahead in the
/// direction in which one scrolls, and the last ones read are kept. A model is always the one that the row held when the
/// snapshot was made. Where that can no longer be read, because the row has
/// been changed or deleted since, an error says so; a newer snapshot is there
/// then, and the update that leads to it, or will be as soon as the commit of
/// another process is noticed.
public struct ResultsSnapshot<Model: MappedModel>: Sendable {
  let state: ResultsState
  let follower: ResultsFollower
  /// What a context has instead of what the store has.
  var overlay: SnapshotOverlay?

  /// How many states of the result came before this one.
  public var generation: Int { overlay?.generation ?? state.generation }

  /// Whether all rows are there. Where a controller starts with the first batch,
  /// the others may be on their way.
  public var isWhole: Bool { state.rows.areAll }

  /// The identities of the rows, in order and in sections.
  ///
  /// Of a ``ContextResultsController``, rows that were not saved when they came
  /// have numbers instead; ``identity(at:)`` tells which rows they are.
  public var index: OrderedIndex { overlay?.index ?? state.index }

  /// How many rows there are.
  public var count: Int { index.count }

  /// Whether there are no rows.
  public var isEmpty: Bool { index.isEmpty }

  /// The sections, in order. Without a section key there is exactly one, even
  /// if it is empty; with one, every section has a row.
  ///
  /// - Complexity: O(*s*) for *s* sections. No row is read.
  public var sections: [ResultsSection] {
    zip(index.sectionKeys, index.sectionKeys.indices).map { key, section in
      ResultsSection(key: key, count: index.rowCount(inSection: section))
    }
  }

  /// The model at a path, or nil where there is none or it can no longer be
  /// read; ``model(at:)`` tells the two apart.
  public subscript(path: RowPath) -> Model? { try? model(at: path) }

  /// The model at a path.
  ///
  /// - Throws: ``ResultsError`` where there is no row at the path, or the row
  ///   has been changed or deleted since; `MappingError` where the row is none
  ///   of the model's; `StoreError`.
  /// - Complexity: O(1) where the model was read before, else the reading of a
  ///   batch.
  public func model(at path: RowPath) throws -> Model {
    guard let position = index.position(of: path) else {
      throw ResultsError(code: .noSuchRow, reason: "there is no row at \(path)")
    }
    let number = index.rowIDs[position]
    if let model = overlay?.model(Model.self, of: number) { return try model.get() }
    if let model = kept(number) { return model }
    let batch = batch(at: position)
    do {
      return try read(batch).model(at: position - batch.lowerBound)
    } catch is MappingError {
      // Perhaps of another row of the batch.
      return try read(position..<position + 1).model(at: 0)
    }
  }

  /// The models of all rows, in order, read in one go.
  ///
  /// - Throws: As ``model(at:)``, for the first row of which it is true.
  public func models() throws -> [Model] {
    let rows = try read(0..<count)
    return try (0..<count).map { try rows.model(at: $0) }
  }

  /// The rows to read with one that is asked for, as many as a batch has: those
  /// behind it as far as they are not there, and where that is not enough, those
  /// before it.
  private func batch(at position: Int) -> Range<Int> {
    let size = state.query.batchSize
    let behind = count - position > size ? position + size : count
    let next = max(1, missing(index.rowIDs(atPositions: position..<behind)))
    let before = max(0, position - (size - next))
    let last = missing(index.rowIDs(atPositions: before..<position).reversed())
    return position - last..<position + next
  }

  /// How many of some rows come before the first that is there.
  private func missing(_ numbers: some Sequence<Int64>) -> Int {
    guard let overlay else { return follower.window.missing(numbers, in: generation) }
    let stored = numbers.map { overlay.storedIdentity(of: $0) }.prefix { $0 != nil }
    return follower.window.missing(stored.compactMap { $0 }, in: state.generation)
  }

  /// The identity of the row at a path, or nil where there is none: a temporary
  /// one of a row that was not saved.
  public func identity(at path: RowPath) -> RowIdentity? {
    guard let number = index[path] else { return nil }
    let key = overlay?.numbers.key(of: number) ?? .stored(number)
    return RowIdentity(entity: state.query.statements.tableName, key: key)
  }

  /// The identity in the table of a row that is shown as the store has it.
  private func storedIdentity(of number: Int64) -> Int64? {
    overlay.map { $0.storedIdentity(of: number) } ?? number
  }

  /// The model of a row that is shown as the store has it, if it was read before.
  private func kept(_ number: Int64) -> Model? {
    storedIdentity(of: number).flatMap { rowID in
      follower.window.model(of: rowID, in: state.generation)?.model(as: Model.self)
    }
  }

  /// The models of some rows, as far as they are of this state.
  private func read(_ positions: Range<Int>) throws -> ReadRows {
    let numbers = Array(index.rowIDs(atPositions: positions))
    let rowIDs = overlay == nil ? numbers : numbers.compactMap { storedIdentity(of: $0) }
    let start = follower.state.generation
    let isOneStatement = state.query.statements.areModelsOfOneTable
    let (found, unsettled) = try follower.store.readSettled(inOneStatement: isOneStatement) {
      reader in
      (
        try reader.models(of: Model.self, rowIDs: rowIDs, by: state.query.statements),
        try unsettledRows(among: rowIDs, reader)
      )
    }
    let batch = ModelBatch(found.models)
    let areHeld = follower.window.admit(
      batch, of: found.rowIDs, in: state.generation, readAfter: start, unsettled: unsettled)
    var offsets: [Int64: Int] = [:]
    offsets.reserveCapacity(found.rowIDs.count)
    for (offset, rowID) in found.rowIDs.enumerated() { offsets[rowID] = offset }
    return ReadRows(
      snapshot: self, start: positions.lowerBound, numbers: numbers, batch: batch,
      offsets: offsets, areHeld: areHeld)
  }

  /// Rows of which the models have been read.
  private struct ReadRows {
    let snapshot: ResultsSnapshot
    /// The position of the first of them.
    let start: Int
    let numbers: [Int64]
    let batch: ModelBatch<Model>
    /// Which models of the batch are theirs, by their identities, and whether
    /// the rows held them.
    let offsets: [Int64: Int]
    let areHeld: [Bool]

    func model(at index: Int) throws -> Model {
      let number = numbers[index]
      if let model = snapshot.overlay?.model(Model.self, of: number) { return try model.get() }
      let offset = snapshot.storedIdentity(of: number).flatMap { offsets[$0] }
      if let offset, areHeld[offset] { return batch.models[offset] }
      if let model = snapshot.kept(number) { return model }
      throw offset == nil
        ? snapshot.moved(on: .rowDeleted, "deleted", start + index)
        : snapshot.moved(on: .rowChanged, "changed", start + index)
    }
  }

  /// Those of some rows that the connection has written and that may not be known; nil
  /// for all.
  private func unsettledRows(
    among rowIDs: [Int64], _ reader: StoreReader
  ) throws -> Set<Int64>? {
    let name = state.query.statements.tableName
    for table in state.query.statements.contentTables where table != name {
      if try reader.hasUnsettledRows(in: table) { return nil }
    }
    return try reader.unsettledRows(among: rowIDs, in: name)
  }

  private func moved(on code: ResultsError.Code, _ what: String, _ position: Int) -> ResultsError {
    let path = index.path(atPosition: position).map { "\($0)" } ?? ""
    return ResultsError(
      code: code,
      reason: "the row at \(path) was \(what) after the snapshot was made;"
        + " take the controller's current snapshot")
  }
}
