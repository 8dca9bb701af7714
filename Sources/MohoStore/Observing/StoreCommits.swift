import MohoMapping
import Synchronization

/// The commits to a store, as an asynchronous sequence.
///
/// ```swift
/// for try await changes in try store.commits() {
///   print(changes.rows["Episode", default: []].count, "episodes were written")
/// }
/// ```
///
/// - Every commit is told, however it is made: by models, contexts, GRDB, SQL,
///   triggers; by other connections and processes soon after.
/// - Commits come in order. Those that are made while one is looked at are told
///   as one: nothing is lost and nothing piles up.
/// - What is read after a commit was told may include later ones.
///
/// It ends when its task is cancelled, and when what others have committed
/// cannot be read, which it throws. Made once, it is for one task to go through.
public struct StoreCommits: AsyncSequence, Sendable {
  /// Goes through the commits.
  public struct Iterator: AsyncIteratorProtocol {
    private let queue: CommitQueue
    private let subscription: CommitSubscription
    private var signals: AsyncStream<Void>.Iterator

    fileprivate init(_ commits: StoreCommits) {
      queue = commits.queue
      subscription = commits.subscription
      signals = commits.queue.signals.makeAsyncIterator()
    }

    /// Waits for a commit.
    ///
    /// - Returns: What has changed since the last one; nil once the task is
    ///   cancelled.
    /// - Throws: ``StoreError`` where commits of others cannot be read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> CommittedChanges? {
      while await signals.next(isolation: actor) != nil {
        if let changes = try queue.take() { return changes }
      }
      return nil
    }

    /// As ``next(isolation:)``.
    public mutating func next() async throws -> CommittedChanges? {
      try await next(isolation: nil)
    }
  }

  fileprivate let queue: CommitQueue
  fileprivate let subscription: CommitSubscription

  /// Begins with the commits that were not yet told.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension ModelStore {
  /// Begins to observe all commits to the store.
  ///
  /// - Throws: ``StoreError``, also where the call is made inside a transaction.
  public func commits() throws -> StoreCommits {
    let (queue, subscription) = try observe({ _ in CommitQueue() }) { queue, changes, _ in
      queue.put(changes)
    }
    return StoreCommits(queue: queue, subscription: subscription)
  }
}

/// What has been committed and not yet been told, as one.
private final class CommitQueue: Sendable {
  /// One where there is something to take.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let pending = Lock<Result<CommittedChanges, any Error>?>(nil)

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func put(_ changes: Result<CommittedChanges, any Error>) {
    pending.withLock { pending in
      guard case .success(let earlier)? = pending, case .success(let later) = changes else {
        // An error ends the sequence, and stays.
        if case .failure? = pending { return }
        pending = changes
        return
      }
      pending = .success(earlier.followed(by: later))
    }
    signal.yield()
  }

  func take() throws -> CommittedChanges? {
    let changes = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    return try changes?.get()
  }
}

extension CommittedChanges {
  /// The changes of two commits as those of one.
  fileprivate func followed(by later: CommittedChanges) -> CommittedChanges {
    CommittedChanges(
      tables: tables.merging(later.tables) { $0.followed(by: $1) },
      isComplete: isComplete && later.isComplete)
  }
}
