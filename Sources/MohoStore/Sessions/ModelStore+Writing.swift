import GRDB
import GRDBSQLite
import MohoMapping

extension ModelStore {
  /// Runs a closure that changes the store in one transaction.
  ///
  /// All changes are committed when the closure returns. When it throws, none
  /// is. A call inside the closure takes part in the transaction; if it throws,
  /// its own changes are undone.
  ///
  /// Links are checked when the transaction is about to be committed, so rows
  /// may be written in any order.
  ///
  /// - Throws: What the closure throws, and ``StoreError``: of code
  ///   ``StoreError/Code/danglingReference`` where rows would be linked to rows
  ///   that are not there.
  @discardableResult
  public func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantWrite { database in
        var result: Result?
        func run() throws -> Database.TransactionCompletion {
          result = try StoreSession.run(on: database, schema) {
            try body(StoreWriter(session: $0))
          }
          return .commit
        }
        if database.isInsideTransaction {
          try database.inSavepoint(run)
        } else {
          try checkPlace(database)
          WriteRecorder.known(of: database)?.discardAbandonedRows()
          try database.inTransaction(.immediate) {
            let completion = try run()
            try checkReferences(database)
            return completion
          }
        }
        guard let result else {
          throw StoreError(.database, reason: "the transaction did not run")
        }
        return result
      }
    }
  }

  /// Throws where the file is no longer at its path: what is written would be
  /// gone with the last connection to it.
  private func checkPlace(_ database: Database) throws {
    // Of a connection that is closed, the next statement throws.
    guard path != nil, let connection = database.sqliteConnection else { return }
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError(
        .replaced, subject: path, reason: "it was moved or deleted while the store was open",
        suggestion: "open the store again")
    }
  }

  /// Throws where the transaction leaves links to rows that are not there,
  /// which SQLite would say at the commit without saying which.
  private func checkReferences(_ database: Database) throws {
    guard let connection = database.sqliteConnection else { return }
    var (current, highest): (Int32, Int32) = (0, 0)
    // 0 where all links are right; the tables are searched only where it is not.
    sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    guard current != 0, database.isInsideTransaction,
      let error = try schema.danglingReferences(in: database)
    else { return }
    throw error
  }
}
