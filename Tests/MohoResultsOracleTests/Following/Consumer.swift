import MohoChanges
import MohoResults

/// How a consumer takes updates.
enum ConsumerKind: CaseIterable {
  /// Takes each update.
  case eager
  /// Takes updates every few commits.
  case lagging
  /// Takes updates every few dozen commits.
  case sleepy
  /// Takes updates soon, and composes them.
  case composing
  /// Waits for the next update while commits are made.
  case waiting
  /// Begins to wait and is canceled.
  case canceling
  /// Begins at a snapshot of some time ago.
  case late

  /// After how many commits the consumer acts again.
  func lag(_ random: inout SeededRandom) -> Int {
    switch self {
    case .eager: 1
    case .lagging, .waiting: 1 + random.below(8)
    case .sleepy: 10 + random.below(40)
    case .composing: 1 + random.below(3)
    case .canceling: 4 + random.below(30)
    case .late: 5 + random.below(20)
    }
  }
}

final class Consumer<Model: OracleModel> {
  let kind: ConsumerKind
  var known: KnownState<Model>
  var countdown = 1
  /// The update that is waited for.
  var waiting: Task<ResultsUpdate<Model>?, any Error>?
  /// Where composing began, and what has come since.
  var first: KnownState<Model>?
  var composed: ChangeSet?

  init(_ kind: ConsumerKind, _ known: KnownState<Model>) {
    (self.kind, self.known) = (kind, known)
  }
}

/// The next update, or nil where none comes within three seconds.
func nextUpdate<Model>(
  _ updates: ResultsUpdates<Model>
) async throws -> ResultsUpdate<Model>? {
  let task = Task {
    var iterator = updates.makeAsyncIterator()
    return try await iterator.next()
  }
  let watchdog = Task {
    try await Task.sleep(for: .seconds(3))
    task.cancel()
  }
  defer { watchdog.cancel() }
  return try await task.value
}
