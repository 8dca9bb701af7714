extension ModelStore {
  /// Runs a transaction of the engine, unless the store is closed, and reports it to the
  /// instruments.
  ///
  /// - Parameter transaction: Calls the engine, and ``TransactionReport/beginAttempt()`` each
  ///   time that the closure of the transaction begins.
  @inline(__always)
  func perform<Result>(
    _ operation: StoreOperation, _ transaction: (TransactionReport) throws -> Result
  ) throws -> Result {
    try calls.enter { engine.isInTransaction }
    defer { calls.leave() }
    #if Metrics || Tracing
      // A nested call is part of the outer transaction.
      if StoreActivity.current != nil { return try transaction(TransactionReport()) }
      let activity = StoreActivity(operation, engine.instruments)
      do {
        let result = try activity.run { try transaction(TransactionReport(activity)) }
        activity.end()
        return result
      } catch {
        activity.end(error)
        throw error
      }
    #else
      return try transaction(TransactionReport())
    #endif
  }

  /// Runs a transaction of the engine on a queue of the engine, as the blocking method of the
  /// same name does.
  @inline(__always)
  func perform<Result: Sendable>(
    _ operation: StoreOperation, _ transaction: @Sendable (TransactionReport) throws -> Result
  ) async throws -> Result {
    try calls.enter()
    defer { calls.leave() }
    let access: StoreAccess = operation == .write ? .writing : .reading
    #if Metrics || Tracing
      let activity = StoreActivity(operation, engine.instruments)
      do {
        let result = try await engine.perform(access) {
          try activity.run { try transaction(TransactionReport(activity)) }
        }
        activity.end()
        return result
      } catch {
        activity.end(error)
        throw error
      }
    #else
      return try await engine.perform(access) { try transaction(TransactionReport()) }
    #endif
  }
}

/// Reports the attempts of a transaction. Empty without the traits of instruments.
struct TransactionReport: Sendable {
  #if Metrics || Tracing
    private let activity: StoreActivity?

    /// - Parameter activity: Nil for a nested call.
    init(_ activity: StoreActivity? = nil) { self.activity = activity }
  #endif

  /// Reports that the closure of the transaction begins, for the first time or again.
  @inline(__always)
  func beginAttempt() {
    #if Metrics || Tracing
      activity?.beginAttempt()
    #endif
  }
}
