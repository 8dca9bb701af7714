import Foundation
import GRDB
import GRDBSQLite

/// Holds the state open that subscribers know, so that it can be compared with
/// a later one.
///
/// Two connections take turns: one holds the known state while the other takes
/// the newest, and lets go once it is certain which state that is. The second is
/// opened when it is first needed: opening one takes longer than the first page
/// of a list.
///
/// SQLite cannot begin its log anew while a state of it is held. So where the
/// log has become long, what it holds is written into the file, from which the
/// state is held then; and where others hold states as well, and it becomes
/// longer still, none is held until it is short again.
///
/// Not `Sendable`: it is used on the queue of the connection that it was made
/// for.
final class HeldState {
  private var known: StateConnection?
  private var newest: StateConnection?
  private let tables: [RecordedTable]

  /// The path of the write-ahead log.
  let log: String

  /// Of how many pages the log is long; 0 where checkpoints are not the
  /// connection's.
  private let limit: CInt
  /// How many pages the connection had written when the log was short.
  private var writtenPages: CInt
  private var isPaused = false

  /// How many times the limit the log may be while others hold it up.
  private static let patience: CInt = 8

  /// Makes what holds states of a connection's file, or nil where there are no
  /// states to hold: in memory, and without a write-ahead log.
  ///
  /// - Throws: `DatabaseError` where the file cannot be opened once more.
  init?(of database: Database, _ schema: Schema) throws {
    guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal",
      sqlite3_db_readonly(database.sqliteConnection, "main") == 0,
      let path = sqlite3_db_filename(database.sqliteConnection, "main")
    else { return nil }
    log = String(cString: path) + "-wal"
    newest = try StateConnection(besides: database)
    tables = schema.recordedTables
    limit = try CInt.fetchOne(database, sql: "PRAGMA wal_autocheckpoint") ?? 0
    writtenPages = Self.writtenPages(database)
  }

  /// Whether the known state is held.
  var isHeld: Bool { known?.isHolding == true }

  /// Whether the newest state is held beside it.
  var hasNewest: Bool { newest?.isHolding == true }

  /// Holds the newest state beside the known one.
  func takeNewest(of database: Database) {
    if newest == nil { newest = try? StateConnection(besides: database) }
    guard let newest else { return }
    if isPaused, let pages = try? newest.checkpoint(), pages < limit { isPaused = false }
    if isPaused { newest.letGo() } else { try? newest.holdNewest() }
  }

  /// The newest state is known from now on.
  func learn() {
    swap(&known, &newest)
    newest?.letGo()
  }

  /// The known state is not held.
  func forget() {
    known?.letGo()
    newest?.letGo()
  }

  /// The rows in which the known state and the newest differ, by table.
  ///
  /// - Complexity: O(*n*) in the number of rows of all tables.
  func differences() throws -> [String: WrittenRows] {
    var differences: [String: WrittenRows] = [:]
    guard let known, let newest else { return differences }
    for table in tables {
      let rows = try TableComparison(of: table, from: known, to: newest).differences()
      if !rows.isEmpty { differences[table.name] = rows }
    }
    return differences
  }

  /// Lets SQLite begin its log anew, where it has become long.
  ///
  /// - Parameters:
  ///   - database: The connection, outside of transactions.
  ///   - isElsewhere: Whether others have written to the log.
  ///   - isCurrent: Whether the known state is still the newest.
  func shortenLog(
    of database: Database, wasWrittenElsewhere isElsewhere: Bool, isCurrent: () -> Bool
  ) {
    guard isHeld, limit > 0, isLong(database, isElsewhere), let known, let newest else { return }
    // Most of the work, while others may write.
    _ = try? newest.checkpoint()
    // Nobody commits while no state is held. If somebody is about to, the next
    // commit is early enough.
    newest.alone {
      guard isCurrent() else { return }
      known.letGo()
      let pages = try? known.checkpoint()
      writtenPages = Self.writtenPages(database)
      isPaused = pages.map { $0 / Self.patience > limit } ?? true
      if !isPaused { try? known.holdNewest() }
    }
  }

  private func isLong(_ database: Database, _ isElsewhere: Bool) -> Bool {
    if Self.writtenPages(database) &- writtenPages >= limit { return true }
    // What others write is not counted. The file does not become shorter when
    // the log begins anew, so it may be tried in vain.
    guard isElsewhere,
      let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    else { return false }
    return size >= Int(limit) * 4_096
  }

  /// How many pages a connection has written to the log.
  private static func writtenPages(_ database: Database) -> CInt {
    var (pages, highest): (CInt, CInt) = (0, 0)
    sqlite3_db_status(
      database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
    return pages
  }
}
