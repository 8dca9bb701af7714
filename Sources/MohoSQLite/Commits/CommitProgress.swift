import Foundation
import MohoRows

/// The progress of a connection's commits. A commit has begun or has been
/// reported to all subscribers.
///
/// A reader may see a commit before subscribers receive it.
// `@unchecked`: all state is guarded by the condition.
final class CommitProgress: @unchecked Sendable {
  private let condition = NSCondition()
  private var begun = 0
  private var reported = 0

  /// Records that a transaction is about to be committed.
  func begin() {
    condition.lock()
    begun += 1
    condition.unlock()
  }

  /// Records that subscribers have received the commit, or that it has failed.
  func end() {
    condition.lock()
    reported = begun
    condition.broadcast()
    condition.unlock()
  }

  /// Whether subscribers have received all commits that have begun.
  var isDone: Bool {
    condition.lock()
    defer { condition.unlock() }
    return reported == begun
  }

  /// Waits until subscribers have received all commits that have begun.
  /// Subscribers must not call this method while they receive a commit.
  func wait() {
    condition.lock()
    let goal = begun
    while reported < goal { condition.wait() }
    condition.unlock()
  }
}
