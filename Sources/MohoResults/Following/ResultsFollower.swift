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
  typealias State = ResultsState<Model>
  typealias Delivery = DeliveryState<Model>.Delivery

  let store: ModelStore
  let window: ModelWindow<Model>
  /// Whether all identities are read anew after each commit.
  private let rescans: Bool
  private let delivery: Mutex<DeliveryState<Model>>
  private let subscription = Mutex<CommitSubscription?>(nil)
  private let ways = Mutex<[ResultsStep.Way: Int]>([:])

  init(
    _ store: ModelStore, _ query: ResultsQuery<Model>, rescans: Bool, _ reader: StoreReader
  ) throws {
    self.store = store
    self.rescans = rescans
    window = ModelWindow(capacity: min(max(1, query.request.batchSize), Int.max / 8) * 8)
    let state = State(
      query: query, generation: 0, rows: try query.rows(reader), life: window.life(of: 0))
    delivery = Mutex(DeliveryState(state))
  }

  var state: State { delivery.withLock { $0.newest.state } }

  /// The newest state and what led to it.
  var lastStep: (generation: Int, changes: ChangeSet) {
    delivery.withLock { ($0.newest.state.generation, $0.newest.changes) }
  }

  /// How often commits were followed in each way.
  var counts: [ResultsStep.Way: Int] { ways.withLock { $0 } }

  /// Follows commits for as long as the follower lives, which snapshots hold
  /// too.
  func keep(_ subscription: CommitSubscription) { self.subscription.withLock { $0 = subscription } }

  /// Takes a commit into account. Called on the store's writer queue.
  func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    let waiters: [DeliveryState<Model>.Waiter]
    let result: Result<Delivery?, any Error>
    do {
      // What an unread commit has changed is not known any more.
      let (old, isBehind) = delivery.withLock { ($0.newest.state, $0.failure != nil) }
      let step = try old.query.step(
        from: old.rows, commit.get(), isBehind: isBehind, rescans: rescans, reader)
      guard let step else { return delivery.withLock { $0.confirm() } }
      ways.withLock { $0[step.way, default: 0] += 1 }
      // Before anybody can know the new state.
      window.note(step.touched, generation: old.generation + 1)
      guard !step.changes.isEmpty else {
        return delivery.withLock { $0.confirm(rows: step.rows) }
      }
      let newest = Delivery(
        state: State(
          query: old.query, generation: old.generation + 1, rows: step.rows,
          life: window.life(of: old.generation + 1)),
        changes: step.changes)
      waiters = delivery.withLock { $0.publish(newest) }
      result = .success(newest)
    } catch {
      window.fallBehind()
      waiters = delivery.withLock { $0.fail(error) }
      result = .failure(error)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// The newest state that differs from one that is known, with the changes
  /// between the two; nil once the task is canceled.
  func next(after known: State) async throws -> Delivery? {
    var reached = known.generation
    while let newest = try await newest(after: reached) {
      if newest.state.generation == known.generation + 1 { return newest }
      let changes = changes(from: known, to: newest.state)
      if !changes.isEmpty { return Delivery(state: newest.state, changes: changes) }
      reached = newest.state.generation
    }
    return nil
  }

  /// What tells two states apart between which there are others.
  private func changes(from old: State, to new: State) -> ChangeSet {
    let query = new.query
    guard let between = window.changes(since: old.generation, upTo: new.generation) else {
      let keys = Dictionary(new.index.rowIDs.map { ($0, query.keyNames) }) { first, _ in first }
      return ChangeSet(from: old.index, to: new.index, changedKeys: keys)
    }
    var placed = Dictionary(between.led.map { ($0, [String]()) }) { first, _ in first }
    for (rowID, content) in between.contents {
      if let row = content.row, query.statements.mayMove(row) { placed[rowID] = [] }
    }
    let changes =
      between.arePlacesKnown
      ? ChangeSet(from: old.index, to: new.index, touching: placed)
      : ChangeSet(from: old.index, to: new.index, changedKeys: placed)
    let keys = between.contents.mapValues { query.changedKeys(of: $0.row, related: $0.related) }
    return changes.noting(changedKeys: keys, from: old.index, to: new.index)
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
