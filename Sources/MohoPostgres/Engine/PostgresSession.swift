import MohoMapping
import MohoRows

/// A transaction on a connection. It is valid while a closure runs.
///
/// If a reader or writer is used after its closure has returned, it throws an error,
/// because its session has ended.
final class PostgresSession: StoreSession {
  let schema: Schema
  /// The commit that observers are receiving, if the session belongs to them.
  private(set) var reportedCommit: ReportedCommit?
  var hasCheckedRules = false
  /// Whether the transaction may have written rows.
  private(set) var isWriting = false
  private var current: PostgresConnection?
  /// The number of sessions in which the session is nested, and itself.
  private var level = 0
  private var cursorCount = 0

  private init(_ connection: PostgresConnection?, _ schema: Schema) {
    self.schema = schema
    current = connection
  }

  /// Runs a closure with a session.
  ///
  /// - Parameter commit: The commit that observers are receiving, if the closure belongs
  ///   to them.
  static func run<Result>(
    on connection: PostgresConnection, _ schema: Schema, isWriting: Bool = false,
    reporting commit: ReportedCommit? = nil, _ body: (PostgresSession) throws -> Result
  ) rethrows -> Result {
    let session = PostgresSession(connection, schema)
    session.isWriting = isWriting
    session.reportedCommit = commit
    connection.sessionCount += 1
    session.level = connection.sessionCount
    defer {
      session.current = nil
      connection.sessionCount -= 1
    }
    return try body(session)
  }

  /// Runs a closure with another session in the same transaction.
  func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try Self.run(
      on: connection, schema, isWriting: isWriting, reporting: reportedCommit, body)
  }

  /// Runs a closure with a session that has ended.
  static func runEnded(_ schema: Schema, _ body: (PostgresSession) -> Void) {
    body(PostgresSession(nil, schema))
  }

  /// - Throws: A `StoreError` if the session has ended.
  var connection: PostgresConnection {
    get throws {
      guard let current else { throw StoreError.endedSession }
      return current
    }
  }

  /// Makes the transaction in which observers receive a commit usable again after an
  /// error of one of them.
  func recover() throws {
    guard let current, current.isAborted, reportedCommit != nil else { return }
    try current.executeUncanceled("ROLLBACK TO \(CommitListener.savepoint)")
    current.stepLocks?.returnToSavepoint()
    current.forgetErrors()
  }

  var linkedRows: any LinkedRowSource { self }

  func damage(limit: Int) -> [String] { [] }

  /// Returns a name for a cursor that no other session of the transaction uses. The names
  /// are the same in each transaction, so that prepared statements are used again.
  func newCursorName() -> String {
    cursorCount += 1
    return "moho_cursor_\(level)_\(cursorCount)"
  }

  /// Closes a cursor, if the transaction has not ended or failed.
  func close(_ cursor: String) {
    guard let current, current.isInTransaction, !current.isAborted else { return }
    try? current.execute("CLOSE \(cursor)")
  }
}

/// A commit that observers are receiving.
struct ReportedCommit {
  /// The written rows, by table.
  let changes: [String: RowWriteSet]
  let number: Int
  /// The readers that observers share.
  let resultReaders: ResultReaderCache
}
