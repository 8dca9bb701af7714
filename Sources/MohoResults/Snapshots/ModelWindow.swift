import MohoMapping
import MohoStore
import Synchronization

/// The models that were read last, for as many rows as fit, and what is known
/// of rows that have changed meanwhile.
///
/// A model is kept with the generations of the states in which its row held it,
/// so that each snapshot gets the model that its row held, and no other.
final class ModelWindow<Model: MappedModel>: Sendable {
  fileprivate struct Kept {
    let model: Model
    var first: Int
    /// The last generation, or nil while the row has not changed.
    var last: Int?

    func belongs(to generation: Int) -> Bool {
      first <= generation && generation <= last ?? .max
    }
  }

  fileprivate struct State {
    var models: [Int64: [Kept]] = [:]
    var order: [Int64] = []
    var history = RowHistory()
    /// Whether commits have not been taken into account.
    var isBehind = false
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) { self.capacity = capacity }

  /// The model that a row held in a state, if it is kept.
  func model(of rowID: Int64, in generation: Int) -> Model? {
    state.withLock { state in
      state.models[rowID]?.first { $0.belongs(to: generation) }?.model
    }
  }

  /// Keeps those of some models that their rows held in a state, and answers
  /// them. They have been read when the state of `start` was there, and all
  /// commits that they may be of have been noted but for those of `unsettled`
  /// rows.
  func admit(
    _ models: [Int64: Model], in generation: Int, readAfter start: Int,
    unsettled: (Int64) -> Bool
  ) -> [Int64: Model] {
    state.withLock { state in
      guard !state.isBehind else { return [:] }
      let current = models.filter { rowID, _ in
        !unsettled(rowID)
          && state.history.isUnchanged(rowID, since: generation, readAfter: start)
      }
      for (rowID, model) in current {
        let kept = state.models[rowID, default: []]
        if let open = kept.firstIndex(where: { $0.last == nil }) {
          state.models[rowID]?[open].first = min(kept[open].first, generation)
        } else {
          state.models[rowID, default: []].append(Kept(model: model, first: generation))
          state.order.append(rowID)
        }
      }
      state.letGo(capacity)
      return current
    }
  }

  /// Notes what a commit has changed, or that this is not known, before the
  /// state of a generation is there.
  func note(_ touched: TouchedRows?, generation: Int) {
    state.withLock { state in
      state.isBehind = false
      guard let touched else {
        state.history.forget(before: generation)
        return state.close(Array(state.models.keys), at: generation)
      }
      state.history.note(touched, generation: generation)
      let rows =
        touched.unknownKeys.isEmpty
        ? touched.written.keys.filter { state.models[$0] != nil }
          + touched.related.keys.filter { state.models[$0] != nil } : Array(state.models.keys)
      state.close(rows, at: generation)
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
    return StateLife { [weak self] in
      self?.state.withLock { $0.history.end(generation) }
    }
  }
}

extension ModelWindow.State {
  /// Ends the time of the models of rows.
  fileprivate mutating func close(_ rowIDs: [Int64], at generation: Int) {
    for rowID in rowIDs {
      guard let open = models[rowID]?.firstIndex(where: { $0.last == nil }) else { continue }
      models[rowID]?[open].last = generation - 1
    }
  }

  /// Lets go of the models that were kept first.
  fileprivate mutating func letGo(_ capacity: Int) {
    let surplus = order.count - capacity
    guard surplus > 0 else { return }
    for rowID in order.prefix(surplus) {
      models[rowID]?.removeFirst()
      if models[rowID]?.isEmpty == true { models[rowID] = nil }
    }
    order.removeFirst(surplus)
  }
}

/// Lives as long as somebody knows a state of a result.
final class StateLife: Sendable {
  private let onEnd: @Sendable () -> Void

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}
