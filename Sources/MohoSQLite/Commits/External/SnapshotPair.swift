import Foundation
import GRDB
import GRDBSQLite
import MohoRows

/// Keeps a snapshot of the database open: the state that was last
/// reported to subscribers. It can be compared with a later snapshot.
///
/// Two connections alternate. One has the reported snapshot open while the other
/// one opens the newest snapshot. When the newest snapshot has been verified,
/// the reported one is closed and the connections swap roles. The second
/// connection is opened on first use, because opening a connection takes longer
/// than fetching the first page of a list.
///
/// SQLite cannot restart the write-ahead log from the beginning while a
/// snapshot of the log is open. When the log exceeds its limit, its content is
/// checkpointed into the database file and the snapshot is opened again on the
/// file. If the log continues to grow because other connections also have
/// snapshots open, no snapshot is opened until the log is short again.
///
/// Not `Sendable`: use it only on the queue of the connection that it was
/// created for.
final class SnapshotPair {
  private var reported: SnapshotConnection?
  private var newest: SnapshotConnection?
  private let tables: [CompiledTable]

  /// The path of the write-ahead log.
  let log: String

  /// The number of pages in the log that triggers a checkpoint. 0 if the
  /// connection does not checkpoint automatically.
  private let limit: CInt
  /// The number of pages that the connection had written when the log was last
  /// short.
  private var writtenPages: CInt
  private var isPaused = false

  /// While other connections prevent the log from restarting, the log may grow
  /// to this multiple of the limit before snapshots are paused.
  private static let growthLimit: CInt = 8

  /// Creates the connections for the snapshots of a database. Returns nil if
  /// the database does not support snapshots: in memory, read-only, or without
  /// a write-ahead log.
  ///
  /// - Throws: A `DatabaseError` if the file cannot be opened again.
  init?(of database: Database, _ schema: Schema) throws {
    guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
      sqlite3_db_readonly(database.sqliteConnection, "main") == 0,
      let path = sqlite3_db_filename(database.sqliteConnection, "main")
    else { return nil }
    log = String(cString: path) + "-wal"
    newest = try SnapshotConnection(sharingFileOf: database)
    tables = schema.compiled.tables
    limit = try CInt.fetchOne(database, sql: "PRAGMA wal_autocheckpoint") ?? 0
    writtenPages = Self.writtenPages(database)
  }

  /// Whether the reported snapshot is open.
  var isReportedOpen: Bool { reported?.isOpen == true }

  /// Whether the newest snapshot is open.
  var isNewestOpen: Bool { newest?.isOpen == true }

  /// Opens the newest snapshot in addition to the reported one.
  func openNewest(of database: Database) {
    if newest == nil { newest = try? SnapshotConnection(sharingFileOf: database) }
    guard let newest else { return }
    if isPaused, let pages = try? newest.checkpoint(), pages < limit { isPaused = false }
    if isPaused { newest.close() } else { try? newest.openNewest() }
  }

  /// Makes the newest snapshot the reported one.
  func promoteNewest() {
    swap(&reported, &newest)
    newest?.close()
  }

  /// Closes both snapshots.
  func close() {
    reported?.close()
    newest?.close()
  }

  /// The rows that differ between the reported snapshot and the newest one, by
  /// table.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows in all tables.
  func differences() throws -> [String: RowWriteSet] {
    var differences: [String: RowWriteSet] = [:]
    guard let reported, let newest else { return differences }
    for table in tables {
      let rows = try TableComparison(of: table, from: reported, to: newest).differences()
      if !rows.isEmpty { differences[table.name] = rows }
    }
    return differences
  }

  /// Lets SQLite restart the write-ahead log from the beginning if the log is
  /// too long.
  ///
  /// - Parameters:
  ///   - database: The connection, which must not be in a transaction.
  ///   - isExternal: Whether other connections have written to the log.
  ///   - isCurrent: Returns whether the reported snapshot is still the latest
  ///     state.
  func restartLog(
    of database: Database, hasExternalWrites isExternal: Bool, isCurrent: () -> Bool
  ) {
    guard isReportedOpen, limit > 0, isLong(database, isExternal), let reported, let newest else {
      return
    }
    // Do most of the work while other connections can still write.
    _ = try? newest.checkpoint()
    // The write lock prevents commits while no snapshot is open. If another
    // connection has the lock, the next commit will try again.
    newest.withWriteLock {
      guard isCurrent() else { return }
      reported.close()
      let pages = try? reported.checkpoint()
      writtenPages = Self.writtenPages(database)
      isPaused = pages.map { $0 / Self.growthLimit > limit } ?? true
      if !isPaused { try? reported.openNewest() }
    }
  }

  private func isLong(_ database: Database, _ isExternal: Bool) -> Bool {
    if Self.writtenPages(database) &- writtenPages >= limit { return true }
    // Pages written by other connections are not counted, so check the size of
    // the file. The file does not shrink when the log restarts, so this may
    // return true for a short log.
    guard isExternal,
      let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    else { return false }
    return size >= Int(limit) * 4_096
  }

  /// The number of pages that a connection has written to the log.
  private static func writtenPages(_ database: Database) -> CInt {
    var (pages, highest): (CInt, CInt) = (0, 0)
    sqlite3_db_status(
      database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
    return pages
  }
}
