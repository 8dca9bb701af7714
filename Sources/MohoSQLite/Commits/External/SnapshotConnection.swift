import GRDB
import GRDBSQLite
import MohoRows

/// A separate connection to the database file that can keep a snapshot open.
///
/// Not `Sendable`: use it only on the queue of the original connection. It does
/// not use GRDB, whose connections trap if a transaction is left open.
// SAFETY: The connection and the statements live as long as the instance, which
// finalizes and closes them in `deinit`.
final class SnapshotConnection {
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Whether a snapshot is open.
  private(set) var isOpen = false

  /// Opens a second connection to the file of a connection.
  ///
  /// - Throws: A `DatabaseError` if the file cannot be opened.
  init(sharingFileOf database: Database) throws {
    // SQLite traps when it is called with a closed connection.
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

  /// Closes the current snapshot and opens a snapshot of the latest state.
  func openNewest() throws {
    close()
    try run("BEGIN")
    isOpen = true
    // SQLite opens the snapshot at the first read, not at `BEGIN`.
    do { try run("PRAGMA schema_version") } catch {
      close()
      throw error
    }
  }

  /// Closes the snapshot.
  func close() {
    guard isOpen else { return }
    if (try? run("COMMIT")) == nil { _ = try? run("ROLLBACK") }
    isOpen = false
  }

  /// Runs a closure while no other connection can commit. Does nothing if
  /// another connection has the write lock.
  func withWriteLock(_ body: () -> Void) {
    close()
    guard (try? run("BEGIN IMMEDIATE")) != nil else { return }
    body()
    _ = try? run("ROLLBACK")
  }

  /// Copies the content of the write-ahead log into the database file, except
  /// for pages that would change an older snapshot that is still being read.
  ///
  /// - Returns: The number of pages in the log.
  func checkpoint() throws -> CInt {
    var (pages, written): (CInt, CInt) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      connection, "main", SQLITE_CHECKPOINT_PASSIVE, &pages, &written)
    // SQLite is busy if another connection is running a checkpoint.
    guard code == SQLITE_OK || code == SQLITE_BUSY else { throw error(code) }
    return pages
  }

  /// Runs an SQL statement up to its first row.
  private func run(_ sql: String) throws {
    let statement = try statement(sql)
    _ = try step(statement)
    sqlite3_reset(statement)
  }

  /// Returns a cached statement, reset to its beginning.
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

  /// Advances a statement. Returns true if the statement has a current row.
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
