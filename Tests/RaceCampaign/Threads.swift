import Foundation

/// Runs each body on a separate thread, and waits for all of them.
///
/// Tasks would not do: their pool has one thread for each core, so that
/// blocking bodies would run one after another on small machines.
///
/// - Throws: The first error of a body.
func onThreads(_ bodies: [@Sendable () throws -> Void]) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for body in bodies {
      group.addTask {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
          Thread { done.resume(with: Result { try body() }) }.start()
        }
      }
    }
    try await group.waitForAll()
  }
}
