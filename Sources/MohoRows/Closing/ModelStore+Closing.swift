import Dispatch

extension ModelStore {
  /// Closes the store: refuses new calls, waits for those that are running, ends all
  /// observers, and closes the connections to the database.
  ///
  /// - Calls that have begun end as usual, including asynchronous ones that wait for their
  ///   turn, and the calls that their closures make. Observers receive their commits.
  /// - Calls that begin later throw a ``StoreError`` with the code ``StoreError/Code/closed``.
  ///   So do snapshots, faults and contexts that read from the store.
  /// - Consumers of controllers, values and commits receive what they have not received yet.
  ///   Then, their sequences end.
  /// - The database of a store that has adopted it remains open.
  ///
  /// A store that is not closed closes its connections when it is released. To close it again
  /// has no effect.
  ///
  /// Blocks the calling thread.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/invalidRequest`` in a
  ///   transaction or an observer of the store, or if the connections cannot be closed.
  public func close() throws {
    if engine.isInTransaction {
      throw StoreError(
        .invalidRequest, reason: "a transaction cannot close its store",
        suggestion: "close it after the closure has returned")
    }
    let isIdle = DispatchSemaphore(value: 0)
    calls.close { isIdle.signal() }
    isIdle.wait()
    try engine.close()
  }

  /// Closes the store, without blocking the calling thread. See the blocking method of the same
  /// name.
  ///
  /// If the task is canceled before all calls have ended, the store refuses new calls, but its
  /// connections remain open until it is released or closed again.
  ///
  /// - Throws: The errors of the blocking method, and `CancellationError` if the task is
  ///   canceled.
  public func close() async throws {
    let (idle, signal) = AsyncStream<Never>.makeStream()
    calls.close { signal.finish() }
    for await _ in idle {}
    try Task.checkCancellation()
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { [engine] in
        continuation.resume(with: Result { try engine.close() })
      }
    }
  }
}
