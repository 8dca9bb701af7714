import MohoChanges
import MohoMapping
import MohoStore
import Synchronization

/// Follows a result from commit to commit and hands its states to those who
/// wait for them.
///
/// States are made on the store's writer queue, one after the other; the lock
/// is held to exchange them only, never while reading or resuming.
final class ResultsFollower: Sendable {
  typealias State = ResultsState
  typealias Delivery = DeliveryState.Delivery

  let store: ModelStore
  let window: ModelWindow
  /// Whether all identities are read anew after each commit.
  private let rescans: Bool
  private let delivery: Lock<DeliveryState>
  private let subscription = Lock<CommitSubscription?>(nil)
  private let ways = Lock<[ResultsStep.Way: Int]>([:])

  init(
    _ store: ModelStore, _ query: ResultsQuery, startingWith start: ResultsStart,
    rescans: Bool, _ reader: StoreReader
  ) throws {
    self.store = store
    self.rescans = rescans
    window = ModelWindow(capacity: min(query.batchSize, Int.max / 8) * 8)
    let rows = try start == .allRows ? query.rows(reader) : query.firstRows(reader)
    let state = State(query: query, generation: 0, rows: rows, life: window.life(of: 0))
    delivery = Lock(DeliveryState(state))
  }

  var state: State { delivery.withLock { $0.newest.state } }

  /// The newest state and what led to it.
  var lastStep: (generation: Int, changes: ChangeSet) {
    let newest = delivery.withLock { $0.newest }
    return (newest.state.generation, newest.changes.value)
  }

  /// How often commits were followed in each way.
  var counts: [ResultsStep.Way: Int] { ways.withLock { $0 } }

  /// Follows commits for as long as the follower lives, which snapshots hold
  /// too.
  func keep(_ subscription: CommitSubscription) { self.subscription.withLock { $0 = subscription } }

