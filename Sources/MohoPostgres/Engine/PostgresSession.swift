import MohoMapping
import MohoRows

/// A transaction on a connection. It is valid while a closure runs.
///
/// If a reader or writer is used after its closure has returned, it throws an error,
/// because its session has ended.
final class PostgresSession: StoreSession {
  let schema: Schema
  /// The rows of the commits that observers are receiving, by table.
  var reportedChanges: [String: RowWriteSet]?
  /// The number of the commit that observers are receiving.
  var commitNumber: Int?
  /// The readers that observers share, if the session belongs to them.
  var resultReaders: ResultReaderCache?
  var hasCheckedRules = false
  /// Whether the transaction may have written rows.
  private(set) var isWriting = false
  private var current: PostgresConnection?
  private var cursorCount = 0

  private init(_ connection: PostgresConnection?, _ schema: Schema) {
    self.schema = schema
    current = connection
  }

  static func run<Result>(
    on connection: PostgresConnection, _ schema: Schema, isWriting: Bool = false,
    _ body: (PostgresSession) throws -> Result
  ) rethrows -> Result {
    let session = PostgresSession(connection, schema)
    session.isWriting = isWriting
    defer { session.current = nil }
    return try body(session)
  }

  /// Runs a closure with a session that has ended.
  static func runEnded(_ schema: Schema, _ body: (PostgresSession) -> Void) {
    body(PostgresSession(nil, schema))
  }

  /// - Throws: A `StoreError` if the session has ended.
  var connection: PostgresConnection {
    get throws {
      guard let current else {
        throw StoreError(
          .invalidRequest, reason: "a reader or writer is used after its closure has returned",
          suggestion: "use it inside the closure only")
      }
      return current
    }
  }

  /// Makes the transaction in which observers receive a commit usable again after an
  /// error of one of them.
  func recover() throws {
    guard let current, current.isAborted, commitNumber != nil else { return }
    try current.executeUncanceled("ROLLBACK TO \(CommitListener.savepoint)")
    current.forgetErrors()
  }

  var linkedRows: any LinkedRowSource { self }

  func damage(limit: Int) -> [String] { [] }

  /// Returns a name for a cursor.
  func newCursorName() -> String {
    cursorCount += 1
    return "moho_cursor_\(cursorCount)"
  }

  /// Closes a cursor, if the transaction has not ended or failed.
  func close(_ cursor: String) {
    guard let current, current.isInTransaction, !current.isAborted else { return }
    try? current.execute("CLOSE \(cursor)")
  }
}
