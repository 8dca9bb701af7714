extension ModelStore {
  /// Creates an observer of the latest state, and calls it for each later commit as long
  /// as the observer and the subscription exist. The store does not retain the observer.
  ///
  /// The observer is called on a serial queue of the engine, in commit order, with a
  /// reader of exactly the state after the commit. Consecutive commits may be combined.
  /// After an error, the observer must read everything again. When the store is closed, the
  /// observer receives ``StoreError/closedStore``, and nothing else after that.
  ///
  /// The observer can read from the store and observe it, but it cannot write to it.
  ///
  /// - Throws: The errors of the closure, and a ``StoreError``, in particular
  ///   if the caller is in a write transaction.
  package func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    try calls.enter(allowingNested: { engine.isInTransaction })
    defer { calls.leave() }
    return try engine.observe(initial, onCommit: onCommit)
  }

  /// Reads the latest state on the queue on which observers receive commits,
  /// after they have received all commits up to that state. In an observer, reads the state
  /// after the commit.
  ///
  /// - Throws: The errors of ``observe(_:onCommit:)``.
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

  /// Runs a closure that reads a single state of the store. Returns after
  /// observers have received all commits of this process up to that state.
  ///
  /// Inside ``write(_:)``, the closure reads the uncommitted changes of that transaction.
  /// In an observer, it reads the state after the commit. In both, the method does not
  /// wait for observers. In a read transaction, the closure reads the state of that
  /// transaction or a newer one.
  ///
  /// - Parameter isOneStatement: Whether the closure runs a single statement,
  ///   which needs no transaction to read one state.
  /// - Throws: The errors of the closure, and ``StoreError``.
  package func readSettled<Result>(
    inOneStatement isOneStatement: Bool = false, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try calls.enter(allowingNested: { engine.isInTransaction })
    defer { calls.leave() }
    return try engine.readSettled(inOneStatement: isOneStatement, body)
  }

  /// Runs a closure that reads a single committed state while other threads may
  /// write. Returns after observers have received all commits of this process
  /// up to that state.
  ///
  /// - Returns: Nil, without running the closure, if the caller is in a
  ///   transaction or in an observer, or if the database cannot be read during writes.
  /// - Throws: The errors of the closure, and ``StoreError``.
  package func readConcurrently<Result>(
    _ body: (StoreReader) throws -> Result
  ) throws -> Result? {
    try calls.enter(allowingNested: { engine.isInTransaction })
    defer { calls.leave() }
    return try engine.readConcurrently(body)
  }
}

/// An observer for a state that is read only once.
private final class UnusedObserver: Sendable {}
