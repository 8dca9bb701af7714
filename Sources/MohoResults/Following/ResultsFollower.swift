import Dispatch
import MohoChanges
import MohoMapping
import MohoRows
import Synchronization

/// Follows a result from commit to commit, and delivers its states to waiting
/// consumers.
///
/// States are computed on the queue of the store's observers, one after the other. The
/// lock guards only the exchange of states. It is never held while reading from
/// the store or resuming a continuation.
final class ResultsFollower: Sendable {
  typealias State = ResultsState

  /// A state, and the changes that led to it from the previous one.
  struct Delivery: DeliveredState {
    let state: ResultsState
    let changes: LazyChangeSet

    var generation: Int { state.generation }
  }

  let store: ModelStore
  let history: SnapshotHistory
  /// Whether to read all IDs again after each commit.
  private let rescans: Bool
  private let delivery: StateChannel<Delivery>
  /// The summaries of the newest state's sections. Used on the queue of the store's
  /// observers only.
  let summaries: Lock<LiveSummaries?>
  private let subscription = Lock<CommitSubscription?>(nil)
  private let counts = Lock<[ResultsTransition.Strategy: Int]>([:])

  init(
    _ store: ModelStore, _ query: ResultsQuery, startingWith initialRows: InitialRows,
    rescans: Bool, _ reader: StoreReader
  ) throws {
    self.store = store
    self.rescans = rescans
    history = SnapshotHistory(cacheCapacity: query.cacheCapacity)
    let rows = try initialRows == .allRows ? query.rows(reader) : query.firstRows(reader)
    let summaries = try query.liveSummaries(of: rows, reader)
    self.summaries = Lock(summaries)
    let state = State(
      query: query, generation: 0, rows: rows, summaries: summaries?.sections,
      token: history.token(for: 0))
    delivery = StateChannel(Delivery(state: state, changes: LazyChangeSet(ChangeSet())))
  }

  /// Fetches the result of a request, and follows it.
  static func following<Model>(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates?, in store: ModelStore, startingWith initialRows: InitialRows,
    rescans: Bool
  ) throws -> ResultsFollower {
    let (follower, subscription) = try store.observe(
      { reader in
        let query = try ResultsQuery(
          request, sectionedBy: section, summaries: summaries, reader)
        return try ResultsFollower(
          store, query, startingWith: initialRows, rescans: rescans, reader)
      },
      onCommit: { follower, commit, reader in follower.follow(commit, reader) })
    follower.retain(subscription)
    if !follower.state.rows.isComplete {
      DispatchQueue.global(qos: .userInitiated).async { [weak follower] in
        follower?.readRemainingRows()
      }
    }
    return follower
  }

  var state: State { delivery.state.withLock { $0.newest.state } }

  /// The newest state, and the changes that led to it.
  var lastTransition: (generation: Int, changes: ChangeSet) {
    let newest = delivery.state.withLock { $0.newest }
    return (newest.state.generation, newest.changes.value)
  }

  /// The number of commits that were followed with each strategy.
  var strategyCounts: [ResultsTransition.Strategy: Int] { counts.withLock { $0 } }

  /// Retains a subscription as long as the follower exists. Snapshots also
  /// retain the follower.
  func retain(_ subscription: CommitSubscription) {
    self.subscription.withLock { $0 = subscription }
  }

