/// The numbers of commits that have begun, and of those that have ended: that were reported to
/// subscribers or have failed.
struct CommitCounts {
  private var begun = 0
  private var ended = 0

  /// The number of the last commit that has begun, from 1. Nil if it has ended.
  var lastUnended: Int? { haveEnded(upTo: begun) ? nil : begun }

  mutating func begin() { begun += 1 }

  /// Records that all commits that have begun have ended.
  mutating func end() { ended = begun }

  /// Records that a commit and all earlier ones have ended.
  mutating func end(upTo commit: Int) { ended = max(ended, commit) }

  /// Whether a commit and all earlier ones have ended.
  func haveEnded(upTo commit: Int) -> Bool { ended >= commit }
}
