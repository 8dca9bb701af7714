import GRDB
import GRDBSQLite

/// A connection of its own to the file of another, which holds one committed
/// state of it open.
///
/// Not `Sendable`: it is used on the queue of the other connection. GRDB knows
/// nothing of it, because its connections end the process where a transaction
/// is left open.
// SAFETY: The connection and its statements live as long as the instance, which
// finalizes and closes them.
final class StateConnection {
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Whether a state is held.
  private(set) var isHolding = false

  /// Opens the file of a connection once more.
  ///
  /// - Throws: `DatabaseError`.
  init(besides database: Database) throws {
    // SQLite ends the process where it is asked about a closed connection.
    guard let other = database.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    var files: UnsafeMutablePointer<sqlite3_vfs>?
    sqlite3_file_control(other, "main", SQLITE_FCNTL_VFS_POINTER, &files)
    let code = sqlite3_open_v2(
      sqlite3_db_filename(other, "main"), &connection,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, files?.pointee.zName)
    guard code == SQLITE_OK else {
      let error = error(code)
      sqlite3_close_v2(connection)
      connection = nil
      throw error
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  /// Holds the newest state, and no longer the one before.
  func holdNewest() throws {
    letGo()
    try run("BEGIN")
    isHolding = true
    // Only now does SQLite choose the state.
    do { try run("PRAGMA schema_version") } catch {
      letGo()
      throw error
    }
  }

  /// Holds no state.
  func letGo() {
    guard isHolding else { return }
    if (try? run("COMMIT")) == nil { _ = try? run("ROLLBACK") }
    isHolding = false
  }

  /// Runs a closure while nobody else can commit; does not, where somebody is
  /// about to: nobody waits here.
  func alone(_ body: () -> Void) {
    letGo()
    guard (try? run("BEGIN IMMEDIATE")) != nil else { return }
    body()
    _ = try? run("ROLLBACK")
  }

  /// Writes what the write-ahead log holds into the file, as far as nobody
  /// reads an older state.
  ///
  /// - Returns: How many pages the log holds.
  func checkpoint() throws -> CInt {
    var (pages, written): (CInt, CInt) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      connection, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &written)
    // Busy is a log that another connection is writing into the file.
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code) }
    return pages
  }

  /// Runs a statement of SQL to its first row, if it has any.
  private func run(_ sql: String) throws {
    let statement = try statement(sql)
    _ = try step(statement)
    sqlite3_reset(statement)
  }

  /// The statement of SQL, not yet begun.
  func statement(_ sql: String) throws -> OpaquePointer {
    if let statement = statements[sql] {
      sqlite3_reset(statement)
      return statement
    }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    statements[sql] = statement
    return statement
  }

  /// Whether a statement has a further row, which it stands on then.
  func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = error(code)
      sqlite3_reset(statement)
      throw error
    }
  }

  private func error(_ code: CInt) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_errmsg(connection).map { String(cString: $0) })
  }
}