  /// Processes a commit. Called on the queue of the store's observers.
  func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    deliver {
      // After a commit that could not be read, its changes cannot be
      // determined.
      let (old, missesCommits) = newestState
      let commit = try commit.get()
      if !missesCommits, try !affects(commit, old, reader) { return nil }
      let transition = try old.query.transition(
        from: old.rows, commit, missesCommits: missesCommits, rescans: rescans, reader)
      let summaries = try updateSummaries(
        after: old, missesCommits ? nil : commit, transition, reader)
      let rows = transition?.rows ?? old.rows
      let changes = Self.changes(transition?.changes, from: old, to: rows, summaries)
      if transition == nil && changes == nil {
        return delivery.state.withLock { ($0.confirm(), .success($0.newest)) }
      }
      if let transition { counts.withLock { $0[transition.strategy, default: 0] += 1 } }
      let state = state(after: old, rows, summaries, of: old.query, hasChanges: changes != nil)
      return publish(state, changes, transition.map(\.touched) ?? TouchedRows())
    }
  }

  /// Returns whether a commit may affect the result, based on the written rows
  /// only.
  private func affects(
    _ commit: CommittedChanges, _ state: State, _ reader: StoreReader
  ) throws -> Bool {
    guard !rescans, state.query.summaries?.result.readsOnlyOwnTable != false,
      let rows = try reader.fewOwnRows(of: state.query.result, by: commit)
    else { return true }
    return !rows.allSatisfy { state.query.isUnaffected(by: $1, $0, in: state.rows) }
      || !history.canIgnoreWrites(of: rows.keys)
  }

  /// Replaces the request.
  ///
  /// - Parameter prepare: A closure that receives the first state of the new
  ///   request, before any consumer. If it throws, the previous request remains
  ///   in effect.
  func follow<Model>(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates? = nil,
    _ prepare: (State, StoreReader) throws -> Void = { _, _ in }
  ) throws {
    let delivered = try store.readNewest { reader in
      let query = try ResultsQuery(request, sectionedBy: section, summaries: summaries, reader)
      let rows = try query.rows(reader)
      let live = try query.liveSummaries(of: rows, reader)
      let (old, missesCommits) = newestState
      history.raiseCacheCapacity(to: query.cacheCapacity)
      let keys = missesCommits ? query.allKeys(of: rows.visible) : [:]
      let rowChanges = ChangeSet(from: old.index, to: rows.visible, changedKeys: keys)
      let changes = Self.changes(
        rowChanges.isEmpty ? nil : LazyChangeSet(rowChanges), from: old, to: rows, live?.sections)
      let state = state(after: old, rows, live?.sections, of: query, hasChanges: changes != nil)
      try prepare(state, reader)
      self.summaries.withLock { $0 = live }
      history.forgetMoves(before: old.generation + 1)
      return publish(state, changes, missesCommits ? nil : TouchedRows())
    }
    resume(delivered)
  }

  /// Reads the rows after the first batch.
  func readRemainingRows() {
    deliver {
      try store.readNewest { reader in
        let (old, missesCommits) = newestState
        if old.rows.isComplete { return nil }
        let rows = try old.query.rows(reader)
        let (before, after) = (old.index, rows.visible)
        let keys = missesCommits ? old.query.allKeys(of: after) : [:]
        let rowChanges = LazyChangeSet { ChangeSet(from: before, to: after, changedKeys: keys) }
        let live = try old.query.liveSummaries(of: rows, reader)
        summaries.withLock { $0 = live }
        let changes = Self.changes(
          before.count != after.count ? rowChanges : nil, from: old, to: rows, live?.sections)
        return publish(
          state(after: old, rows, live?.sections, of: old.query, hasChanges: changes != nil),
          changes, missesCommits ? nil : TouchedRows())
      }
    }
  }

  /// The newest state, and whether later commits could not be read.
  private var newestState: (State, missesCommits: Bool) {
    delivery.state.withLock { ($0.newest.state, $0.failure != nil) }
  }

  /// Returns the state that follows another one. If visible rows have changed,
  /// its generation increases by one.
  private func state(
    after old: State, _ rows: ResultsRows, _ summaries: SectionSummaries?,
    of query: ResultsQuery, hasChanges: Bool
  ) -> State {
    let generation = old.generation + (hasChanges ? 1 : 0)
    return State(
      query: query, generation: generation, rows: rows, summaries: summaries,
      token: hasChanges ? history.token(for: generation) : old.token)
  }

  /// Waiters, and the result to resume them with.
  private typealias Delivered = (
    waiters: [StateChannel<Delivery>.Waiter], result: Result<Delivery?, any Error>
  )

  /// Publishes the next state.
  ///
  /// - Parameter changes: `nil` if the visible rows are unchanged.
  private func publish(
    _ state: State, _ changes: LazyChangeSet?, _ touched: TouchedRows?
  ) -> Delivered {
    // Record this before any consumer can receive the state.
    history.record(touched, generation: state.generation, isNew: changes != nil)
    guard let changes else {
      return delivery.state.withLock { delivery in
        let newest = Delivery(state: state, changes: delivery.newest.changes)
        return (delivery.confirm(newest), .success(newest))
      }
    }
    let newest = Delivery(state: state, changes: changes)
    return (delivery.state.withLock { $0.publish(newest) }, .success(newest))
  }

  /// Runs a closure that publishes a state, and resumes the waiters with the state
  /// or the error.
  private func deliver(_ update: () throws -> Delivered?) {
    do {
      resume(try update())
    } catch {
      if !StoreError.isEnd(error) { history.suspend() }
      delivery.fail(error)
    }
  }

  private func resume(_ delivered: Delivered?) {
    guard let delivered else { return }
    for waiter in delivered.waiters { waiter.resume(with: delivered.result) }
  }

  /// Waits for a state that differs from the given one. Returns it with the
  /// changes between the two, or `nil` if the task is canceled.
  ///
  /// - Parameter hasFailed: Whether the last call has thrown an error. If so, the
  ///   method waits until a commit can be read, and returns the newest state even
  ///   if it does not differ.
  func next(after known: State, hasFailed: Bool = false) async throws -> Delivery? {
    var generation = known.generation
    while let newest = try await delivery.newest(after: generation, hasFailed: hasFailed) {
      if newest.state.generation == known.generation + 1 { return newest }
      let isSame = newest.state.generation == known.generation
      let changes = isSame ? ChangeSet() : changes(from: known, to: newest.state)
      if hasFailed || !changes.isEmpty {
        return Delivery(state: newest.state, changes: LazyChangeSet(changes))
      }
      generation = newest.state.generation
    }
    return nil
  }

  /// Reads from the store in the newest state. If possible, does not wait for
  /// writers.
  ///
  /// - Parameter body: A closure that receives the newest state and the changes
  ///   since the given one. It runs again if a newer state is published in the
  ///   meantime.
  func readNewest<Value>(
    since known: State, _ body: (Delivery, StoreReader) throws -> Value
  ) throws -> Value {
    for _ in 0..<2 {
      let newest = try newest(since: known)
      guard let value = try store.readConcurrently({ try body(newest, $0) }) else { break }
      // In this case, no commit that was read has changed the result.
      if state.generation == newest.state.generation { return value }
    }
    return try store.readNewest { try body(newest(since: known), $0) }
  }

  /// Returns the newest state with the changes since the given one.
  ///
  /// - Throws: The error that prevented reading the state after a commit.
  func newest(since known: State) throws -> Delivery {
    let newest: Delivery = try delivery.state.withLock { delivery in
      if let failure = delivery.failure { throw failure }
      return delivery.newest
    }
    switch newest.state.generation - known.generation {
    case 0: return Delivery(state: newest.state, changes: LazyChangeSet(ChangeSet()))
    case 1: return newest
    default:
      let changes = changes(from: known, to: newest.state)
      return Delivery(state: newest.state, changes: LazyChangeSet(changes))
    }
  }

  /// Returns the changes between two states with other states in between.
  private func changes(from old: State, to new: State) -> ChangeSet {
    let between = history.changes(since: old.generation, upTo: new.generation)
    let changes =
      between.map { new.query.changes(from: old.rows, to: new.rows, $0) }
      ?? ChangeSet(from: old.index, to: new.index, changedKeys: new.query.allKeys(of: new.index))
    guard let summaries = new.summaries else { return changes }
    return changes.addingSectionUpdates(
      summaries.changes(since: old.summaries, in: new.index, changes))
  }

  /// Waits for a state that is newer than a generation. Returns `nil` if the task
  /// is canceled.
  func newest(after generation: Int) async throws -> Delivery? {
    try await delivery.newest(after: generation)
  }
}
