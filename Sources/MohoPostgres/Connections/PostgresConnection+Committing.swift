import CPostgres
import Foundation
import MohoRows

extension PostgresConnection {
  /// Checks the foreign keys and commits the transaction, in one round trip.
  ///
  /// - Throws: A `StoreError`. Its code is `commitUnknown` only if the connection was
  ///   lost after the commit was sent. It is `danglingReference` if rows refer to rows
  ///   that do not exist; then the transaction can only be rolled back.
  func commit() throws {
    guard hasExecutedStatement else { return try endWithoutStatements() }
    try noticeLoss()
    let savepoint = "_moho_commit"
    let hasReferences = schema?.hasReferences ?? false
    var queries = [PostgresQuery("SET CONSTRAINTS ALL IMMEDIATE"), PostgresQuery("COMMIT")]
    // The rows of a failed transaction can be read after a rollback to a savepoint.
    if hasReferences { queries.insert(PostgresQuery("SAVEPOINT \(savepoint)"), at: 0) }
    try send(queries)
    do {
      guard try results(of: queries).last?.command == "COMMIT" else {
        refuseAnswers()
        throw failure(nil, sql: "COMMIT")
      }
    } catch var error as StoreError where error.code == .connectionLost {
      // The server executes the statements in order. If it reports an error of an
      // earlier statement, it has not executed the commit.
      let cause = error.underlying as? PostgresError
      if cause?.sqlState != nil, queries.dropLast().contains(where: { $0.sql == cause?.sql }) {
        throw error
      }
      error.code = .commitUnknown
      error.suggestion = "read the rows to see whether the changes were made, then try again"
      throw error
    } catch let error as StoreError where error.code == .danglingReference && hasReferences {
      throw detailed(error, savepoint)
    }
  }

  /// Checks the foreign keys of a transaction that will be rolled back.
  ///
  /// - Throws: A `StoreError` if rows refer to rows that do not exist.
  func checkReferences() throws {
    guard schema?.hasReferences ?? false else { return }
    let savepoint = "_moho_check"
    try execute("SAVEPOINT \(savepoint)")
    do {
      try execute("SET CONSTRAINTS ALL IMMEDIATE")
    } catch let error as StoreError where error.code == .danglingReference {
      throw detailed(error, savepoint)
    }
  }

  /// Returns the error with the rows that refer to rows that do not exist.
  private func detailed(_ error: StoreError, _ savepoint: String) -> StoreError {
    guard let schema, (try? executeUncanceled("ROLLBACK TO \(savepoint)")) != nil else {
      return error
    }
    let detailed = try? PostgresSession.run(on: self, schema) {
      try $0.danglingReferences(underlying: error.underlying)
    }
    return detailed ?? error
  }

  /// Throws an error if the server has ended the connection since the last statement,
  /// which libpq does not notice until it waits for a result.
  private func noticeLoss() throws {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    // The server has sent something that no statement has caused.
    if poll(&descriptor, 1, 0) != 0 { try executeUncanceled(";") }
  }
}

extension Schema {
  /// Whether rows can refer to other rows.
  fileprivate var hasReferences: Bool { compiled.tables.contains { !$0.linkColumns.isEmpty } }
}
