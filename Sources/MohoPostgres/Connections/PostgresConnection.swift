import CPostgres
import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// A connection to a PostgreSQL server.
///
/// All values are sent and received in binary form. If a method throws because
/// of an error of the server, the server has aborted the transaction. Only
/// ``execute(_:)`` with `ROLLBACK` or `ROLLBACK TO` succeeds after that.
// SAFETY: The owner of the connection uses it on one thread at a time. The other
// threads only call `cancel()`, whose state is locked, and whose pointer libpq
// allows to be used from any thread.
final class PostgresConnection: @unchecked Sendable {
  let handle: OpaquePointer
  private let canceler: OpaquePointer?
  private let cancellation = Lock(false)
  let announcement = Announcement()
  /// The schema that contains the tables of the store.
  var schemaName = ""
  /// The collations of the store that uses the connection.
  var collations: ServerCollations?
  private(set) var isReplica = false
  /// Whether the connection leads to a connection pooler, such as PgBouncer.
  private(set) var isPooled = false
  /// Whether the connection has the table of a ``TransactionLog``.
  var hasTransactionLog = false
  /// The schema to look up the entity and the keys of errors in.
  var schema: Schema?
  var statements = PreparedStatements()
  /// The statements that are sent with the next one.
  var deferred = DeferredStatements()
  /// Whether the server has executed a statement since ``begin(_:)``.
  var hasExecutedStatement = false
  /// The number of sessions that have not ended. Each is nested in the previous one.
  var sessionCount = 0
  /// A closure that is called before each statement with arguments or rows.
  var onStatement: (@Sendable (String) -> Void)?
  var log: StatementLog?
  /// The author of the changes in the current transaction.
  var author: String?
  /// The locks of the transaction of a ``CommitListener``, if the connection belongs to one.
  var stepLocks: StepLocks?
  /// Whether the server has announced the end of the connection, or a statement
  /// could not be sent. libpq may not have noticed the end yet.
  private var isBroken = false
  /// Whether the server has sent an answer that no statement can have.
  private(set) var hasRefusedAnswer = false
  /// The conflict with other transactions, if the current transaction has one.
  private(set) var conflict: StoreError?
  /// The error that has aborted the current transaction.
  private(set) var abortingError: (any Error)?

  /// - Throws: A `StoreError` if the server cannot be reached, refuses the
  ///   connection or is too old.
  convenience init(_ url: String, settings: [String] = []) throws {
    try self.init(PostgresAddress(url), settings: settings)
  }

  /// - Throws: A `StoreError` if the server cannot be reached, refuses the
  ///   connection or is too old.
  init(_ address: PostgresAddress, settings: [String] = []) throws {
    handle = try Self.connect(address)
    canceler = PQgetCancel(handle)
    announcement.receive(from: handle)
    do { try prepareSession(settings) } catch var error as StoreError {
      error.subject = error.subject ?? address.description
      throw error
    }
  }

  deinit {
    if let canceler { PQfreeCancel(canceler) }
    PQfinish(handle)
  }

  private func prepareSession(_ settings: [String]) throws {
    try Self.checkVersion(Int(PQserverVersion(handle)))
    try Self.checkEncoding(PQparameterStatus(handle, "server_encoding").map { String(cString: $0) })
    if !settings.isEmpty { try execute(settings.joined(separator: ";")) }
    let row = try query(
      "SELECT current_schema()::text, pg_is_in_recovery(), pg_backend_pid()"
    ).first
    guard let name = row?.optionalString(0) else { throw try missingSchema() }
    schemaName = name
    isReplica = row?.bool(1) ?? false
    isPooled = row.map { $0.int64(2) != Int64(processID) } ?? false
  }

  /// - Parameter version: The version as in `server_version_num`.
  static func checkVersion(_ version: Int) throws {
    guard version < 140_000 else { return }
    let text =
      version < 100_000 ? "\(version / 10_000).\(version / 100 % 100)" : "\(version / 10_000)"
    throw StoreError(
      .unsupportedServer,
      reason: "the server has PostgreSQL \(text), but 14 or later is required",
      suggestion: "upgrade the server, or connect to a newer one")
  }

