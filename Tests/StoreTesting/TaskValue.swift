import Synchronization

/// A task has not ended in time.
package struct UnendedTask: Error {}

/// Returns the value of a task. If the task does not end in time, cancels it and throws an
/// ``UnendedTask``, also if the task ignores the cancellation: a test fails instead of waiting
/// forever.
package func value<Value: Sendable>(
  of task: Task<Value, any Error>, within limit: Duration = .seconds(120)
) async throws -> Value {
  let first = FirstResult<Value>()
  return try await withCheckedThrowingContinuation { continuation in
    first.setContinuation(continuation)
    let timer = Task {
      try await Task.sleep(for: limit)
      task.cancel()
      first.resume(with: .failure(UnendedTask()))
    }
    Task {
      first.resume(with: await task.result)
      timer.cancel()
    }
  }
}

/// Resumes a continuation once.
private final class FirstResult<Value: Sendable>: Sendable {
  private let continuation = Mutex<CheckedContinuation<Value, any Error>?>(nil)

  func setContinuation(_ continuation: CheckedContinuation<Value, any Error>) {
    self.continuation.withLock { $0 = continuation }
  }

  func resume(with result: Result<Value, any Error>) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(with: result)
  }
}
