import MohoMapping
import Synchronization

/// Counts the running calls of a store. After it is closed, it refuses new calls.
///
/// - Complexity: Each call locks and unlocks twice.
final class CallGate: Sendable {
  private let calls = Lock(RunningCalls<@Sendable () -> Void>())

  /// Counts a call until ``leave()`` is called.
  ///
  /// - Parameter isNested: Returns whether the call is part of a running one, which is not
  ///   refused. Called only after the gate was closed, because it may wait for a connection of
  ///   the store, and not after the last call, because the connections are closed then.
  /// - Throws: ``StoreError/closedStore``, without counting the call.
  func enter(allowingNested isNested: () -> Bool = { false }) throws {
    switch calls.withLock({ $0.enter() }) {
    case .admitted: return
    case .admittedAfterClosing:
      if isNested() { return }
      leave()
    case .refused: break
    }
    throw StoreError.closedStore
  }

  func leave() {
    for waiter in calls.withLock({ $0.leave() }) { waiter() }
  }

  /// Refuses new calls, and calls a closure when no call is running.
  func close(_ onIdle: @escaping @Sendable () -> Void) {
    for waiter in calls.withLock({ $0.close(onIdle) }) { waiter() }
  }
}
