import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// What a statement that an app has written would do.
///
/// The statement is prepared on an empty database, whose authorizer denies and reports its
/// actions. SQLite calls the authorizer for these actions while it parses the statement, so
/// the tables of the store are not needed.
struct StatementActions {
  var control: ControlStatement?
  /// The name of the temporary table or view that the statement creates.
  var temporaryTable: String?

  /// Returns the actions of the first statement of a null-terminated text.
  ///
  /// - Throws: A `DatabaseError` if the empty database cannot be created.
  static func first(in sql: UnsafePointer<CChar>) throws -> StatementActions {
    try parser.withLock { parser in
      let ready = try parser ?? StatementParser()
      parser = ready
      return ready.actions(of: sql)
    }
  }

  private static let parser = Lock<StatementParser?>(nil)
}

/// An empty database that prepares statements without running them.
// SAFETY: The lock of `StatementActions` guards all uses. The connection lives as long as the
// instance, which the authorizer refers to.
private final class StatementParser: @unchecked Sendable {
  private var connection: OpaquePointer?
  private var found = StatementActions()

  init() throws {
    let code = sqlite3_open_v2(
      ":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    sqlite3_set_authorizer(
      connection,
      { parser, action, first, second, database, _ in
        guard let parser else { return SQLITE_OK }
        let (first, second) = (
          first.map { String(cString: $0) }, second.map { String(cString: $0) }
        )
        return Unmanaged<StatementParser>.fromOpaque(parser).takeUnretainedValue()
          .authorize(
            action, first, second, isTemporary: database.map { strcmp($0, "temp") == 0 } ?? false)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_close_v2(connection) }

  func actions(of sql: UnsafePointer<CChar>) -> StatementActions {
    found = StatementActions()
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    sqlite3_finalize(statement)
    return found
  }

  private func authorize(
    _ action: CInt, _ first: String?, _ second: String?, isTemporary: Bool
  ) -> CInt {
    if isTemporary, Self.creating.contains(action) { found.temporaryTable = first }
    guard let control = ControlStatement(action: action, first, second) else { return SQLITE_OK }
    found.control = control
    return SQLITE_DENY
  }

  /// The actions that create tables and views. SQLite reports `CREATE TABLE temp.x` as one of
  /// the first three.
  private static let creating: Set<CInt> = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE, SQLITE_CREATE_TEMP_TABLE,
    SQLITE_CREATE_TEMP_VIEW,
  ]
}
