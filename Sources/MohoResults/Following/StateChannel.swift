import MohoMapping
import MohoRows
import Synchronization

/// Delivers the states of a result or a value to waiting consumers.
final class StateChannel<State: DeliveredState>: Sendable {
  typealias Waiter = CheckedContinuation<State?, any Error>

  let state: Lock<DeliveryState<State, Waiter>>

  init(_ newest: State) { state = Lock(DeliveryState(newest)) }

  /// Records an error of following a commit, and resumes the waiters: with nil if the store was
  /// closed, and otherwise with the error.
  func fail(_ error: any Error) {
    let isEnd = StoreError.isEnd(error)
    for waiter in state.withLock({ isEnd ? $0.finish() : $0.fail(error) }) {
      if isEnd { waiter.resume(returning: nil) } else { waiter.resume(throwing: error) }
    }
  }

  /// Waits for a state that is newer than a generation. Returns `nil` if the task
  /// is canceled, or if the store was closed.
  ///
  /// - Parameter hasFailed: Whether the last call has thrown an error. If so, the
  ///   method waits until a commit can be read, and returns the newest state even
  ///   if its generation is the same.
  func newest(after generation: Int, hasFailed: Bool = false) async throws -> State? {
    if !Task.isCancelled, let newest = state.withLock({ $0.newest(after: generation) }) {
      return newest
    }
    let id = state.withLock { $0.makeID() }
    // The task may be canceled after the result has been determined.
    defer { state.withLock { $0.forget(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let result = state.withLock {
          $0.wait(id, after: generation, hasFailed: hasFailed, waiter)
        }
        if let result { waiter.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.cancel(id) }?.resume(returning: nil)
    }
  }
}
