/// The running calls of a store, and the waiters for their end.
struct RunningCalls<Waiter> {
  enum Admission {
    /// The call is counted.
    case admitted
    /// The call is counted, and was made after the store was closed. Only a part of a running
    /// call may continue.
    case admittedAfterClosing
    /// The call is not counted, because the store is closed and no call is running.
    case refused
  }

  private var count = 0
  private var isClosed = false
  private var waiters: [Waiter] = []

  /// Counts a call, unless the last one has ended.
  mutating func enter() -> Admission {
    if isClosed && count == 0 { return .refused }
    count += 1
    return isClosed ? .admittedAfterClosing : .admitted
  }

  /// Ends a counted call.
  ///
  /// - Returns: The waiters to resume, after the lock is released.
  mutating func leave() -> [Waiter] {
    count -= 1
    return takeWaiters()
  }

  /// Refuses new calls.
  ///
  /// - Returns: The waiters to resume, after the lock is released.
  mutating func close(_ waiter: Waiter) -> [Waiter] {
    isClosed = true
    waiters.append(waiter)
    return takeWaiters()
  }

  private mutating func takeWaiters() -> [Waiter] {
    guard isClosed && count == 0 else { return [] }
    defer { waiters = [] }
    return waiters
  }
}
