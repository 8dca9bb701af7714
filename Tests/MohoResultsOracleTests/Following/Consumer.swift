import MohoChanges
import MohoResults

/// The way in which a consumer receives updates.
enum ConsumerKind: CaseIterable {
  /// Receives each update.
  case eager
  /// Receives updates every few commits.
  case lagging
  /// Receives updates every few dozen commits.
  case sleepy
  /// Receives updates every few commits, and composes them.
  case composing
  /// Waits for the next update while commits are made.
  case waiting
  /// Begins to wait and is canceled.
  case canceling
  /// Begins at an old snapshot.
  case late

  /// The number of commits until the consumer acts again.
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
  /// The task that waits for an update.
  var waiting: Task<ResultsUpdate<Model>?, any Error>?
  /// The state at which composing began, and the composed changes since.
  var first: KnownState<Model>?
  var composed: ChangeSet?

  init(_ kind: ConsumerKind, _ known: KnownState<Model>) {
    (self.kind, self.known) = (kind, known)
  }
}

/// How long a consumer waits for an update that it must receive. Other tests may use all
/// threads in the meantime.
let updateTimeout = Duration.seconds(120)

/// The next update, or `nil` after a time without one.
func nextUpdate<Model>(
  _ updates: ResultsUpdates<Model>
) async throws -> ResultsUpdate<Model>? {
  let task = Task {
    var iterator = updates.makeAsyncIterator()
    return try await iterator.next()
  }
  let watchdog = Task {
    try await Task.sleep(for: updateTimeout)
    task.cancel()
  }
  defer { watchdog.cancel() }
  return try await task.value
}
