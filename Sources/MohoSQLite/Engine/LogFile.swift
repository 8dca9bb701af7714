import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The write-ahead log of an open store. Detects that other programs have deleted, replaced or
/// truncated it.
///
/// SQLite writes to the file that it has opened, also after the file has lost its name. If it
/// was truncated, SQLite writes after the end, and the missing part becomes zeros in the
/// database. Both are only visible in the status of the path, because code other than SQLite
/// must not open the file.
final class LogFile: Sendable {
  let path: String
  private let interval: Duration
  /// The time of the last check that found the log intact.
  private let lastCheck = Lock<ContinuousClock.Instant?>(nil)
  #if !os(Windows)
    private let device: dev_t
    private let number: ino_t

    /// Returns nil if the database has no log that connections share.
    ///
    /// - Parameter interval: The minimum time between two checks, in seconds.
    init?(of database: Database, checkedEvery interval: Double) throws {
      guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
        try String.fetchOne(database, sql: "PRAGMA locking_mode") == "normal",
        let name = sqlite3_db_filename(database.sqliteConnection, "main")
      else { return nil }
      path = String(cString: name) + "-wal"
      self.interval = .seconds(interval)
      guard let status = Self.status(self.path) else { return nil }
      device = status.st_dev
      number = status.st_ino
    }

    /// Throws an error if the log of a connection is not intact. The connection must be in a
    /// write transaction, which prevents other connections from shortening the log.
    ///
    /// - Complexity: One call of `stat`, which takes about 4 percent of the time for writing a
    ///   row. Therefore, writes that follow each other immediately share a check.
    func check(_ connection: OpaquePointer, ofStore store: String?) throws {
      let now = ContinuousClock.now
      if let last = lastCheck.withLock({ $0 }), now - last < interval { return }
      guard let status = Self.status(path), status.st_ino == number, status.st_dev == device else {
        throw damage("deleted or replaced", store)
      }
      guard Int64(status.st_size) >= Self.committedSize(connection) else {
        throw damage("truncated", store)
      }
      lastCheck.withLock { $0 = now }
    }

    private func damage(_ cause: String, _ store: String?) -> StoreError {
      StoreError(
        .damagedLog, subject: store, reason: "\(path) was \(cause) while the store was open",
        suggestion: "close the store in all programs and open it again;"
          + " commits in the log may be lost")
    }

    private static func status(_ path: String) -> stat? {
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
  #else
    // Windows does not delete open files.
    init?(of database: Database, checkedEvery interval: Double) throws { return nil }
    func check(_ connection: OpaquePointer, ofStore store: String?) throws {}
  #endif

  /// The number of bytes in the log up to the last commit, or 0 if it is not known.
  // The index of the log, which the connections share, begins with a header whose format
  // <https://sqlite.org/walformat.html> documents.
  private static func committedSize(_ connection: OpaquePointer) -> Int64 {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return 0 }
    var region: UnsafeMutableRawPointer?
    // SAFETY: The connection is in a transaction, so it has mapped the first region, which has
    // 32 kilobytes. The header changes only while a connection commits, and this one has the
    // write lock.
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return 0 }
    let pageSize = Int64(region.load(fromByteOffset: 14, as: UInt16.self))
    let frames = Int64(region.load(fromByteOffset: 16, as: UInt32.self))
    // The size 65,536 does not fit, and is stored as 1.
    return frames == 0 ? 0 : 32 + frames * (24 + (pageSize == 1 ? 65_536 : pageSize))
  }
}
