import Synchronization

/// Wakes the clients of a live value when it has an event, and for heartbeats.
final class EventSignal: Sendable {
  private struct State {
    var waiting: [Int: CheckedContinuation<Bool, any Error>] = [:]
    var lastID = 0
  }

  private let state = Mutex(State())

  /// Waits for the next event, or for a heartbeat.
  ///
  /// - Returns: Whether there is an event.
  /// - Throws: The error of ``fail(_:)``, and `CancellationError`.
  func wait() async throws -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard !Task.isCancelled else { return false }
          state.waiting[id] = continuation
          return true
        }
        if !isWaiting { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Wakes all waiting clients.
  func wake(isEvent: Bool) {
    for continuation in takeWaiting() { continuation.resume(returning: isEvent) }
  }

  /// Ends all waiting clients with an error.
  func fail(_ error: any Error) {
    for continuation in takeWaiting() { continuation.resume(throwing: error) }
  }

  /// Wakes all waiting clients after each interval, until the task is canceled.
  func beat(every interval: Duration) async {
    while (try? await Task.sleep(for: interval)) != nil { wake(isEvent: false) }
  }

  private func takeWaiting() -> [CheckedContinuation<Bool, any Error>] {
    state.withLock { state in
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
  }
}
