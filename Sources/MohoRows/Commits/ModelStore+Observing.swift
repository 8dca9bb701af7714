extension ModelStore {
  /// Makes an observer of the current state, and calls it with all commits after
  /// that state, while it and the subscription live.
  ///
  /// It is called on the writer's queue, in the order of commits, with a reader
  /// of exactly the state that the commit left.
  ///
  /// - Throws: Errors of the closure, and ``StoreError``, also if the caller is
  ///   in a transaction.
  package func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    try engine.observe(initial, onCommit: onCommit)
  }

  /// Reads the newest state on the queue where observers receive commits, after
  /// they have received all commits that led to the state.
  ///
  /// - Throws: As ``observe(_:onCommit:)``.
  package func readNewest<Value>(_ body: (StoreReader) throws -> Value) throws -> Value {
    var value: Value?
    _ = try observe(
      { reader in
        value = try body(reader)
        return UnusedObserver()
      }, onCommit: { _, _, _ in })
    guard let value else { throw StoreError(.database, reason: "the state was not read") }
    return value
  }

  /// Runs a closure that reads one state of the store, and returns after
  /// observers have received all commits of this process that led to the state.
  ///
  /// Inside ``write(_:)``, and while observers receive a commit, the closure
  /// reads what that transaction has written.
  ///
  /// - Parameter isOneStatement: Whether the closure runs a single statement,
  ///   which needs no transaction to read one state.
  /// - Throws: Errors of the closure, and ``StoreError``.
  package func readSettled<Result>(
    inOneStatement isOneStatement: Bool = false, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try engine.readSettled(inOneStatement: isOneStatement, body)
  }

  /// Runs a closure that reads one committed state while others may write, and
  /// returns after observers have received all commits of this process that led
  /// to the state.
  ///
  /// - Returns: Nil, without running the closure, if the caller is in a
  ///   transaction, or if the database cannot be read during writes.
  /// - Throws: Errors of the closure, and ``StoreError``.
  package func readConcurrently<Result>(
    _ body: (StoreReader) throws -> Result
  ) throws -> Result? {
    try engine.readConcurrently(body)
  }
}

/// The observer of a state that is only read once.
private final class UnusedObserver: Sendable {}
