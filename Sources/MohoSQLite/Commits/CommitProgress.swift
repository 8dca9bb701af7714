import Foundation
import MohoRows

/// The progress of a connection's commits. Readers wait for it.
///
/// A reader may see a commit before subscribers receive it.
// `@unchecked`: all state is guarded by the condition.
final class CommitProgress: @unchecked Sendable {
  private let condition = NSCondition()
  private var commits = CommitCounts()

  /// Records that a transaction is about to be committed.
  func begin() {
    condition.lock()
    commits.begin()
    condition.unlock()
  }

  /// Records that all commits that have begun were reported or have failed.
  func end() {
    condition.lock()
    commits.end()
    condition.broadcast()
    condition.unlock()
  }

  /// Records that a commit and all earlier ones were reported or have failed.
  func end(upTo commit: Int) {
    condition.lock()
    commits.end(upTo: commit)
    condition.broadcast()
    condition.unlock()
  }

  /// The number of the last commit that has begun, or nil if it has ended.
  var lastUnended: Int? {
    condition.lock()
    defer { condition.unlock() }
    return commits.lastUnended
  }

  /// Waits until a commit and all earlier ones were reported to subscribers or have failed.
  /// Subscribers must not call this method while they receive a commit.
  func wait(for commit: Int) {
    condition.lock()
    while !commits.haveEnded(upTo: commit) { condition.wait() }
    condition.unlock()
  }
}
