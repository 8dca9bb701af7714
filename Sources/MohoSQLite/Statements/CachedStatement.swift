import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// A query that keeps its prepared statement, to avoid looking up the statement
/// by its SQL. The lookup takes as long as running a statement that reads one
/// row.
final class CachedStatement: Sendable {
  private let query: SQLQuery

  // `@unchecked`: only the queue of the connection uses the statement.
  private struct Last: @unchecked Sendable {
    // GRDB's connection owns the statement and must be able to release it when
    // it is closed.
    weak var statement: Statement?
    var connection: OpaquePointer?
  }

  /// The statement for the connection that was used last.
  private let last = Lock(Last())

  init(_ query: SQLQuery) { self.query = query }

  convenience init(_ sql: String) { self.init(SQLQuery(sql)) }

  /// Returns the statement for a connection, after binding the arguments of the
  /// query. The numbers of additional parameters start at 1.
  func prepared(on database: Database) throws -> PreparedStatement {
    let statement = PreparedStatement(
      try statement(on: database), database, offset: Int32(query.arguments.count))
    try statement.bind(query.arguments)
    return statement
  }

  private func statement(on database: Database) throws -> Statement {
    let connection = database.sqliteConnection
    let last = last.withLock { $0.connection == connection ? $0 : Last() }
    if let statement = last.statement, sqlite3_stmt_busy(statement.sqliteStatement) == 0 {
      return statement
    }
    let (statement, isCached) = try PreparedStatement.statement(query.sql, on: database)
    if isCached {
      let found = Last(statement: statement, connection: connection)
      self.last.withLock { $0 = found }
    }
    return statement
  }
}
