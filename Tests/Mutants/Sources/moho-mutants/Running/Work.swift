import Foundation
import Synchronization

/// Performs work on several threads.
enum Work {
  /// Calls a function for each item, in order. The first error ends the work.
  static func perform<Item: Sendable>(
    _ items: [Item], jobs: Int, _ body: @Sendable (Item) throws -> Void
  ) throws {
    let next = Mutex(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      while failure.withLock({ $0 == nil }) {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < items.count else { return }
        do { try body(items[index]) } catch { failure.withLock { $0 = $0 ?? error } }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
