import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// Keeps which rows the transactions of one connection write, for those who
/// are told of its commits.
///
/// There is one for a connection, which SQLite's pre-update hook has one place
/// for, shared by all stores on it.
// `@unchecked`: the recorder is used on its connection's queue alone, where
// SQLite calls the hook and GRDB calls transaction observers. Only the registry
// is used from anywhere, behind its lock.
final class WriteRecorder: @unchecked Sendable {
  /// The rows of the last transaction that was committed, by table.
  private(set) var committed: [String: WrittenRows] = [:]

  /// Whether subscribers are being told of the last commit.
  var isTelling = false

  private var tables: [TrackedTable] = []
  /// The table that was written last, which mostly is written next.
  private var last: TrackedTable?
  private var recordings: [Recording] = []
  /// The version of the data when the last transaction was about to be
  /// committed; nil once its end was reported.
  private var versionBeforeCommit: UInt32?
  private let hook: PreupdateHook?
  private let connection: OpaquePointer?
  private let id: ObjectIdentifier

  private final class TrackedTable {
    let table: RecordedTable
    let name: ContiguousArray<CChar>
    /// The places of its columns in the table, once they have been looked for.
    var columns: [CInt]?
    /// What the current transaction has written of it.
    var written: WrittenRows

    init(_ table: RecordedTable, isComplete: Bool) {
      self.table = table
      name = table.name.utf8CString
      written = WrittenRows(isComplete: isComplete)
    }

