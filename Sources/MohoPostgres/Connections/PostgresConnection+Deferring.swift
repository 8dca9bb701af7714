import MohoRows

/// The statements that a connection sends with the next one, in one round trip: those that begin
/// a transaction, and those that begin and end savepoints.
struct DeferredStatements {
  private(set) var queries: [PostgresQuery] = []
  /// The number of the first statement. The others have the following numbers.
  private var firstID = 0

  /// - Returns: A number that identifies the statement until it is removed.
  @discardableResult
  mutating func append(_ sql: String) -> Int {
    queries.append(PostgresQuery(sql, isPrepared: false))
    return firstID + queries.count - 1
  }

  /// Removes the first statement, which the server has executed.
  mutating func removeFirst() {
    queries.removeFirst()
    firstID += 1
  }

  mutating func removeAll() {
    firstID += queries.count
    queries.removeAll()
  }

  /// Removes a statement and those after it, whose numbers are used again.
  ///
  /// - Returns: False if the server has executed the statement.
  mutating func remove(from id: Int) -> Bool {
    guard queries.indices.contains(id - firstID) else { return false }
    queries.removeSubrange((id - firstID)...)
    return true
  }
}

extension PostgresConnection {
  /// Begins to use the connection. The statements are executed with the next one.
  ///
  /// - Parameter statements: The statements that begin a transaction.
  func begin(_ statements: [String]) {
    deferred.removeAll()
    for sql in statements { deferred.append(sql) }
    hasExecutedStatement = false
  }

  /// Ends a transaction that is still open.
  func rollBack() {
    deferred.removeAll()
    // If this fails, the connection was lost, and the server rolls back.
    if isInTransaction && !isLost { try? executeUncanceled("ROLLBACK") }
  }

  /// Ends a transaction that has only read.
  func endReading() throws {
    guard hasExecutedStatement else { return try endWithoutStatements() }
    // The end of a transaction ends its savepoints, too.
    deferred.removeAll()
    try executeUncanceled("COMMIT")
  }

  /// Ends a transaction that has not begun: its closure has executed no statement, or has
  /// ignored the error of the first one.
  func endWithoutStatements() throws {
    deferred.removeAll()
    if let abortingError { throw abortingError }
  }

  /// Runs a closure in a savepoint. If it throws, its changes are undone, and the
  /// transaction can go on.
  func withSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    let savepoint = deferred.append("SAVEPOINT _moho_call")
    do {
      let result = try body()
      // A savepoint without statements is not needed.
      if !deferred.remove(from: savepoint) { deferred.append("RELEASE _moho_call") }
      return result
    } catch {
      if !deferred.remove(from: savepoint) {
        // If the connection was lost, the original error says so.
        try? executeUncanceled("ROLLBACK TO _moho_call; RELEASE _moho_call")
      }
      stepLocks?.returnToSavepoint()
      throw error
    }
  }

  /// Undoes the changes of the innermost ``withSavepoint(_:)``, whose closure
  /// goes on.
  func undoToSavepoint() throws { try execute("ROLLBACK TO _moho_call") }
}
