import MohoRows

extension PostgresEngine {
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    if let result = try readCurrent(body) { return result }
    var isChecked: Bool?
    return try isolated(body, &isChecked)
  }

  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    if let current = transactions.current, !current.isWriting {
      // The caller's transaction may read an older state. Waiting for another reader
      // could wait for ever, because the caller has one.
      return try settled { try isolated(body, &$0, on: writer) }
    }
    if let result = try readCurrent(body) { return result }
    return try settled { try isOneStatement ? unisolated(body, &$0) : isolated(body, &$0) }
  }

  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result? {
    if transactions.current != nil || commitFeed.currentSession != nil { return nil }
    return try settled { try isolated(body, &$0) }
  }

  /// Runs a closure that reads. Returns after observers have received all commits
  /// that the closure has read.
  ///
  /// - Parameter body: Sets whether it has read a commit that observers may not have
  ///   received.
  private func settled<Result>(
    _ body: (_ hasUnreported: inout Bool?) throws -> Result
  ) rethrows -> Result {
    var hasUnreported: Bool? = true
    let result = try body(&hasUnreported)
    if hasUnreported ?? true { commitFeed.settle(transactions.cancellation) }
    return result
  }

  /// Runs a closure in the transaction of the caller, or in the transaction in
  /// which the caller receives a commit. Returns nil without running the closure
  /// if there is no such transaction.
  private func readCurrent<Result>(_ body: (StoreReader) throws -> Result) throws -> Result? {
    if let current = transactions.current {
      return try PostgresSession.run(
        on: current.connection, schema, isWriting: current.isWriting
      ) {
        try body(StoreReader(session: $0))
      }
    }
    return try commitFeed.currentSession?.withSession { try body(StoreReader(session: $0)) }
  }

  /// Runs a closure in a transaction that reads one state.
  ///
  /// - Parameters:
  ///   - hasUnreported: Set to whether the closure has read a commit that observers may
  ///     not have received, unless it is nil.
  ///   - pool: The connections; those of readers by default.
  private func isolated<Result>(
    _ body: (StoreReader) throws -> Result, _ hasUnreported: inout Bool?,
    on pool: PostgresPool? = nil
  ) throws -> Result {
    try retryingConflicts { conflict in
      try (pool ?? readers).withConnection(begin: {
        $0.begin(["BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"])
      }) { connection in
        defer { conflict = connection.conflict }
        let result = try run(on: connection, body)
        if hasUnreported != nil {
          hasUnreported = try findUnreported(on: connection, then: [PostgresQuery("COMMIT")])
        } else {
          try connection.endReading()
        }
        return result
      }
    }
  }

  /// Runs a closure each of whose statements reads the latest state.
  private func unisolated<Result>(
    _ body: (StoreReader) throws -> Result, _ hasUnreported: inout Bool?
  ) throws -> Result {
    try retryingConflicts { conflict in
      try readers.withConnection(begin: { _ in }) { connection in
        defer { conflict = connection.conflict }
        let result = try run(on: connection, body)
        hasUnreported = try findUnreported(on: connection)
        return result
      }
    }
  }

  /// Returns whether the current transaction may see a commit that observers have
  /// not received.
  ///
  /// - Parameter queries: Statements to execute after that.
  private func findUnreported(
    on connection: PostgresConnection, then queries: [PostgresQuery] = []
  ) throws -> Bool {
    guard let query = try commitFeed.unreportedQuery else {
      try connection.queries(queries)
      return true
    }
    return try connection.queries([query] + queries).first?.first?.bool(0) ?? true
  }

  private func run<Result>(
    on connection: PostgresConnection, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    connection.forgetErrors()
    return try cancelable(connection) {
      try transactions.run(
        PostgresTransaction(connection: connection, isWriting: false)
      ) {
        try PostgresSession.run(on: connection, schema) { try body(StoreReader(session: $0)) }
      }
    }
  }
}
