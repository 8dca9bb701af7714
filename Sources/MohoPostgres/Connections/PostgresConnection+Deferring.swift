import MohoRows

/// The statements that a connection sends with the next one, in one round trip: those that begin
/// a transaction, and those that begin and end savepoints.
struct DeferredStatements {
  private(set) var queries: [PostgresQuery] = []
  private var ids: [Int] = []
  private var lastID = 0

  /// - Returns: A number that identifies the statement.
  @discardableResult
  mutating func append(_ sql: String) -> Int {
    lastID += 1
    queries.append(PostgresQuery(sql, isPrepared: false))
    ids.append(lastID)
    return lastID
  }

  /// Removes the first statement, which the server has executed.
  mutating func removeFirst() {
    queries.removeFirst()
    ids.removeFirst()
  }

  mutating func removeAll() { (queries, ids) = ([], []) }

  /// Removes a statement and those after it.
  ///
  /// - Returns: False if the server has executed the statement.
  mutating func remove(from id: Int) -> Bool {
    guard let index = ids.firstIndex(of: id) else { return false }
    queries.removeSubrange(index...)
    ids.removeSubrange(index...)
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
    hasResponded = false
  }

  /// Ends a transaction that is still open.
  func rollBack() {
    deferred.removeAll()
    // If this fails, the connection was lost, and the server rolls back.
    if isInTransaction && !isLost { try? executeUncanceled("ROLLBACK") }
  }

  /// Ends a transaction that has only read.
  func endReading() throws {
    if hasResponded { return try executeUncanceled("COMMIT") }
    try endUnbegun()
  }

  /// Ends a transaction that has not begun: its closure has executed no statement, or has
  /// ignored the error of the first one.
  func endUnbegun() throws {
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
