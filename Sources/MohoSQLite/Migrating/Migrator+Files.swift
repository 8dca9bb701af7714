import GRDB
import MohoRows

extension Migrator {
  /// Throws an error if a file belongs to another application or was written by a newer
  /// version of the app, without changing the file. Opening a file normally changes its journal
  /// mode to write-ahead logging, which the file stores.
  ///
  /// All other problems are detected when the file is opened.
  ///
  /// SQLite reads the journal mode, too. If this process opened and closed the file otherwise,
  /// it would lose its locks on the file (see section 2.2 of
  /// <https://sqlite.org/howtocorrupt.html>), and other programs could delete the log of stores
  /// that have the file open.
  ///
  /// - Throws: A `StoreError`, or a `DatabaseError` if the file is locked.
  func checkUnopened(_ path: String) throws {
    var configuration = configuration
    configuration.isReadOnly = true
    // The caller waits.
    configuration.busyTimeout = 0
    do {
      let queue = try DatabaseQueue(path: path, configuration: Configuration(configuration))
      try queue.read { database in
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" else { return }
        try checkApplication(database)
        let stored = try StoredSchema(database)
        try version.check(stored.record)
        try checkForeign(comparison(stored, database))
      }
    } catch let error as StoreError
      where [.foreignFile, .newerVersion, .incompatibleSchema].contains(error.code)
    {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw error
    } catch {}
  }

  /// Throws an error if the file has the application identifier of another
  /// application.
  func checkApplication(_ database: Database) throws {
    guard ownsFile else { return }
    let row = try Row.fetchOne(database, sql: "PRAGMA application_id")
    let found = row?.integer(0) ?? 0
    guard found == 0 || found == Int64(configuration.applicationID) else {
      throw StoreError(
        .foreignFile,
        reason: "the file has the application identifier \(found),"
          + " not \(configuration.applicationID)",
        suggestion: "open another file")
    }
  }
}
