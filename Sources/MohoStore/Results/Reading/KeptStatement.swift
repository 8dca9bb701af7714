import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// A statement that is found prepared without a look for its SQL, which for a
/// statement of one row takes as long as the run.
final class KeptStatement: Sendable {
  let sql: String

  // `@unchecked`: the statement is touched on the queue of its connection
  // alone, which it is told by.
  private struct Last: @unchecked Sendable {
    // GRDB's connection keeps the statement, and must let go of it to be closed.
    weak var statement: Statement?
    var connection: OpaquePointer?
  }

  /// The statement on the connection on which it was used last.
  private let last = Lock(Last())

  init(_ sql: String) { self.sql = sql }

  /// The statement on a connection, which nobody is running.
  func statement(on database: Database) throws -> Statement {
    // GRDB ends the process where a statement is made on a closed connection.
    guard let connection = database.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    let last = last.withLock { $0.connection == connection ? $0 : Last() }
    if let statement = last.statement, sqlite3_stmt_busy(statement.sqliteStatement) == 0 {
      return statement
    }
    let statement = try database.cachedStatement(sql: sql)
    if sqlite3_stmt_busy(statement.sqliteStatement) != 0 {
      return try database.makeStatement(sql: sql)
    }
    let found = Last(statement: statement, connection: connection)
    self.last.withLock { $0 = found }
    return statement
  }
}
