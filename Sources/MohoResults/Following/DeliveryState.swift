import MohoChanges

/// The newest state of a result, and the consumers that wait for a newer one.
///
/// A pure value: its events return the continuations to resume outside of the
/// lock that guards it.
struct DeliveryState: Sendable {
  typealias Waiter = CheckedContinuation<Delivery?, any Error>

  /// A state, and the changes that led to it from the previous one.
  struct Delivery: Sendable {
    let state: ResultsState
    let changes: LazyChangeSet
  }

  private(set) var newest: Delivery
  private(set) var failure: (any Error)?
  private var waiters: [Int: Waiter] = [:]
  private var canceled: Set<Int> = []
  private var nextID = 0

  init(_ state: ResultsState) {
    newest = Delivery(state: state, changes: LazyChangeSet(ChangeSet()))
  }

  mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  /// Publishes a newer state. Returns the waiters that receive it.
  mutating func publish(_ delivery: Delivery) -> [Waiter] {
    newest = delivery
    failure = nil
    return removeWaiters()
  }

  /// Confirms that the newest state is still that of the store.
  mutating func confirm() { failure = nil }

  /// Replaces the newest state by one whose visible rows are the same.
  mutating func confirm(_ state: ResultsState) {
    failure = nil
    newest = Delivery(state: state, changes: newest.changes)
  }

  /// Records that the state after a commit cannot be read. Returns the waiters
  /// that receive the error. Consumers that ask before a later commit can be read
  /// also receive it.
  mutating func fail(_ error: any Error) -> [Waiter] {
    failure = error
    return removeWaiters()
  }

  /// The newest state, if it is newer than a generation.
  func newest(after generation: Int) -> Delivery? {
    newest.state.generation > generation ? newest : nil
  }

  /// Returns the result for a consumer that knows a generation, or stores its
  /// waiter and returns `nil` if there is no result yet.
  mutating func wait(
    _ id: Int, after generation: Int, _ waiter: Waiter
  ) -> Result<Delivery?, any Error>? {
    if canceled.remove(id) != nil { return .success(nil) }
    if newest.state.generation > generation { return .success(newest) }
    if let failure { return .failure(failure) }
    waiters[id] = waiter
    return nil
  }

  /// Cancels the wait with an ID, even before it has begun. Returns its waiter.
  mutating func cancel(_ id: Int) -> Waiter? {
    if let waiter = waiters.removeValue(forKey: id) { return waiter }
    canceled.insert(id)
    return nil
  }

  /// Removes what is stored for an ID that is no longer used.
  mutating func forget(_ id: Int) { canceled.remove(id) }

  private mutating func removeWaiters() -> [Waiter] {
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
