import CPostgres
import Foundation

/// The results that an answer of the server consists of.
enum ExpectedResults {
  /// One result for one statement.
  case one
  /// One result for each statement of a text.
  case several
  /// Results until the server waits for the rows of a `COPY`.
  case copy
}

/// The answers of the server.
///
/// libpq checks the form of messages. These functions also check that a statement has exactly one
/// result, and that a result has as many rows as the server has counted. After any other answer,
/// the connection is lost: the next result may belong to another statement.
extension PostgresConnection {
  /// Sends a statement and returns its last result, or the first error. `PQexec` would
  /// return the last error, which does not contain why the server ends a connection.
  ///
  /// - Parameter send: Returns 1 if libpq has sent the statement.
  /// - Returns: Nil if the connection was lost.
  func result(_ expected: ExpectedResults, _ send: () -> Int32) -> OpaquePointer? {
    // Results that a failed statement has left.
    while let pointer = nextResult() { PQclear(pointer) }
    guard !isLost, send() == 1 else { return nil }
    var last: OpaquePointer?
    var hasFailed = false
    // No server waits for rows after an error.
    while let pointer = nextResult(hasFailed ? .several : expected) {
      if hasFailed {
        PQclear(pointer)
        continue
      }
      let status = PQresultStatus(pointer)
      hasFailed = status == PGRES_FATAL_ERROR
      if let last {
        if expected == .one, !hasFailed { refuseAnswers() }
        PQclear(last)
      }
      last = pointer
      if status == PGRES_COPY_IN { break }
    }
    // The error of the server may be the reason of the loss.
    if hasRefusedAnswer, let last, PQresultStatus(last) != PGRES_FATAL_ERROR {
      PQclear(last)
      return nil
    }
    return last
  }

  /// Waits for the next result of the running statement.
  ///
  /// - Returns: Nil at the end of the statement, or if the connection was lost.
  func nextResult(_ expected: ExpectedResults = .several) -> OpaquePointer? {
    // The rest of a message might never arrive.
    if hasRefusedAnswer { return nil }
    guard let pointer = PQgetResult(handle) else { return nil }
    switch PQresultStatus(pointer) {
    case PGRES_COPY_IN where expected == .copy: return pointer
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH, PGRES_BAD_RESPONSE:
      // libpq would return this result again and again.
      PQclear(pointer)
      refuseAnswers()
      return nil
    default: return pointer
    }
  }

  /// Waits for the end of a pipeline.
  ///
  /// - Throws: A `StoreError` if the server answers in another way.
  func endPipeline() throws {
    if let pointer = nextResult() {
      if PQresultStatus(pointer) != PGRES_PIPELINE_SYNC { refuseAnswers() }
      PQclear(pointer)
    }
    guard !hasRefusedAnswer, PQexitPipelineMode(handle) == 1 else {
      throw failure(nil, sql: nil)
    }
  }

  /// Returns a result, or throws its error.
  func checked(_ pointer: OpaquePointer?, _ sql: String?) throws -> PostgresResult {
    guard let pointer else { throw failure(nil, sql: sql) }
    switch PQresultStatus(pointer) {
    case PGRES_TUPLES_OK where !Self.hasCounted(Int(PQntuples(pointer)), pointer):
      PQclear(pointer)
      refuseAnswers()
      throw failure(nil, sql: sql)
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY, PGRES_COPY_IN:
      hasExecutedStatement = true
      return PostgresResult(PostgresResult.Storage(pointer, notices: announcement))
    default:
      defer { PQclear(pointer) }
      throw failure(pointer, sql: sql)
    }
  }

  /// Whether the server has counted a number of rows, or has not counted the rows.
  static func hasCounted(_ count: Int, _ pointer: OpaquePointer) -> Bool {
    // Statements such as `SHOW` do not count rows.
    guard let text = PQcmdTuples(pointer), text.pointee != 0 else { return true }
    return strtol(text, nil, 10) == count
  }
}
