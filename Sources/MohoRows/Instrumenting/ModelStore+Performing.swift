extension ModelStore {
  /// Runs a transaction of the engine, unless the store is closed, and reports it to the
  /// instruments.
  ///
  /// - Parameter transaction: Calls the engine, and ``AttemptReporter/beginAttempt()`` each
  ///   time that the closure of the transaction begins.
  @inline(__always)
  func perform<Result>(
    _ operation: StoreOperation, _ transaction: (AttemptReporter) throws -> Result
  ) throws -> Result {
    try calls.enter(allowingNested: { engine.isInTransaction })
    defer { calls.leave() }
    #if Metrics || Tracing
      // A nested call is part of the outer transaction.
      if let outer = StoreActivity.current(of: engine) {
        return try outer.runNested(operation) { try transaction(AttemptReporter()) }
      }
      let activity = StoreActivity(operation, of: engine)
      let result = Swift.Result { try activity.run { try transaction(AttemptReporter(activity)) } }
      activity.end(result)
      return try result.get()
    #else
      return try transaction(AttemptReporter())
    #endif
  }

  /// Runs a transaction of the engine on a queue of the engine, as the blocking method of the
  /// same name does.
  @inline(__always)
  func perform<Result: Sendable>(
    _ operation: StoreOperation, _ transaction: @Sendable (AttemptReporter) throws -> Result
  ) async throws -> Result {
    try calls.enter()
    defer { calls.leave() }
    #if Metrics || Tracing
      let activity = StoreActivity(operation, of: engine)
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(
          try await engine.perform(operation.access) {
            try activity.run { try transaction(AttemptReporter(activity)) }
          })
      } catch {
        result = .failure(error)
      }
      activity.end(result)
      return try result.get()
    #else
      return try await engine.perform(operation.access) { try transaction(AttemptReporter()) }
    #endif
  }
}

/// Reports the attempts of a transaction. Empty without the traits of instruments.
struct AttemptReporter: Sendable {
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
