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
/// - Reports every commit: of models, contexts, GRDB, SQL and triggers, and,
///   shortly after, commits of other connections and processes.
/// - Reports commits in order. Commits that are made while the previous one is
///   handled are combined into one element, so none is lost and they do not
///   accumulate.
/// - Reads after a commit may include later commits.
///
/// The sequence ends when its task is cancelled or the store is closed. It throws
/// if commits of other connections cannot be read. One task can iterate over it.
public struct StoreCommits: AsyncSequence, Sendable {
  /// Iterates over the commits.
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
    /// - Returns: The changes since the last commit; nil once the task is
    ///   cancelled.
    /// - Throws: ``StoreError`` if commits of other connections cannot be read.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> CommittedChanges? {
      while await signals.next(isolation: actor) != nil {
        if let changes = try queue.take() { return changes }
      }
      return nil
    }

    /// Waits for a commit, like ``next(isolation:)``.
    public mutating func next() async throws -> CommittedChanges? {
      try await next(isolation: nil)
    }
  }

  fileprivate let queue: CommitQueue
  fileprivate let subscription: CommitSubscription

  /// Creates an iterator that starts with the commits that have not been
  /// reported.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension ModelStore {
  /// Starts to observe all commits to the store.
  ///
  /// - Throws: A ``StoreError``, in particular if the caller is in a write
  ///   transaction.
  public func commits() throws -> StoreCommits {
    let (queue, subscription) = try observe({ _ in CommitQueue() }) { queue, changes, _ in
      queue.put(changes)
    }
    return StoreCommits(queue: queue, subscription: subscription)
  }

  /// Begins to observe all commits to the store, without blocking the calling
  /// thread.
  ///
  /// - Throws: A ``StoreError``, and `CancellationError` if the task is canceled.
  public func commits() async throws -> StoreCommits {
    try await engine.perform(.observing) { [self] in try commits() }
  }
}

/// A queue that combines the commits that have not been reported.
private final class CommitQueue: Sendable {
  /// Yields when changes are pending.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let pending = Lock<Result<CommittedChanges, any Error>?>(nil)

  init() {
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func put(_ changes: Result<CommittedChanges, any Error>) {
    if case .failure(let error) = changes, StoreError.isEnd(error) { return signal.finish() }
    pending.withLock { pending in
      guard case .success(let earlier)? = pending, case .success(let later) = changes else {
        // An error ends the sequence.
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
