import MohoMapping
import MohoRows
import Synchronization

/// What the snapshots in use need to know of the past: the models that were read
/// last, and the history of changed rows.
///
/// Each model is cached with the generations in which its row had that content.
/// So each snapshot receives the model of its own state, and no other.
final class SnapshotHistory: Sendable {
  private struct State {
    var models: ModelCache
    var rows = RowHistory()
    /// Whether commits could not be processed.
    var isSuspended = false
  }

  private let state: Lock<State>

  init(cacheCapacity: Int) { state = Lock(State(models: ModelCache(capacity: cacheCapacity))) }

  /// The cached model of a row in a state.
  func model(of rowID: Int64, in generation: Int) -> CachedModel? {
    state.withLock { $0.models.model(of: rowID, in: generation) }
  }

  /// The number of rows before the first one whose model is cached.
  func missingCount(_ rowIDs: some Sequence<Int64>, in generation: Int) -> Int {
    state.withLock { state in
      var count = 0
      for rowID in rowIDs {
        if state.models.model(of: rowID, in: generation) != nil { break }
        count += 1
      }
      return count
    }
  }

  /// Caches the models of a batch that have the content of a state.
  ///
  /// The batch must have been read after the state `start` was published. All
  /// commits that it may contain must have been recorded, except those of
  /// `unsettled` rows.
  ///
  /// - Parameters:
  ///   - batch: The models, in the order of the rows.
  ///   - unsettled: `nil` if it includes all rows.
  /// - Returns: For each model, whether it has the content of the state.
  func insert(
    _ batch: any AnyObject & Sendable, of rowIDs: [Int64], in generation: Int,
    readAfter start: Int, unsettled: Set<Int64>?
  ) -> [Bool] {
    state.withLock { state in
      guard !state.isSuspended, let unsettled else { return rowIDs.map { _ in false } }
      let isOfState = rowIDs.map { rowID in
        state.rows.isUnchanged(rowID, since: generation, readAfter: start)
          && (unsettled.isEmpty || !unsettled.contains(rowID))
      }
      let isCurrent = zip(rowIDs, isOfState).map { rowID, isOfState in
        // A row that changed and changed back had other content in between.
        isOfState && !state.rows.isWritten(rowID, since: generation)
      }
      state.models.insert(batch, of: rowIDs, in: generation, where: isCurrent)
      return isOfState
    }
  }

  /// Records what a commit changed, before the state of the generation is
  /// published.
  ///
  /// - Parameters:
  ///   - touched: `nil` if the changes are unknown.
  ///   - generation: The generation of the state after the commit.
  ///   - isNew: Whether that state is a new one.
  func record(_ touched: TouchedRows?, generation: Int, isNew: Bool) {
    state.withLock { state in
      state.isSuspended = false
      guard let touched else {
        state.rows.forget(before: generation)
        return state.models.closeAll(at: generation)
      }
      state.rows.record(touched, generation: generation, isNew: isNew)
      if !touched.keysOfUnknownRows.isEmpty { return state.models.closeAll(at: generation) }
      state.models.close(touched.writtenRows.keys, at: generation)
      state.models.close(touched.relatedKeys.keys, at: generation)
    }
  }

  /// Whether writes of rows that are not in the newest state need not be recorded,
  /// because no snapshot in use can refer to them.
  func canIgnoreWrites(of rowIDs: some Sequence<Int64>) -> Bool {
    state.withLock { state in
      !state.isSuspended && state.rows.usesNewestOnly
        && rowIDs.allSatisfy { !state.models.contains($0) }
    }
  }

  /// Records that a commit could not be processed. The content of rows is unknown
  /// until a later commit can be processed.
  func suspend() { state.withLock { $0.isSuspended = true } }

  /// Records that any row may have moved since states before a generation.
  func forgetMoves(before generation: Int) {
    state.withLock { $0.rows.forgetMoves(before: generation) }
  }

  /// Returns what changed between two states, or `nil` if that is no longer known.
  func changes(since old: Int, upTo new: Int) -> RowHistory.Changes? {
    state.withLock { $0.rows.changes(since: old, upTo: new) }
  }

  /// Returns a token that marks a generation as in use for as long as it is
  /// retained.
  func token(for generation: Int) -> GenerationToken {
    state.withLock { $0.rows.begin(generation) }
    return GenerationToken(generation, in: self)
  }

  fileprivate func end(_ generation: Int) { state.withLock { $0.rows.end(generation) } }
}

/// Marks a generation of a result as in use.
final class GenerationToken: Sendable {
  private let generation: Int
  private let history: SnapshotHistory

  fileprivate init(_ generation: Int, in history: SnapshotHistory) {
    (self.generation, self.history) = (generation, history)
  }

  deinit { history.end(generation) }
}
