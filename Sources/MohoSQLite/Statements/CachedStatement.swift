import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// A query whose prepared statement is found without a lookup of its SQL, which
/// takes as long as the run of a statement that reads one row.
final class CachedStatement: Sendable {
  private let query: SQLQuery

  // `@unchecked`: only the queue of the connection uses the statement.
  private struct Last: @unchecked Sendable {
    // GRDB's connection owns the statement, and must release it to be closed.
    weak var statement: Statement?
    var connection: OpaquePointer?
  }

  /// The statement on the connection that used it last.
  private let last = Lock(Last())

  init(_ query: SQLQuery) { self.query = query }

  convenience init(_ sql: String) { self.init(SQLQuery(sql)) }

  /// The statement on a connection, with the arguments of the query bound. The
  /// numbers of further parameters begin with 1 again.
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
