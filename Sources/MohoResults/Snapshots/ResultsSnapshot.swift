public import MohoChanges
public import MohoMapping
import MohoStore

/// One state of a result: its sections, its rows and their models.
///
/// A snapshot never changes. It holds the identities of the rows; models are
/// read from the store in batches, when they are asked for, and the last ones
/// read are kept. A model is always the one that the row held when the
/// snapshot was made. Where that can no longer be read, because the row has
/// been changed or deleted since, an error says so; a newer snapshot is there
/// then, and the update that leads to it, or will be as soon as the commit of
/// another process is noticed.
public struct ResultsSnapshot<Model: MappedModel>: Sendable {
  let state: ResultsState<Model>
  let follower: ResultsFollower<Model>

  /// How many states of the result came before this one.
  public var generation: Int { state.generation }

  /// Whether all rows are there. Where a controller starts with the first batch,
  /// the others may be on their way.
  public var isWhole: Bool { state.rows.areAll }

  /// The identities of the rows, in order and in sections.
  public var index: OrderedIndex { state.index }

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
    if let model = follower.window.model(of: index.rowIDs[position], in: generation) {
      return model
    }
    let size = max(1, state.query.request.batchSize)
    let start = position / size * size
    let batch = start..<(count - start > size ? start + size : count)
    do {
      return try read(batch)[position - start].get()
    } catch is MappingError {
      // Perhaps of another row of the batch.
      return try read(position..<position + 1)[0].get()
    }
  }

  /// The models of all rows, in order, read in one go.
  ///
  /// - Throws: As ``model(at:)``, for the first row of which it is true.
  public func models() throws -> [Model] {
    try read(0..<count).map { try $0.get() }
  }

  private func read(_ positions: Range<Int>) throws -> [Result<Model, any Error>] {
    let rowIDs = Array(index.rowIDs[positions])
    let start = follower.state.generation
    let (found, unsettled) = try follower.store.readSettled { reader in
      (try reader.models(of: Model.self, rowIDs: rowIDs), try unsettledRows(reader))
    }
    let models = follower.window.admit(found, in: generation, readAfter: start) {
      unsettled?.contains($0) ?? true
    }
    return zip(positions, rowIDs).map { position, rowID in
      if let model = models[rowID] ?? follower.window.model(of: rowID, in: generation) {
        return .success(model)
      }
      return .failure(
        found[rowID] == nil
          ? moved(on: .rowDeleted, "deleted", position)
          : moved(on: .rowChanged, "changed", position))
    }
  }

  /// The rows that the connection has written and that may not be known; nil
  /// for all.
  private func unsettledRows(_ reader: StoreReader) throws -> Set<Int64>? {
    let name = state.query.statements.tableName
    for table in state.query.statements.sources.contentTables where table != name {
      if try !reader.unsettledRows(in: table).isEmpty { return nil }
    }
    return try reader.unsettledRows(in: name)
  }

  private func moved(on code: ResultsError.Code, _ what: String, _ position: Int) -> ResultsError {
    let path = index.path(atPosition: position).map { "\($0)" } ?? ""
    return ResultsError(
      code: code,
      reason: "the row at \(path) was \(what) after the snapshot was made;"
        + " take the controller's current snapshot")
  }
}
