/// A database that stores the rows of a ``ModelStore``.
///
/// The store calls its engine once for each operation. The engine finds and
/// writes all rows of the operation by itself.
///
/// **Guarantees that an engine must give**
///
/// - A transaction that reads sees one committed state, even while others write.
/// - A transaction that writes is committed as a whole or not at all. Writing
///   transactions run one after the other.
/// - Links between rows are checked at the end of a transaction, so rows may be
///   written in any order.
/// - Observers receive every commit once, in the order of commits, with a reader
///   of exactly the state that the commit left.
package protocol StoreEngine: AnyObject, Sendable {
  /// The path of the store's file; nil if the store has no file.
  var path: String? { get }

  /// Runs a closure that reads one committed state.
  ///
  /// Inside ``write(_:)``, the closure reads what that transaction has written.
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result

  /// Runs a closure in a transaction, and commits it unless the closure throws.
  ///
  /// A call inside another one takes part in its transaction. If the inner
  /// closure throws, only its own changes are undone.
  func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result

  /// Runs a closure that reads one state, and returns after observers have
  /// received all commits of this process that led to the state.
  ///
  /// - Parameter isOneStatement: Whether the closure runs a single statement,
  ///   which needs no transaction to read one state.
  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result

  /// Runs a closure that reads one committed state while others may write, and
  /// returns after observers have received all commits of this process that led
  /// to the state.
  ///
  /// - Returns: Nil, without running the closure, if the caller is in a
  ///   transaction, or if the engine cannot read while another transaction
  ///   writes.
  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result?

  /// Makes an observer of the current state, and calls `onCommit` for each
  /// commit after that state, while the observer and the subscription live.
  ///
  /// Commits of other connections and processes are reported too; an engine may
  /// report several of them as one.
  ///
  /// - Throws: ``StoreError`` if the caller is in a transaction.
  func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription)
}

/// A subscription to the commits of a store. It ends when it is released.
package final class CommitSubscription: Sendable {
  private let cancel: @Sendable () -> Void

  package init(onCancel cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

  deinit { cancel() }
}
