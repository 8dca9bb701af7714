import MohoChanges

/// The newest state of a result and who waits for a newer one: a value whose
/// events return what is to be done outside of its lock.
struct DeliveryState: Sendable {
  typealias Waiter = CheckedContinuation<Delivery?, any Error>

  /// A state, and what led to it from the one before.
  struct Delivery: Sendable {
    let state: ResultsState
    let changes: FoundChanges
  }

  private(set) var newest: Delivery
  private(set) var failure: (any Error)?
  private var waiters: [Int: Waiter] = [:]
  private var canceled: Set<Int> = []
  private var nextID = 0

  init(_ state: ResultsState) {
    newest = Delivery(state: state, changes: FoundChanges(ChangeSet()))
  }

  mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  /// A newer state is there: those who wait get it.
  mutating func publish(_ delivery: Delivery) -> [Waiter] {
    newest = delivery
    failure = nil
    return removeWaiters()
  }

  /// The newest state is still that of the store.
  mutating func confirm() { failure = nil }

  /// The newest state is still that of the store, as far as it is shown.
  mutating func confirm(_ state: ResultsState) {
    failure = nil
    newest = Delivery(state: state, changes: newest.changes)
  }

  /// The state after a commit cannot be read: those who wait, and those who
  /// ask before a later commit can be read again, get the error.
  mutating func fail(_ error: any Error) -> [Waiter] {
    failure = error
    return removeWaiters()
  }

  /// What somebody who knows a generation gets without waiting.
  func newest(after generation: Int) -> Delivery? {
    newest.state.generation > generation ? newest : nil
  }

  /// What somebody who knows a generation gets at once, or nil if there is
  /// nothing yet and the waiter is kept.
  mutating func wait(
    _ id: Int, after generation: Int, _ waiter: Waiter
  ) -> Result<Delivery?, any Error>? {
    if canceled.remove(id) != nil { return .success(nil) }
    if newest.state.generation > generation { return .success(newest) }
    if let failure { return .failure(failure) }
    waiters[id] = waiter
    return nil
  }

  /// Somebody waits no longer, or will not begin to.
  mutating func cancel(_ id: Int) -> Waiter? {
    if let waiter = waiters.removeValue(forKey: id) { return waiter }
    canceled.insert(id)
    return nil
  }

  /// Nobody asks by this identity any more.
  mutating func forget(_ id: Int) { canceled.remove(id) }

  private mutating func removeWaiters() -> [Waiter] {
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
