import MohoMapping
import MohoRows

extension PostgresSession {
  func execute(_ sql: AppSQL) throws {
    let connection = try connection
    try connection.withSavepoint { try connection.execute(sql) }
  }

  // The server accepts only statements that return rows and change nothing as the query of a
  // cursor.
  func forEachBatch(
    of query: AppSQL, as node: ModelNode, needsAllKeys: Bool,
    _ body: ([StoredRow]) throws -> Void
  ) throws {
    let connection = try connection
    let statements = try AppStatements(query, on: connection).statements
    guard let statement = statements.first, statements.count == 1 else {
      throw StoreError.queryOfStatements(statements.count)
    }
    // Only one such cursor is open at a time. Cursors of requests have other names.
    let cursor = "moho_query"
    let declaration = PostgresQuery(
      "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.sql)",
      try PostgresArguments(query.arguments, of: statement), isPrepared: false)
    let fetch = PostgresQuery(
      "FETCH FORWARD \(GraphReader.batchSize) FROM \(cursor)", isPrepared: false)
    func next(after queries: [PostgresQuery] = []) throws -> PostgresResult {
      do {
        if let result = try connection.queries(queries + [fetch]).last { return result }
        throw StoreError(.database, reason: "the server did not return rows")
      } catch {
        throw explaining(error, of: statement, connection)
      }
    }
    try connection.withSavepoint {
      var result = try next(after: [declaration])
      let columns = try QueriedColumns(result, of: node, needsAllKeys: needsAllKeys, connection)
      while result.rowCount > 0 {
        try body(result.rows.map { try columns.row($0) })
        guard result.rowCount == GraphReader.batchSize else { break }
        result = try next()
      }
      try connection.execute("CLOSE \(cursor)")
    }
  }

  /// Returns an error of a query, with advice to its author.
  private func explaining(
    _ error: any Error, of statement: AppStatement, _ connection: PostgresConnection
  ) -> any Error {
    let error = statement.explaining(error)
    guard let cause = error.postgresError else { return error }
    let changesDatabase =
      switch cause.sqlState {
      // The statement is not a query.
      case "42601": statement.seemsToChangeRows
      // A query with a part that changes rows.
      case "0A000": cause.message.contains("data-modifying")
      // A function of the query, in a transaction that reads.
      case "25006": !connection.isReplica
      default: false
      }
    return changesDatabase ? StoreError.changingQuery(underlying: cause) : error
  }
}
