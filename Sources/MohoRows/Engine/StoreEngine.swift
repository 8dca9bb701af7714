/// A database that stores the rows of a ``ModelStore``.
///
/// The store calls its engine once per operation. The engine finds and writes
/// all rows of the operation itself.
///
/// **Requirements for engines**
///
/// - A read transaction sees one committed state, even if others write at the
///   same time.
/// - A write transaction is committed as a whole or not at all. Write
///   transactions run one after the other.
/// - Links between rows are checked at the end of a transaction, so rows can be
///   written in any order.
/// - Observers receive every commit once, in commit order, with a reader of
///   exactly the state after the commit.
package protocol StoreEngine: AnyObject, Sendable {
  /// The path of the store's file, or nil if the store has no file.
  var path: String? { get }

  /// Divides texts into words as full-text indexes do, or nil if the database
  /// has no full-text indexes.
  var textTokenizer: (any TextTokenizer)? { get }

  /// Runs a closure that reads one committed state.
  ///
  /// Inside ``write(_:)``, the closure reads the uncommitted changes of that
  /// transaction.
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result

  /// Runs a closure in a transaction. Commits the transaction unless the
  /// closure throws.
  ///
  /// A nested call is part of the outer transaction. If the inner closure
  /// throws, only its own changes are undone.
  ///
  /// - Parameter author: The author of the changes in the history, or nil for the
  ///   author of the outer transaction.
  func write<Result>(
    author: String?, _ body: (StoreWriter) throws -> Result
  ) throws -> Result

  /// Runs a closure on the queue of a connection, where the closure's calls of
  /// the other methods use that connection without blocking. Suspends the
  /// calling task in the meantime.
  ///
  /// Canceling the task interrupts the running statement. All later statements
  /// throw `CancellationError`, including the commit, so that the transaction is
  /// rolled back. Observers of a commit are not interrupted.
  ///
  /// - Throws: The errors of the closure, and `CancellationError` if the task is
  ///   canceled.
  func perform<Result: Sendable>(
    _ access: StoreAccess, _ body: @Sendable () throws -> Result
  ) async throws -> Result

  /// Runs a closure that reads a single state. Returns after observers have
  /// received all commits of this process up to that state.
  ///
  /// - Parameter isOneStatement: Whether the closure runs a single statement,
  ///   which needs no transaction to read one state.
  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result

  /// Runs a closure that reads a single committed state while others may write.
  /// Returns after observers have received all commits of this process up to
  /// that state.
  ///
  /// - Returns: Nil, without running the closure, if the caller is in a
  ///   transaction or if the engine cannot read during another transaction's
  ///   writes.
  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result?

  /// Creates an observer of the current state, and calls `onCommit` for each
  /// later commit as long as the observer and the subscription exist.
  ///
  /// Commits of other connections and processes are reported, too. An engine
  /// may combine several of them into one report.
  ///
  /// - Throws: A ``StoreError`` if the caller is in a transaction.
  func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription)
}

extension StoreEngine {
  /// Runs a closure in a transaction without an author.
  package func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
    try write(author: nil, body)
  }
}

/// The connection that ``StoreEngine/perform(_:_:)`` uses.
package enum StoreAccess: Sendable {
  /// A connection that only reads, while others may write.
  case reading
  /// The connection that writes.
  case writing
}

/// A subscription to the commits of a store. The subscription ends when it is
/// deallocated.
package final class CommitSubscription: Sendable {
  private let cancel: @Sendable () -> Void

  package init(onCancel cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

  deinit { cancel() }
}
