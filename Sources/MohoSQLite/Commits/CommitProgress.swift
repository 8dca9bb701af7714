import Foundation
import MohoRows

/// The progress of a connection's commits, for which readers can wait.
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

  /// Records that subscribers have received the commit, or that it has failed.
  func end() {
    condition.lock()
    commits.end()
    condition.broadcast()
    condition.unlock()
  }

  /// The number of the last commit that has begun, or nil if subscribers have received it.
  var unreported: Int? {
    condition.lock()
    defer { condition.unlock() }
    return commits.unreported
  }

  /// Waits until subscribers have received a commit and all earlier ones, or these have failed.
  /// Subscribers must not call this method while they receive a commit.
  func wait(for commit: Int) {
    condition.lock()
    while !commits.areReported(upTo: commit) { condition.wait() }
    condition.unlock()
  }
}

/// The numbers of commits that have begun, and of those that subscribers have received.
struct CommitCounts {
  private var begun = 0
  private var reported = 0

  /// The number of the last commit that has begun, or nil if it is reported.
  var unreported: Int? { areReported(upTo: begun) ? nil : begun }

  mutating func begin() { begun += 1 }

  /// Records that subscribers have received all commits that have begun, or that these have
  /// failed.
  mutating func end() { reported = begun }

  /// Whether subscribers have received a commit and all earlier ones.
  ///
  /// - Parameter commit: The number of the commit, from 1.
  func areReported(upTo commit: Int) -> Bool { reported >= commit }
}
