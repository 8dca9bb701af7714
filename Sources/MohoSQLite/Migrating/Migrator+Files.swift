import Foundation
import GRDB
import MohoRows

extension Migrator {
  /// Throws an error if a file belongs to another application or was written by a newer
  /// version of the app, without changing the file. Opening a file normally changes its journal mode to write-ahead
  /// logging, which the file stores.
  ///
  /// All other problems are detected when the file is opened.
  func checkUnopened(_ path: String) throws {
    guard let header = FileHeader(path), !header.isWriteAheadLogged else { return }
    var configuration = configuration
    configuration.isReadOnly = true
    guard
      let queue = try? DatabaseQueue(path: path, configuration: Configuration(configuration))
    else { return }
    do {
      try queue.read { database in
        try checkApplication(database)
        let stored = try StoredSchema(database)
        try version.check(stored.record)
        try checkForeign(comparison(stored, database))
      }
    } catch let error as StoreError
      where [.foreignFile, .newerVersion, .incompatibleSchema].contains(error.code)
    {
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

/// The header of an SQLite file. See <https://sqlite.org/fileformat.html>.
struct FileHeader {
  private let bytes: Data

  /// Returns nil if the file does not exist or is not a database.
  init?(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard let bytes = try? file.read(upToCount: 100), bytes.count == 100,
      bytes.starts(with: Data("SQLite format 3\0".utf8))
    else { return nil }
    self.bytes = bytes
  }

  /// Whether the file is in write-ahead logging mode.
  var isWriteAheadLogged: Bool { bytes[bytes.startIndex + 18] == 2 }
}
