import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// A statement that controls transactions, connections or files. The SQL of an app must not
/// contain one, because the store begins and ends transactions.
///
/// Some of these statements have an effect when SQLite prepares them, and SQLite regards most
/// of them as read-only. Therefore, each statement is first prepared on an empty database,
/// whose authorizer denies and reports them. SQLite calls the authorizer for them while it
/// parses the statement, so the tables of the store are not needed.
struct ControlStatement: Equatable {
  /// The keyword of the statement, such as `COMMIT`, also for `END`.
  let name: String

  var error: StoreError {
    StoreError(
      .invalidRequest, subject: "`\(name)`",
      reason: "SQL of the app must not control transactions, connections or files",
      suggestion: "return from the closure to commit, or throw an error to roll back; configure"
        + " connections with `StoreConfiguration`")
  }

  /// Finds out whether the first statement of a null-terminated text is a control statement.
  ///
  /// - Throws: A `DatabaseError` if the empty database cannot be created.
  static func first(in sql: UnsafePointer<CChar>) throws -> ControlStatement? {
    try parser.withLock { parser in
      let ready = try parser ?? StatementParser()
      parser = ready
      return ready.controlStatement(in: sql)
    }
  }

  private static let parser = Lock<StatementParser?>(nil)

  /// Returns the control statement that an action of an authorizer belongs to.
  fileprivate init?(action: CInt, _ first: String?, _ second: String?) {
    switch action {
    case SQLITE_TRANSACTION: name = first ?? "BEGIN"
    case SQLITE_SAVEPOINT: name = first == "BEGIN" ? "SAVEPOINT" : first ?? "SAVEPOINT"
    case SQLITE_ATTACH: name = "ATTACH"
    case SQLITE_DETACH: name = "DETACH"
    case SQLITE_PRAGMA:
      let pragma = first?.lowercased() ?? ""
      if Self.isHarmless(pragma, hasArgument: second != nil) { return nil }
      name = "PRAGMA \(pragma)"
    default: return nil
    }
  }

  /// Whether a pragma only reads, or writes a value that is part of the transaction and that
  /// the store does not use.
  private static func isHarmless(_ pragma: String, hasArgument: Bool) -> Bool {
    if hasArgument { return describing.contains(pragma) || pragma == "user_version" }
    return !acting.contains(pragma)
  }

  /// The pragmas whose argument selects what they return.
  private static let describing: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// The pragmas that have an effect without an argument.
  private static let acting: Set<String> = [
    "incremental_vacuum", "optimize", "shrink_memory", "wal_checkpoint",
  ]
}

/// An empty database that prepares statements without running them.
// SAFETY: The lock of `ControlStatement` guards all uses. The connection lives as long as the
// instance, which the authorizer refers to.
private final class StatementParser: @unchecked Sendable {
  private var connection: OpaquePointer?
  private var found: ControlStatement?

  init() throws {
    let code = sqlite3_open_v2(
      ":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    sqlite3_set_authorizer(
      connection,
      { parser, action, first, second, _, _ in
        guard let parser else { return SQLITE_OK }
        return Unmanaged<StatementParser>.fromOpaque(parser).takeUnretainedValue()
          .authorize(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_close_v2(connection) }

  func controlStatement(in sql: UnsafePointer<CChar>) -> ControlStatement? {
    found = nil
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    sqlite3_finalize(statement)
    return found
  }

  private func authorize(_ action: CInt, _ first: String?, _ second: String?) -> CInt {
    guard let control = ControlStatement(action: action, first, second) else { return SQLITE_OK }
    found = control
    return SQLITE_DENY
  }
}
