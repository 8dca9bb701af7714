/// A database that stores the rows of a ``ModelStore``.
///
/// The store calls its engine once per operation, on any thread. The engine finds and
/// writes all rows of the operation itself. It throws a ``StoreError`` for each error of
/// the database.
///
/// **Requirements for engines**
///
/// - A read transaction sees one committed state, even if others write at the
///   same time.
/// - A write transaction is committed as a whole or not at all. The write
///   transactions of a store run one after the other.
/// - Links between rows are checked at the end of a transaction, so rows can be
///   written in any order.
/// - Observers receive every commit to the store's tables once, in commit order,
///   with a reader of exactly the state after the commit. Consecutive commits may be
///   combined: the reader then has the state after the last of them.
///
/// If a transaction conflicts with another one, an engine may roll it back, and run its
/// closure again.
package protocol StoreEngine: AnyObject, Sendable {
  /// The path of the store's file, or nil if the store has no file.
  var path: String? { get }

  /// Divides texts into words as full-text indexes do, or nil if the store has no
  /// full-text indexes.
  var textTokenizer: (any TextTokenizer)? { get }

  /// Reports transactions and commits to metrics and traces. The store and the engine share
  /// them.
  var instruments: StoreInstruments { get }

  /// Whether the calling thread is in a transaction or in an observer of the engine.
  var isInTransaction: Bool { get }

  /// Ends the observers: calls `onCommit` of each once more, with ``StoreError/closedStore``.
  /// Then, closes the connections that the engine has opened. Called when no other call is
  /// running, and perhaps again. Blocks the calling thread.
  ///
  /// - Throws: A ``StoreError`` if a connection cannot be closed.
  func close() throws

  /// Runs a closure that reads one committed state. Blocks the calling thread.
  ///
  /// Inside ``write(author:_:)``, the closure reads the uncommitted changes of that
  /// transaction. In an observer, it reads the state after the commit. A nested call
  /// reads the state of the outer one.
  ///
  /// - Throws: The errors of the closure.
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result

  /// Runs a closure in a transaction, and commits it. Blocks the calling thread.
  ///
  /// After the closure, the engine calls ``StoreWriter/checkRules()`` with the closure's
  /// session, checks the links of all rows, and commits. If anything throws, the
  /// transaction is rolled back. An engine may run the closure again if the transaction
  /// conflicts with another one.
  ///
  /// Outside of transactions, the method returns after observers have received the commit.
  ///
  /// A nested call is part of the outer transaction, but has its own session. The outer
  /// call makes the checks. If the inner closure throws, only its own changes are undone.
  /// If the app has begun the outer transaction, the nested call checks the rules.
  ///
  /// - Parameter author: The author of the changes in the history, or nil for the
  ///   author of the outer transaction. Ignored without a history.
  /// - Throws: The errors of the closure and of ``StoreWriter/checkRules()``, and a
  ///   ``StoreError`` with the code ``StoreError/Code/danglingReference`` if rows refer
  ///   to rows that do not exist. ``StoreError/writeInObserver`` in an observer, also in the
  ///   closure of ``observe(_:onCommit:)`` that creates it: it may run on the connection that
  ///   writes, whose state must not change until all observers have received the commit.
  func write<Result>(
    author: String?, _ body: (StoreWriter) throws -> Result
  ) throws -> Result

  /// Runs a closure on a queue of the engine. Suspends the calling task in the meantime.
  ///
  /// The method begins no transaction: the closure calls the other methods of the
  /// engine. Closures that write run one after the other.
  ///
  /// Canceling the task interrupts the running statement. All later statements
  /// throw `CancellationError`, including the commit, so that the transaction is
  /// rolled back. A closure that still waits for its turn does not run. A commit that
  /// has begun and its observers are not interrupted.
  ///
  /// - Throws: The errors of the closure, and `CancellationError` if the task is
  ///   canceled before the commit begins.
  func perform<Result: Sendable>(
    _ access: StoreAccess, _ body: @Sendable () throws -> Result
  ) async throws -> Result

  /// Runs a closure that reads a single state. Returns after observers have
  /// received all commits of this process up to that state.
  ///
  /// In a write transaction, the closure reads its uncommitted changes. In an observer,
  /// it reads the state after the commit. In both, the method does not wait for
  /// observers, and ``StoreSession/unreportedRows(in:)`` returns the written rows. In a
  /// read transaction, the closure reads the state of that transaction or a newer one.
  ///
  /// - Parameter isOneStatement: Whether the closure runs a single statement,
  ///   which needs no transaction to read one state.
  /// - Throws: The errors of the closure.
  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result

  /// Runs a closure that reads a single committed state while others may write.
  /// Returns after observers have received all commits of this process up to
  /// that state.
  ///
  /// - Returns: Nil, without running the closure, if the caller is in a
  ///   transaction or in an observer, or if the engine cannot read during another
  ///   transaction's writes.
  /// - Throws: The errors of the closure.
  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result?

  /// Creates an observer of the latest state, and calls `onCommit` for each later commit
  /// as long as the observer and the subscription exist. The engine does not retain the
  /// observer.
  ///
  /// The engine runs both closures on one serial queue. `initial` runs after earlier
  /// observers have received the commits that led to the state. The reader of `onCommit`
  /// has exactly the state after the commit, until the closure returns.
  ///
  /// In an observer, `initial` reads the state after the commit that observers are
  /// receiving. The new observer receives later commits only.
  ///
  /// Commits of other connections and processes are reported, too. An engine may
  /// combine consecutive commits, also those of this process, into one report.
  ///
  /// If the changes cannot be read, `onCommit` receives an error, and its reader may
  /// throw. The changes of the next report may then be incomplete, and the observer must
  /// read everything again. The error is ``StoreError/closedStore`` when the store is closed.
  ///
  /// - Throws: The errors of `initial`, and ``StoreError/uncommittedTransaction`` if the
  ///   caller is in a write transaction.
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

/// What the closure of ``StoreEngine/perform(_:_:)`` does.
package enum StoreAccess: Sendable {
  /// It only reads. It may run at the same time as other closures.
  case reading
  /// It writes. It runs after earlier closures that write.
  case writing
  /// It begins to observe commits, or reads the state that observers have received.
  case observing
}

/// A subscription to the commits of a store. The subscription ends when it is
/// deallocated.
package final class CommitSubscription: Sendable {
  private let cancel: @Sendable () -> Void

  package init(onCancel cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

  deinit { cancel() }
}
