import GRDBSQLite
import MohoRows

/// A statement that controls transactions, connections or files. The SQL of an app must not
/// contain one, because the store begins and ends transactions.
///
/// Some of these statements have an effect when SQLite prepares them, and SQLite regards most
/// of them as read-only. Therefore, each statement is first prepared on an empty database: see
/// ``StatementActions``.
struct ControlStatement: Equatable {
  /// The keyword of the statement, such as `COMMIT`, also for `END`.
  let name: String

  var error: StoreError { .controlStatement(name, configuration: "StoreConfiguration") }

  /// Returns the control statement that an action of an authorizer belongs to.
  init?(action: CInt, _ first: String?, _ second: String?) {
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
