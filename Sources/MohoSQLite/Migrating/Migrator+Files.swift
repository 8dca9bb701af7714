import Foundation
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
        try checkExistence(stored)
        try checkForeign(comparison(stored, database))
      }
    } catch let error as StoreError
      where [.foreignFile, .newerVersion, .incompatibleSchema, .storeNotFound]
      .contains(error.code)
    {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw error
    } catch {}
  }

  /// - Throws: A `StoreError` if the file does not exist and may not be created.
  func checkExistence(ofFile path: String) throws {
    guard !configuration.createsTables, !FileManager.default.fileExists(atPath: path) else {
      return
    }
    throw Self.notFound("the file does not exist")
  }

  /// - Throws: A `StoreError` if the database has no tables of a store, and none may be
  ///   created.
  func checkExistence(_ stored: StoredSchema) throws {
    guard !configuration.createsTables, stored.isNew(to: schema), !schema.entities.isEmpty else {
      return
    }
    throw Self.notFound("the file has no tables of the store")
  }

  private static func notFound(_ reason: String) -> StoreError {
    StoreError(
      .storeNotFound, reason: reason,
      suggestion: "open the store once with `createsTables`, or check the path")
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
