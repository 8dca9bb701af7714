import CPostgres
import MohoRows

extension PostgresConnection {
  /// Executes SQL without arguments, which may consist of several statements, after the
  /// statements that have been deferred.
  func execute(_ sql: String) throws {
    try checkCancellation()
    try executeUncanceled(sql)
  }

  /// Executes SQL even if the transaction was canceled, such as a rollback.
  func executeUncanceled(_ sql: String) throws {
    // Separately: the server parses all statements of a text before it executes the first one.
    try executeDeferred()
    _ = try logged(sql) { try checked(result(.several) { PQsendQuery(handle, sql) }, sql) }
  }

  /// Executes a statement and returns its rows.
  ///
  /// The first argument is the parameter `$1`.
  @discardableResult
  func query(
    _ sql: String, _ arguments: PostgresArguments = PostgresArguments(), isPrepared: Bool = true
  ) throws -> PostgresResult {
    try checkCancellation()
    if !deferred.queries.isEmpty {
      let results = try queries([PostgresQuery(sql, arguments, isPrepared: isPrepared)])
      guard let result = results.last else { throw failure(nil, sql: sql) }
      return result
    }
    if !isPrepared { try stepLocks?.lockTables(of: sql, on: self) }
    let name = isPrepared ? try prepare(sql, arguments) : nil
    return try logged(sql, arguments) {
      let pointer = result(.one) {
        arguments.withValues { values, lengths, formats in
          if let name {
            return PQsendQueryPrepared(
              handle, name, Int32(arguments.count), values, lengths, formats, 1)
          }
          return PQsendQueryParams(
            handle, sql, Int32(arguments.count), arguments.types, values, lengths, formats, 1)
        }
      }
      return try checked(pointer, sql)
    }
  }

  /// Executes a statement and returns its rows.
  func query(_ query: PostgresQuery) throws -> PostgresResult {
    try self.query(query.sql, query.arguments, isPrepared: query.isPrepared)
  }

  /// Returns the name of the prepared statement, or nil if the statement runs for
  /// the first time or is never prepared.
  ///
  /// - Parameter start: The time of the first statement of the pipeline.
  func prepare(
    _ sql: String, _ arguments: PostgresArguments, inPipelineSince start: Int = .max
  ) throws -> String? {
    onStatement?(sql)
    try stepLocks?.lockTables(of: sql, on: self)
    // A pooler can execute the next statement on another connection of the server.
    if isPooled { return nil }
    let key = PreparedStatements.Key(sql: sql, types: arguments.types)
    switch statements.use(key, inBatchSince: start) {
    case .unprepared: return nil
    case .prepared(let name): return name
    case .prepare(let name, let removed):
      // A statement with an error aborts the transaction that has begun.
      try executeDeferred()
      if !removed.isEmpty {
        try execute(removed.map { "DEALLOCATE \($0)" }.joined(separator: ";"))
      }
      let result = result(.one) {
        PQsendPrepare(handle, name, sql, Int32(arguments.count), arguments.types)
      }
      _ = try checked(result, sql)
      statements.didPrepare(key, name: name)
      return name
    }
  }

  /// Runs a closure whose statements are not prepared. A prepared statement cannot run after
  /// its transaction has changed the type of a column that it returns.
  func withoutPreparedStatements<Result>(_ body: () throws -> Result) rethrows -> Result {
    let prepared = statements
    statements = PreparedStatements(capacity: 0)
    defer { statements = prepared }
    return try body()
  }

  /// Executes statements in one round trip, together with the statements that have been
  /// deferred, and returns their rows. If one fails, the following ones are not executed.
  @discardableResult
  func queries(_ queries: [PostgresQuery]) throws -> [PostgresResult] {
    if queries.isEmpty { return [] }
    try send(queries)
    return try results(of: queries)
  }

  /// Sends the statements of a pipeline. If it throws, the server has not received the
  /// last part of them.
  func send(_ queries: [PostgresQuery]) throws {
    try checkCancellation()
    let start = statements.time
    let names = try queries.map { query -> String? in
      if query.isPrepared {
        return try prepare(query.sql, query.arguments, inPipelineSince: start)
      }
      try stepLocks?.lockTables(of: query.sql, on: self)
      return nil
    }
    try send(deferred.queries + queries, named: deferred.queries.map { _ in nil } + names)
  }

  private func send(_ queries: [PostgresQuery], named names: [String?]) throws {
    guard !isLost, PQenterPipelineMode(handle) == 1 else { throw failure(nil, sql: nil) }
    for (query, name) in zip(queries, names) {
      let arguments = query.arguments
      let isSent = arguments.withValues { values, lengths, formats in
        if let name {
          return PQsendQueryPrepared(
            handle, name, Int32(arguments.count), values, lengths, formats, 1)
        }
        return PQsendQueryParams(
          handle, query.sql, Int32(arguments.count), arguments.types, values, lengths, formats, 1)
      }
      guard isSent == 1 else { throw failure(nil, sql: query.sql) }
    }
    guard PQpipelineSync(handle) == 1 else { throw failure(nil, sql: nil) }
  }

  /// Reads the results of all statements of a pipeline, also after an error.
  @discardableResult
  func results(of queries: [PostgresQuery]) throws -> [PostgresResult] {
    var results: [PostgresResult] = []
    var error: (any Error)?
    let deferred = self.deferred.queries
    for (index, query) in (deferred + queries).enumerated() {
      var hasResult = false
      let start = log == nil ? nil : ContinuousClock.now
      defer { if let start { writeLog(of: query, since: start) } }
      while let pointer = nextResult() {
        // A second result belongs to another statement.
        if hasResult { refuseAnswers() }
        hasResult = true
        if PQresultStatus(pointer) == PGRES_PIPELINE_ABORTED {
          PQclear(pointer)
          continue
        }
        do {
          let result = try checked(pointer, query.sql)
          if hasRefusedAnswer { continue }
          if index < deferred.count { self.deferred.removeFirst() } else { results.append(result) }
        } catch let failure {
          error = error ?? failure
        }
      }
      if !hasResult { refuseAnswers() }
      if isLost { throw error ?? failure(nil, sql: query.sql) }
    }
    do { try endPipeline() } catch let failure { throw error ?? failure }
    if let error { throw error }
    return results
  }

  /// Executes the statements that have been deferred, also after a cancellation.
  func executeDeferred() throws {
    let queries = deferred.queries
    if queries.isEmpty { return }
    try send(queries, named: queries.map { _ in nil })
    try results(of: [])
  }
}
