/// A state with the number of earlier states.
protocol DeliveredState: Sendable {
  var generation: Int { get }
}

/// The newest state of a result or a value, and the consumers that wait for a
/// newer one.
///
/// The type is a value. Its methods return the waiters to resume outside of the lock that
/// guards it.
struct DeliveryState<State: DeliveredState, Waiter: Sendable>: Sendable {
  private(set) var newest: State
  private(set) var failure: (any Error)?
  /// Whether the store was closed, so that no newer state follows.
  private var isFinished = false
  private var waiters: [Int: Waiter] = [:]
  private var canceled: Set<Int> = []
  private var nextID = 0

  init(_ newest: State) { self.newest = newest }

  /// Whether no consumer waits or is about to wait.
  var isIdle: Bool { waiters.isEmpty && canceled.isEmpty }

  mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  /// Publishes a newer state. Returns the waiters that receive it.
  mutating func publish(_ state: State) -> [Waiter] {
    newest = state
    failure = nil
    return removeWaiters()
  }

  /// Confirms that the newest state matches the store. Returns the waiters that
  /// receive it: those that have received the error of an earlier commit.
  mutating func confirm() -> [Waiter] {
    guard failure != nil else { return [] }
    failure = nil
    return removeWaiters()
  }

  /// Replaces the newest state with an equal state. Returns the waiters that
  /// receive it.
  mutating func confirm(_ state: State) -> [Waiter] {
    newest = state
    return confirm()
  }

  /// Records that the state after a commit cannot be read. Returns the waiters
  /// that receive the error. Consumers that begin to wait also receive it, until
  /// a later commit can be read.
  mutating func fail(_ error: any Error) -> [Waiter] {
    failure = error
    return removeWaiters()
  }

  /// Records that no state follows. Returns the waiters that receive nil.
  mutating func finish() -> [Waiter] {
    isFinished = true
    failure = nil
    return removeWaiters()
  }

  /// Returns the newest state if it is newer than a generation.
  func newest(after generation: Int) -> State? {
    newest.generation > generation ? newest : nil
  }

  /// Returns the result for a consumer at a generation. If there is no result,
  /// stores the waiter and returns `nil`.
  ///
  /// - Parameter hasFailed: Whether the consumer has received an error since its
  ///   generation. It then waits until a commit can be read, and receives the
  ///   newest state even if its generation is the same.
  mutating func wait(
    _ id: Int, after generation: Int, hasFailed: Bool, _ waiter: Waiter
  ) -> Result<State?, any Error>? {
    if canceled.remove(id) != nil { return .success(nil) }
    if newest.generation > generation { return .success(newest) }
    if isFinished { return .success(nil) }
    if hasFailed && failure == nil { return .success(newest) }
    if let failure, !hasFailed { return .failure(failure) }
    waiters[id] = waiter
    return nil
  }

  /// Cancels the wait with an ID, even if it has not begun. Returns the waiter.
  mutating func cancel(_ id: Int) -> Waiter? {
    if let waiter = waiters.removeValue(forKey: id) { return waiter }
    canceled.insert(id)
    return nil
  }

  /// Removes the cancellation of an ID that is no longer used.
  mutating func forget(_ id: Int) { canceled.remove(id) }

  private mutating func removeWaiters() -> [Waiter] {
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
