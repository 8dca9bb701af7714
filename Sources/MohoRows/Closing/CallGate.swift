import MohoMapping
import Synchronization

/// Counts the running calls of a store. After it was closed, it refuses new ones.
///
/// - Complexity: Two atomic operations for each call of an open store.
final class CallGate: Sendable {
  /// The bit of a closed gate.
  private static let closed = 1 << (Int.bitWidth - 2)
  /// The bit of a closed gate after its last call. The other bits are the number of calls.
  private static let ended = 1 << (Int.bitWidth - 3)

  private let state = Atomic<Int>(0)
  private let waiters = Lock<[@Sendable () -> Void]>([])

  /// Counts a call until ``leave()`` is called.
  ///
  /// - Parameter isNested: Returns whether the call is part of a running one, which is not
  ///   refused. Called only after the gate was closed, because it may wait for a connection of
  ///   the store, and not after the last call, because the connections are closed then.
  /// - Throws: ``StoreError/closedStore``, without counting the call.
  func enter(unless isNested: () -> Bool = { false }) throws {
    let old = state.add(1, ordering: .sequentiallyConsistent).oldValue
    if old & Self.closed == 0 || old & Self.ended == 0 && isNested() { return }
    leave()
    throw StoreError.closedStore
  }

  func leave() {
    let new = state.subtract(1, ordering: .sequentiallyConsistent).newValue
    if new == Self.closed { end() }
  }

  /// Refuses new calls, and calls a closure when no call is running.
  func close(_ onIdle: @escaping @Sendable () -> Void) {
    state.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    waiters.withLock { $0.append(onIdle) }
    // The last call may have ended before the closure was added.
    let state = state.load(ordering: .sequentiallyConsistent)
    if state == Self.closed { end() } else if state & Self.ended != 0 { resume() }
  }

  /// Ends the gate after the last call. If another call is being refused meanwhile, that
  /// call ends the gate.
  private func end() {
    let (isEnded, _) = state.compareExchange(
      expected: Self.closed, desired: Self.closed | Self.ended,
      ordering: .sequentiallyConsistent)
    if isEnded { resume() }
  }

  private func resume() {
    let idle = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in idle { waiter() }
  }
}
