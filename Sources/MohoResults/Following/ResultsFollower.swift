import MohoChanges
import MohoMapping
import MohoStore
import Synchronization

/// Follows a result from commit to commit and hands its states to those who
/// wait for them.
///
/// States are made on the store's writer queue, one after the other; the lock
/// is held to exchange them only, never while reading or resuming.
final class ResultsFollower<Model: MappedModel>: Sendable {
  typealias Delivery = DeliveryState.Delivery

  let store: ModelStore
  let query: ResultsQuery<Model>
  let window: ModelWindow<Model>
  private let delivery: Mutex<DeliveryState>

  init(_ store: ModelStore, _ query: ResultsQuery<Model>, _ state: ResultsState) {
    self.store = store
    self.query = query
    window = ModelWindow(capacity: min(max(1, query.request.batchSize), Int.max / 8) * 8)
    delivery = Mutex(DeliveryState(state))
  }

  var state: ResultsState { delivery.withLock { $0.newest.state } }

  /// Takes a commit into account. Called on the store's writer queue.
  func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    let waiters: [DeliveryState.Waiter]
    let result: Result<Delivery?, any Error>
    do {
      // What an unread commit has changed is not known any more.
      let (old, isBehind) = delivery.withLock { ($0.newest.state, $0.failure != nil) }
      guard
        let (state, changes) = try query.state(
          after: old, commit.get(), rescanning: isBehind, reader)
      else { return delivery.withLock { $0.confirm() } }
      let newest = Delivery(state: state, changes: changes)
      waiters = delivery.withLock { $0.publish(newest) }
      result = .success(newest)
    } catch {
      waiters = delivery.withLock { $0.fail(error) }
      result = .failure(error)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// The newest state that differs from one that is known, with the changes
  /// between the two; nil once the task is canceled.
  func next(after known: ResultsState) async throws -> Delivery? {
    var reached = known.generation
    while let newest = try await newest(after: reached) {
      if newest.state.generation == known.generation + 1 { return newest }
      // Several commits behind: what happened in all is what tells the two
      // states apart.
      let changes = ChangeSet(
        from: known.index,
        to: newest.state.index,
        changedKeys: known.changedKeys(to: newest.state, names: query.keyNames))
      if !changes.isEmpty { return Delivery(state: newest.state, changes: changes) }
      reached = newest.state.generation
    }
    return nil
  }

  private func newest(after generation: Int) async throws -> Delivery? {
    let id = delivery.withLock { $0.makeID() }
    // Cancellation may come when the answer is already under way.
    defer { delivery.withLock { $0.forget(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let result = delivery.withLock { $0.wait(id, after: generation, waiter) }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      delivery.withLock { $0.cancel(id) }?.resume(returning: nil)
    }
  }
}
