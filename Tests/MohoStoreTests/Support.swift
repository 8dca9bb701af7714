import Foundation
import Synchronization

/// The statements that a connection has executed.
final class StatementTrace: Sendable {
  private let log = Mutex<[String]>([])

  var statements: [String] { log.withLock { $0 } }

  func add(_ statement: String) { log.withLock { $0.append(statement) } }
}

/// Runs a closure concurrently on several threads and throws the first error.
func atOnce(
  count: Int, _ body: @escaping @Sendable () throws -> Void
) throws {
  let errors = Mutex<[any Error]>([])
  DispatchQueue.concurrentPerform(iterations: count) { _ in
    do { try body() } catch { errors.withLock { $0.append(error) } }
  }
  if let error = errors.withLock({ $0.first }) { throw error }
}

/// Runs a closure and returns the error that it throws, or nil.
func caughtError(_ body: () throws -> Void) -> (any Error)? {
  do { try body() } catch { return error }
  return nil
}
