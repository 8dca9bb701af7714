import Foundation

/// How far the commits of a connection are: begun, or told to all subscribers.
///
/// A reader may see a commit before subscribers hear of it.
// `@unchecked`: all state is guarded by the condition.
final class CommitProgress: @unchecked Sendable {
  private let condition = NSCondition()
  private var begun = 0
  private var told = 0

  /// A transaction is about to be committed.
  func begin() {
    condition.lock()
    begun += 1
    condition.unlock()
  }

  /// Subscribers have been told of the commit, or it was none.
  func end() {
    condition.lock()
    told = begun
    condition.broadcast()
    condition.unlock()
  }

  /// Whether subscribers have been told of all commits that have begun.
  var isDone: Bool {
    condition.lock()
    defer { condition.unlock() }
    return told == begun
  }

  /// Waits until subscribers have been told of all commits that have begun. Not
  /// to be called where they are told.
  func wait() {
    condition.lock()
    let goal = begun
    while told < goal { condition.wait() }
    condition.unlock()
  }
}