  /// - Parameter encoding: The name of the encoding of the database, if it is known.
  static func checkEncoding(_ encoding: String?) throws {
    guard let encoding, encoding != "UTF8" else { return }
    throw StoreError(
      .unsupportedServer,
      reason: "the database has the encoding \(encoding), but UTF8 is required",
      suggestion: "create a database with `ENCODING 'UTF8' TEMPLATE template0`")
  }

  /// Whether the connection can no longer be used. It is detected by the next
  /// statement.
  var isLost: Bool {
    isBroken || announcement.hasUnexpectedMessage || PQstatus(handle) != CONNECTION_OK
  }

  /// Ends the use of the connection, whose later answers may belong to other statements.
  func refuseAnswers() { (isBroken, hasRefusedAnswer) = (true, true) }

  var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

  /// Whether an error has aborted the current transaction.
  var isAborted: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

  var processID: Int32 { PQbackendPID(handle) }

  /// The file descriptor of the connection.
  var socket: Int32 { PQsocket(handle) }

  var parameters: (host: String, port: String, database: String, user: String) {
    func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    return (text(PQhost(handle)), text(PQport(handle)), text(PQdb(handle)), text(PQuser(handle)))
  }
}

extension PostgresConnection {
  /// Interrupts the running statement. All later statements throw
  /// `CancellationError` until ``clearCancellation()`` is called.
  ///
  /// Can be called from any thread.
  func cancel() {
    refuseStatements()
    interruptIfCanceled()
  }

  /// Begins a cancellation without waiting for the server. The running statement
  /// continues until ``interruptIfCanceled()`` is called.
  func refuseStatements() { cancellation.withLock { $0 = true } }

  /// Interrupts the running statement, unless the cancellation has ended.
  func interruptIfCanceled() {
    cancellation.withLock { if $0 { interrupt() } }
  }

  /// Ends the effects of ``cancel()``. Returns after a running call of it.
  func clearCancellation() { cancellation.withLock { $0 = false } }

  var isCanceled: Bool { cancellation.withLock { $0 } }

  private func interrupt() {
    guard let canceler else { return }
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(canceler, &message, Int32(message.count))
  }

  func checkCancellation() throws {
    if isCanceled { throw CancellationError() }
  }
}

extension PostgresConnection {
  /// The name of a table with the schema of the store.
  func qualified(_ table: String) -> String { qualifiedName(table, in: schemaName) }

  /// Throws the error of a failed statement.
  func failure(_ result: OpaquePointer?, sql: String?) -> any Error {
    var error =
      result.map { PostgresError(result: $0, sql: sql) }
      ?? PostgresError(String(cString: PQerrorMessage(handle)))
    // libpq reports messages that it cannot read without a state.
    if result != nil && error.sqlState == nil { refuseAnswers() }
    // The server may have said why before it ended the connection.
    if error.sqlState == nil { error = announcement.latest(handle) ?? error }
    if result == nil || error.isFatal { isBroken = true }
    error.isConnectionLost = isLost
    if error.message.isEmpty { error.message = "the server has sent an unexpected answer" }
    if error.isOutdatedStatement { statements.removeAll() }
    if error.sqlState == "57014" && isCanceled { return CancellationError() }
    // The transaction was aborted by an earlier error.
    if error.sqlState == "25P02", let abortingError { return abortingError }
    var failure = StoreError(error, schema: schema)
    if isPooled { failure.explainPooler() }
    if error.isRetryable || error.isOutdatedStatement { conflict = conflict ?? failure }
    abortingError = failure
    if error.isLocked { stepLocks?.noteFailure(failure) }
    return failure
  }

  /// Forgets the errors of the last transaction.
  func forgetErrors() { (conflict, abortingError) = (nil, nil) }
}