    // SAFETY: Both names end with a null character.
    func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
      name.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, other) == 0 }
    }

    func takeWritten() -> WrittenRows {
      defer { written = WrittenRows(isComplete: written.isComplete) }
      return written
    }
  }

  private final class Entry: @unchecked Sendable {
    /// GRDB's connection, which is told apart from others, never used.
    weak var database: AnyObject?
    weak var recorder: WriteRecorder?
    let owner: ObjectIdentifier

    init(_ recorder: WriteRecorder, of database: Database) {
      self.database = database
      self.recorder = recorder
      owner = ObjectIdentifier(recorder)
    }
  }
  /// The recorders by their connections. One whose memory another has taken over
  /// is gone from its entry; SQLite's connection is none to go by, whose memory
  /// is free before the recorder goes.
  private static let registry = Lock<[ObjectIdentifier: Entry]>([:])

  private struct Recording { weak var feed: CommitFeed? }

  private init(of database: Database, hook: PreupdateHook?) {
    connection = database.sqliteConnection
    id = ObjectIdentifier(database)
    self.hook = hook
  }

  deinit {
    Self.registry.withLock { recorders in
      // Another connection may have got the entry, whose recorder must not be
      // let go here, where it would wait for the lock.
      if recorders[id]?.owner == ObjectIdentifier(self) { recorders[id] = nil }
    }
  }

  /// The recorder of a connection.
  ///
  /// The connection keeps it, and so it is there as long as the hook may be
  /// called.
  static func recorder(
    of database: Database, hook: PreupdateHook?
  ) -> WriteRecorder {
    if let known = known(of: database) { return known }
    let recorder = WriteRecorder(of: database, hook: hook)
    registry.withLock { $0[recorder.id] = Entry(recorder, of: database) }
    database.add(transactionObserver: recorder, extent: .databaseLifetime)
    return recorder
  }

  /// The recorder of a connection that has one.
  static func known(of database: Database) -> WriteRecorder? {
    let entry = registry.withLock { $0[ObjectIdentifier(database)] }
    return entry?.database === database ? entry?.recorder : nil
  }

  /// The rows of a table that have been written and that subscribers may not yet
  /// know of.
  func unsettled(in table: String) -> WrittenRows? {
    discardAbandonedRows()
    return isTelling ? committed[table] : tables.first { $0.table.name == table }?.written
  }

  /// Discards the rows of a transaction that SQLite has rolled back by itself.
  ///
  /// GRDB reports no rollback to observers that a failing statement causes: by
  /// `OR ROLLBACK`, `RAISE(ROLLBACK, …)` or a full disk, or because it was a
  /// transaction of its own. Called outside of transactions, before rows are
  /// read or written.
  func discardAbandonedRows() {
    guard !isTelling, sqlite3_get_autocommit(connection) != 0 else { return }
    let written = tables.filter { !$0.written.isEmpty }
    if written.isEmpty || isRunningWriter { return }
    // Between a commit and its report, the rows are those of the commit.
    if let versionBeforeCommit, versionBeforeCommit != dataVersion { return }
    versionBeforeCommit = nil
    for table in written { _ = table.takeWritten() }
  }

  /// Whether a statement that writes is not yet done, such as one with
  /// `RETURNING` while its rows are read.
  private var isRunningWriter: Bool {
    var statement = sqlite3_next_stmt(connection, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0, sqlite3_stmt_readonly(current) == 0 { return true }
      statement = sqlite3_next_stmt(connection, current)
    }
    return false
  }

  /// A number that each commit of any connection changes.
  private var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Records the tables of a schema for as long as anyone subscribes to a feed.
  func record(_ schema: Schema, for feed: CommitFeed, in database: Database) {
    for table in schema.recordedTables {
      let new = TrackedTable(table, isComplete: hook != nil)
      if let known = tables.firstIndex(where: { $0.isNamed(table.name) }) {
        tables[known] = new
      } else {
        tables.append(new)
      }
    }
    last = nil
    let isRecording = !recordings.isEmpty
    recordings.append(Recording(feed: feed))
    if isRecording { return }
    guard let hook else {
      // Added anew, so that GRDB lets go of cached statements that delete all
      // rows of a table at once, without telling of each: they may have been
      // prepared while nobody was interested in the table.
      database.remove(transactionObserver: self)
      database.add(transactionObserver: self, extent: .databaseLifetime)
      return
    }
    // SAFETY: The connection, which calls the hook, keeps the recorder.
    _ = hook.install(connection, willWrite, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the recording where nobody subscribes to a feed any more.
  private func stopIfDone() {
    guard !recordings.isEmpty else { return }
    recordings.removeAll { $0.feed?.isSubscribed != true }
    if recordings.isEmpty, let hook { _ = hook.install(connection, nil, nil) }
  }

  /// The tables that the current transaction has not written.
  var unwrittenTables: Set<String> {
    Set(tables.lazy.filter(\.written.isEmpty).map(\.table.name))
  }

  /// Forgets the writes to tables that a rollback to a savepoint has undone, all
  /// of them.
  func forgetWrites(to names: Set<String>) {
    for table in tables where names.contains(table.table.name) { _ = table.takeWritten() }
  }

  /// Looks again where the columns are: a table has been altered.
  func forgetColumns() {
    for table in tables { table.columns = nil }
  }

  /// Notes a row that is about to be written.
  ///
  /// - Parameters:
  ///   - old: The identity of the row that changes or goes, if one does.
  ///   - new: The identity of the row that changes or comes, if one does.
  fileprivate func note(_ name: UnsafePointer<CChar>, old: Int64?, new: Int64?) {
    guard let tracked = tracked(name) else { return }
    if let old, tracked.written.needs(old) {
      tracked.written.note(old, former(of: tracked), of: tracked.table)
    }
    if let new, new != old { tracked.written.noteNew(new) }
  }

  private func tracked(_ name: UnsafePointer<CChar>) -> TrackedTable? {
    if let last, last.isNamed(name) { return last }
    guard let table = tables.first(where: { $0.isNamed(name) }) else { return nil }
    last = table
    return table
  }

  /// What the row holds that is about to be written, or nil if that is not
  /// known.
  private func former(of tracked: TrackedTable) -> FormerRow? {
    guard let hook, let columns = tracked.columns ?? columns(of: tracked.table) else { return nil }
    tracked.columns = columns
    return FormerRow(of: tracked.table, hasValues: tracked.written.keepsValues) { column in
      var value: OpaquePointer?
      let code = hook.oldValue(connection, columns[column], &value)
      return code == SQLITE_OK ? value : nil
    }
  }

  /// Where a table has its columns.
  // By SQLite's own calls: GRDB must not be called while a statement runs.
  private func columns(of table: RecordedTable) -> [CInt]? {
    var statement: OpaquePointer?
    let sql = "SELECT * FROM \(quoted(table.name)) LIMIT 0"
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    var positions: [String: CInt] = [:]
    for column in 0..<sqlite3_column_count(statement) {
      guard let name = sqlite3_column_name(statement, column) else { return nil }
      positions[String(cString: name).lowercased()] = column
    }
    var columns: [CInt] = []
    for name in table.columns {
      guard let position = positions[name.lowercased()] else { return nil }
      columns.append(position)
    }
    return columns
  }
}

/// The function that SQLite calls before it writes a row.
private let willWrite: PreupdateHook.Callback = {
  context, _, operation, database, table, key, newKey in
  // Tables of the same names in attached and temporary databases are others.
  guard let context, let table, let database, strcmp(database, "main") == 0 else { return }
  // SAFETY: The context is the recorder, which the connection that calls keeps.
  let recorder = Unmanaged<WriteRecorder>.fromOpaque(context).takeUnretainedValue()
  switch operation {
  case SQLITE_INSERT: recorder.note(table, old: nil, new: newKey)
  case SQLITE_DELETE: recorder.note(table, old: key, new: nil)
  default: recorder.note(table, old: key, new: newKey)
  }
}

extension WriteRecorder: TransactionObserver {
  /// Without a pre-update hook, events are GRDB's.
  ///
  /// GRDB calls this before each statement that writes.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    discardAbandonedRows()
    return hook == nil && eventKind.tableName.withCString { tracked($0) } != nil
  }

  func databaseDidChange(with event: DatabaseEvent) {
    guard !recordings.isEmpty, let tracked = event.tableName.withCString({ tracked($0) }) else {
      return
    }
    tracked.written.note(event.rowID, nil, of: tracked.table)
  }

  func databaseWillCommit() { versionBeforeCommit = dataVersion }

  func databaseDidCommit(_ database: Database) {
    versionBeforeCommit = nil
    stopIfDone()
    committed = takeWritten()
    if recordings.isEmpty { committed = [:] }
  }

  func databaseDidRollback(_ database: Database) {
    versionBeforeCommit = nil
    committed = [:]
    _ = takeWritten()
  }

  private func takeWritten() -> [String: WrittenRows] {
    var written: [String: WrittenRows] = [:]
    for table in tables where !table.written.isEmpty {
      written[table.table.name] = table.takeWritten()
    }
    return written
  }
}