  /// Takes a commit into account. Called on the store's writer queue.
  func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    let waiters: [DeliveryState.Waiter]
    let result: Result<Delivery?, any Error>
    do {
      // What an unread commit has changed is not known any more.
      let (old, isBehind) = delivery.withLock { ($0.newest.state, $0.failure != nil) }
      let commit = try commit.get()
      if !isBehind, try !concerns(commit, old, reader) { return }
      let step = try old.query.step(
        from: old.rows, commit, isBehind: isBehind, rescans: rescans, reader)
      guard let step else { return delivery.withLock { $0.confirm() } }
      ways.withLock { $0[step.way, default: 0] += 1 }
      let state = state(after: old, step.rows, of: old.query, isNew: step.changes != nil)
      (waiters, result) = publish(state, step.changes, step.touched)
    } catch {
      window.fallBehind()
      waiters = delivery.withLock { $0.fail(error) }
      result = .failure(error)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Whether a commit may have to do with a result, as far as can be told by the
  /// written rows themselves.
  private func concerns(
    _ commit: CommittedChanges, _ state: State, _ reader: StoreReader
  ) throws -> Bool {
    guard !rescans, let rows = try state.query.ownRows(of: commit, reader) else { return true }
    return !rows.allSatisfy { state.query.isUnconcerned($0, $1, in: state.rows) }
      || !window.mayForget(rows.keys)
  }

  /// Follows another request from now on.
  ///
  /// - Parameter prepare: Is handed the state that the request leads to, before
  ///   anybody else gets it. Where it throws, the request stays the one before.
  func follow<Model>(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    _ prepare: (State) throws -> Void = { _ in }
  ) throws {
    let (waiters, result) = try store.readNewest { reader in
      let query = try ResultsQuery(request, sectionedBy: section, reader)
      let rows = try query.rows(reader)
      let (old, isBehind) = delivery.withLock { ($0.newest.state, $0.failure != nil) }
      let keys = isBehind ? query.allKeys(of: rows.visible) : [:]
      let changes = ChangeSet(from: old.index, to: rows.visible, changedKeys: keys)
      let state = state(after: old, rows, of: query, isNew: !changes.isEmpty)
      try prepare(state)
      window.forgetPlaces(before: old.generation + 1)
      return publish(
        state, changes.isEmpty ? nil : FoundChanges(changes), isBehind ? nil : TouchedRows())
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Reads the rows that are not there yet.
  func complete() {
    let waiters: [DeliveryState.Waiter]
    let result: Result<Delivery?, any Error>
    do {
      (waiters, result) = try store.readNewest { reader in
        let (old, isBehind) = delivery.withLock { ($0.newest.state, $0.failure != nil) }
        if old.rows.areAll { return ([], .success(nil)) }
        let rows = try old.query.rows(reader)
        let (before, after) = (old.index, rows.visible)
        let keys = isBehind ? old.query.allKeys(of: after) : [:]
        let changes = FoundChanges { ChangeSet(from: before, to: after, changedKeys: keys) }
        let isNew = before.count != after.count
        return publish(
          state(after: old, rows, of: old.query, isNew: isNew), isNew ? changes : nil,
          isBehind ? nil : TouchedRows())
      }
    } catch {
      window.fallBehind()
      waiters = delivery.withLock { $0.fail(error) }
      result = .failure(error)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// The state that follows another: of the next generation, if anything shown
  /// has changed.
  private func state(
    after old: State, _ rows: ResultsRows, of query: ResultsQuery, isNew: Bool
  ) -> State {
    let generation = old.generation + (isNew ? 1 : 0)
    return State(
      query: query, generation: generation, rows: rows,
      life: isNew ? window.life(of: generation) : old.life)
  }

  /// Takes on the next state.
  ///
  /// - Parameter changes: Nil where nothing shown has changed.
  private func publish(
    _ state: State, _ changes: FoundChanges?, _ touched: TouchedRows?
  ) -> ([DeliveryState.Waiter], Result<Delivery?, any Error>) {
    // Before anybody can know the new state.
    window.note(touched, generation: state.generation)
    guard let changes else {
      delivery.withLock { $0.confirm(state) }
      return ([], .success(nil))
    }
    let newest = Delivery(state: state, changes: changes)
    return (delivery.withLock { $0.publish(newest) }, .success(newest))
  }

  /// The newest state that differs from one that is known, with the changes
  /// between the two; nil once the task is canceled.
  func next(after known: State) async throws -> Delivery? {
    var reached = known.generation
    while let newest = try await newest(after: reached) {
      if newest.state.generation == known.generation + 1 { return newest }
      let changes = changes(from: known, to: newest.state)
      if !changes.isEmpty {
        return Delivery(state: newest.state, changes: FoundChanges(changes))
      }
      reached = newest.state.generation
    }
    return nil
  }

  /// Reads what the store has in the newest state, beside whatever is being
  /// written if that is quick.
  ///
  /// - Parameter body: Is handed the newest state, with the changes since one
  ///   that is known. It may run again where there is a newer one meanwhile.
  func readNewest<Value>(
    since known: State, _ body: (Delivery) throws -> Value
  ) throws -> Value {
    for _ in 0..<2 {
      let newest = try newest(since: known)
      guard let value = try store.readBesideWriters({ _ in try body(newest) }) else { break }
      // No commit that has been read has changed the result then.
      if state.generation == newest.state.generation { return value }
    }
    return try store.readNewest { _ in try body(newest(since: known)) }
  }

  /// The newest state, with the changes since one that is known.
  ///
  /// - Throws: What has kept the state after a commit from being read.
  func newest(since known: State) throws -> Delivery {
    let newest: Delivery = try delivery.withLock { delivery in
      if let failure = delivery.failure { throw failure }
      return delivery.newest
    }
    switch newest.state.generation - known.generation {
    case 0: return Delivery(state: newest.state, changes: FoundChanges(ChangeSet()))
    case 1: return newest
    default:
      let changes = changes(from: known, to: newest.state)
      return Delivery(state: newest.state, changes: FoundChanges(changes))
    }
  }

  /// The changes between two states with others in between.
  private func changes(from old: State, to new: State) -> ChangeSet {
    guard let between = window.changes(since: old.generation, upTo: new.generation) else {
      return ChangeSet(
        from: old.index, to: new.index, changedKeys: new.query.allKeys(of: new.index))
    }
    return new.query.changes(from: old.rows, to: new.rows, between)
  }

  /// The newest state, once there is one behind a generation; nil once the task
  /// is canceled.
  func newest(after generation: Int) async throws -> Delivery? {
    if !Task.isCancelled, let newest = delivery.withLock({ $0.newest(after: generation) }) {
      return newest
    }
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
