import MohoMapping
import MohoStore
import Synchronization

/// The models that were read last, for as many rows as fit, and what is known
/// of rows that have changed meanwhile.
///
/// A model is kept with the generations of the states in which its row held it,
/// so that each snapshot gets the model that its row held, and no other.
final class ModelWindow: Sendable {
  private struct State {
    var models: KeptModels
    var history = RowHistory()
    /// Whether commits have not been taken into account.
    var isBehind = false
  }

  private let state: Lock<State>

  init(capacity: Int) { state = Lock(State(models: KeptModels(capacity: capacity))) }

  /// The model that a row held in a state, if it is kept.
  func model(of rowID: Int64, in generation: Int) -> KeptModel? {
    state.withLock { $0.models.model(of: rowID, in: generation) }
  }

  /// How many of some rows come before the first of which the model is kept.
  func missing(_ rowIDs: some Sequence<Int64>, in generation: Int) -> Int {
    state.withLock { state in
      var count = 0
      for rowID in rowIDs {
        if state.models.model(of: rowID, in: generation) != nil { break }
        count += 1
      }
      return count
    }
  }

  /// Keeps those of some models that their rows held in a state.
  ///
  /// They have been read when the state of `start` was there, and all commits
  /// that they may be of have been noted but for those of `unsettled` rows.
  ///
  /// - Parameters:
  ///   - batch: The models, in the order of the rows.
  ///   - unsettled: Nil for all rows.
  /// - Returns: Whether the row of each model held it.
  func admit(
    _ batch: any AnyObject & Sendable, of rowIDs: [Int64], in generation: Int,
    readAfter start: Int, unsettled: Set<Int64>?
  ) -> [Bool] {
    state.withLock { state in
      guard !state.isBehind, let unsettled else { return rowIDs.map { _ in false } }
      let areHeld = rowIDs.map { rowID in
        state.history.isUnchanged(rowID, since: generation, readAfter: start)
          && (unsettled.isEmpty || !unsettled.contains(rowID))
      }
      let areKept = zip(rowIDs, areHeld).map { rowID, isHeld in
        // What was changed forth and back is not what a state in between held.
        isHeld && !state.history.isWritten(rowID, since: generation)
      }
      state.models.keep(batch, of: rowIDs, in: generation, where: areKept)
      return areHeld
    }
  }

  /// Notes what a commit has changed, or that this is not known, before the
  /// state of a generation is there.
  func note(_ touched: TouchedRows?, generation: Int) {
    state.withLock { state in
      state.isBehind = false
      guard let touched else {
        state.history.forget(before: generation)
        return state.models.closeAll(at: generation)
      }
      state.history.note(touched, generation: generation)
      if !touched.unknownKeys.isEmpty { return state.models.closeAll(at: generation) }
      state.models.close(touched.written.keys, at: generation)
      state.models.close(touched.related.keys, at: generation)
    }
  }

  /// Whether it is of no account to those who know states what rows hold that
  /// are not in the newest.
  func mayForget(_ rowIDs: some Sequence<Int64>) -> Bool {
    state.withLock { state in
      !state.isBehind && state.history.isOfNewestAlone
        && rowIDs.allSatisfy { !state.models.contains($0) }
    }
  }

  /// Notes that a commit could not be taken into account: what rows hold is not
  /// known until one can.
  func fallBehind() { state.withLock { $0.isBehind = true } }

  /// Any row may have another place since the states before a generation.
  func forgetPlaces(before generation: Int) {
    state.withLock { $0.history.forgetPlaces(before: generation) }
  }

  /// What lies between two states, or nil where that is not known any more.
  func changes(since old: Int, upTo new: Int) -> RowHistory.Changes? {
    state.withLock { $0.history.changes(since: old, upTo: new) }
  }

  /// A token of a state of which somebody knows, for as long as it lives.
  func life(of generation: Int) -> StateLife {
    state.withLock { $0.history.begin(generation) }
    return StateLife(of: generation, in: self)
  }

  fileprivate func end(_ generation: Int) { state.withLock { $0.history.end(generation) } }
}

/// Lives as long as somebody knows a state of a result.
final class StateLife: Sendable {
  private let generation: Int
  private let window: ModelWindow

  fileprivate init(of generation: Int, in window: ModelWindow) {
    (self.generation, self.window) = (generation, window)
  }

  deinit { window.end(generation) }
}
