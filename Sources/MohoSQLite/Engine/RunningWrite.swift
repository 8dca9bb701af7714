import GRDB
import GRDBSQLite

/// A closure of the app that writes in a transaction of a connection.
///
/// If a statement fails because of the disk, SQLite undoes the whole transaction. If the
/// closure caught the error and went on, SQLite would commit each later statement on its own.
/// Therefore, all later calls throw.
// `@unchecked`: only the queue of the connection uses the object.
final class RunningWrite: @unchecked Sendable {
  private var isRunning = false

  /// Runs a closure in a transaction that it does not end.
  ///
  /// - Throws: A `DatabaseError` if the transaction has ended before the closure.
  static func run<Result>(on database: Database, _ body: () throws -> Result) throws -> Result {
    ConnectionFunctions.install(on: database)
    guard let write = ConnectionFunctions.runningWrite(of: database), !write.isRunning else {
      return try body()
    }
    write.isRunning = true
    defer { write.isRunning = false }
    let result = try body()
    try check(database)
    return result
  }

  /// Throws an error if a closure is writing although its transaction has ended.
  static func check(_ database: Database) throws {
    guard let connection = database.sqliteConnection, sqlite3_get_autocommit(connection) != 0,
      let write = ConnectionFunctions.runningWrite(of: database), write.isRunning
    else { return }
    throw DatabaseError(
      resultCode: .SQLITE_ABORT, message: "the transaction was undone after an error")
  }
}
