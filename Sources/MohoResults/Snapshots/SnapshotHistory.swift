import MohoMapping
import MohoRows
import Synchronization

/// The part of a result's history that the snapshots in use require: recently
/// read models, and the changes of rows.
///
/// Each model is cached with the generations in which its row had that content,
/// so each snapshot only receives models of its own state.
final class SnapshotHistory: Sendable {
  private struct State {
    var models: ModelCache
    var rows = RowHistory()
    /// Whether a commit could not be processed.
    var isSuspended = false
  }

  private let state: Lock<State>

  init(cacheCapacity: Int) { state = Lock(State(models: ModelCache(capacity: cacheCapacity))) }

  /// Makes room for the batches of another request. Snapshots of earlier requests
  /// can still read larger batches.
  func raiseCacheCapacity(to capacity: Int) {
    state.withLock { $0.models.capacity = max($0.models.capacity, capacity) }
  }

  /// Returns the cached model of a row in a state.
  func model(of rowID: Int64, in generation: Int) -> CachedModel? {
    state.withLock { $0.models.model(of: rowID, in: generation) }
  }

  /// Returns the number of rows before the first one whose model is cached.
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

  /// Caches those models of a batch that have the content of a state.
  ///
  /// The batch must have been read after the state `start` was published. All
  /// commits that the batch may contain must have been recorded, except changes
  /// of `unsettled` rows.
  ///
  /// - Parameters:
  ///   - batch: The models, in the order of the rows.
  ///   - unsettled: The rows with unrecorded changes, or `nil` for all rows.
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
        // A row that changed and changed back had different content in between.
        isOfState && !state.rows.isWritten(rowID, since: generation)
      }
      state.models.insert(batch, of: rowIDs, in: generation, where: isCurrent)
      return isOfState
    }
  }

  /// Records the changes of a commit, before the state of the generation is
  /// published.
  ///
  /// - Parameters:
  ///   - touched: The changes, or `nil` if they cannot be determined.
  ///   - generation: The generation of the state after the commit.
  ///   - isNew: Whether the commit created that state.
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

  /// Returns whether writes of rows that are not in the newest state need not
  /// be recorded, because no snapshot in use can refer to these rows.
  func canIgnoreWrites(of rowIDs: some Sequence<Int64>) -> Bool {
    state.withLock { state in
      !state.isSuspended && state.rows.usesNewestOnly
        && rowIDs.allSatisfy { !state.models.contains($0) }
    }
  }

  /// Records that a commit could not be processed. Until a later commit can be
  /// processed, the content of rows cannot be determined.
  func suspend() { state.withLock { $0.isSuspended = true } }

  /// Records that any row may have moved between an earlier state and a
  /// generation.
  func forgetMoves(before generation: Int) {
    state.withLock { $0.rows.forgetMoves(before: generation) }
  }

  /// Returns the changes between two states, or `nil` if the history no longer
  /// covers them.
  func changes(since old: Int, upTo new: Int) -> RowHistory.Changes? {
    state.withLock { $0.rows.changes(since: old, upTo: new) }
  }

  /// Returns a token that marks a generation as in use as long as the token is
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
