import MohoRows

extension PostgresEngine {
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try readCurrent(body) ?? isolated(body)
  }

  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    if let result = try readCurrent(body) { return result }
    let result = try isOneStatement ? unisolated(body) : isolated(body)
    commitFeed.settle()
    return result
  }

  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result? {
    if transactions.current != nil || commitFeed.currentSession != nil { return nil }
    let result = try isolated(body)
    commitFeed.settle()
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
    return try commitFeed.currentSession.map { try body(StoreReader(session: $0)) }
  }

  /// Runs a closure in a transaction that reads one state.
  private func isolated<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try retryingConflicts { conflict in
      try readers.withConnection(begin: {
        try $0.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      }) { connection in
        defer { conflict = connection.conflict }
        let result = try run(on: connection, body)
        try connection.executeUncanceled("COMMIT")
        return result
      }
    }
  }

  /// Runs a closure each of whose statements reads the latest state.
  private func unisolated<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try retryingConflicts { conflict in
      try readers.withConnection(begin: { try $0.execute("") }) { connection in
        defer { conflict = connection.conflict }
        return try run(on: connection, body)
      }
    }
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
