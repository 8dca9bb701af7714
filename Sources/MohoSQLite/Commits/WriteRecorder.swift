import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// Records the rows that a connection's transactions write, for the subscribers
/// of its commits, and for rules that may read these rows.
///
/// All stores on a connection share a recorder, because a connection has only
/// one pre-update hook.
// `@unchecked`: the recorder is used only on its connection's queue, where
// SQLite calls the hook and GRDB calls transaction observers. Only the registry
// is used from any thread, and it has a lock.
final class WriteRecorder: @unchecked Sendable {
  /// The rows that the last committed transaction has written, by table.
  private(set) var committed: [String: RowWriteSet] = [:]

  /// Whether subscribers are receiving the last commit.
  var isReporting = false

  /// The feed that is calling its subscribers: with a commit, with an error, or to create
  /// an observer.
  private(set) var callingFeed: ObjectIdentifier?

  /// The engines whose rules are checked at the end of the running transaction.
  var enginesCheckingRules: Set<ObjectIdentifier> = []

  /// Whether the app has begun the running transaction, in which a store checks rules.
  var isInTransactionOfApp = false

  private(set) var tables: [TrackedTable] = []
  /// The table that was written last. It is often written next.
  private var last: TrackedTable?
  /// The name of the last written table that is not recorded.
  private var lastUntracked: [CChar] = []
  private var recordings: [Recording] = []
  /// The data version before the last commit, or nil after the end of the
  /// transaction was reported.
  private var versionBeforeCommit: UInt32?
  private let hook: PreupdateHook?
  let connection: OpaquePointer?
  private let id: ObjectIdentifier

  private final class Entry: @unchecked Sendable {
    /// GRDB's connection. Only its identity is used.
    weak var database: AnyObject?
    weak var recorder: WriteRecorder?
    let owner: ObjectIdentifier

    init(_ recorder: WriteRecorder, of database: Database) {
      self.database = database
      self.recorder = recorder
      owner = ObjectIdentifier(recorder)
    }
  }
  /// The recorders by the object identifiers of GRDB's connections. An entry
  /// becomes invalid when another connection reuses the memory address. The
  /// address of SQLite's connection could not be the key, because SQLite frees
  /// it before the recorder is released.
  private static let registry = Lock<[ObjectIdentifier: Entry]>([:])

  /// A subscriber of commits, or an engine whose rules may read the written rows.
  private struct Recording {
    weak var feed: CommitFeed?
    weak var engine: SQLiteEngine?

    var isNeeded: Bool { feed?.isSubscribed == true || engine != nil }
  }

  /// Whether the recorder receives all writes from SQLite, before they are made.
  var usesHook: Bool { hook != nil }

  private init(of database: Database, hook: PreupdateHook?) {
    connection = database.sqliteConnection
    id = ObjectIdentifier(database)
    self.hook = hook
  }

  deinit {
    Self.registry.withLock { recorders in
      // The entry may belong to another connection. Releasing that connection's
      // recorder here would deadlock, because its `deinit` waits for the lock.
      if recorders[id]?.owner == ObjectIdentifier(self) { recorders[id] = nil }
    }
  }

  /// Returns the recorder of a connection, and creates one if necessary.
  ///
  /// The connection retains the recorder, because the hook refers to it.
  static func recorder(
    of database: Database, hook: PreupdateHook?
  ) -> WriteRecorder {
    if let known = existing(of: database) { return known }
    let recorder = WriteRecorder(of: database, hook: hook)
    registry.withLock { $0[recorder.id] = Entry(recorder, of: database) }
    database.add(transactionObserver: recorder, extent: .databaseLifetime)
    return recorder
  }

  /// Returns the recorder of a connection, if there is one.
  static func existing(of database: Database) -> WriteRecorder? {
    let entry = registry.withLock { $0[ObjectIdentifier(database)] }
    return entry?.database === database ? entry?.recorder : nil
  }

  /// Runs a closure in which a feed calls its subscribers.
  func calling<Result>(by feed: CommitFeed, _ body: () throws -> Result) rethrows -> Result {
    let outer = callingFeed
    callingFeed = ObjectIdentifier(feed)
    defer { callingFeed = outer }
    return try body()
  }

  /// Discards the rows of a transaction that SQLite has rolled back by itself.
  ///
  /// GRDB does not report the rollback by a failing statement: by `OR
  /// ROLLBACK`, `RAISE(ROLLBACK, …)` or a full disk, or in an implicit
  /// transaction. This method is called outside transactions, before rows are
  /// read or written.
  func discardAbandonedRows() {
    guard !isReporting, sqlite3_get_autocommit(connection) != 0 else { return }
    let written = tables.filter { !$0.written.isEmpty }
    if written.isEmpty || isRunningWriter { return }
    // Between a commit and its report, the rows belong to the commit.
    if let versionBeforeCommit, versionBeforeCommit != dataVersion { return }
    versionBeforeCommit = nil
    for table in written { _ = table.takeWritten() }
  }

  /// Whether a writing statement is running. For example, a statement with
  /// `RETURNING` runs while its rows are read.
  private var isRunningWriter: Bool {
    var statement = sqlite3_next_stmt(connection, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0, sqlite3_stmt_readonly(current) == 0 { return true }
      statement = sqlite3_next_stmt(connection, current)
    }
    return false
  }

  /// A number that changes with each commit of any connection.
  private var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Records the tables of a schema while a feed has subscribers.
  func record(_ schema: Schema, for feed: CommitFeed, in database: Database) {
    for table in schema.compiled.tables {
      let new = TrackedTable(table, isComplete: hook != nil)
      if let known = tables.firstIndex(where: { $0.isNamed(table.name) }) {
        tables[known] = new
      } else {
        tables.append(new)
      }
    }
    last = nil
    lastUntracked = []
    begin(Recording(feed: feed), in: database)
  }

  /// Records tables that rules may read, until the engine is deallocated.
  func record(_ tables: [CompiledTable], for engine: SQLiteEngine, in database: Database) {
    if recordings.contains(where: { $0.engine === engine }) { return }
    for table in tables where !self.tables.contains(where: { $0.isNamed(table.name) }) {
      self.tables.append(TrackedTable(table, isComplete: hook != nil))
    }
    lastUntracked = []
    begin(Recording(engine: engine), in: database)
  }

  private func begin(_ recording: Recording, in database: Database) {
    let isRecording = !recordings.isEmpty
    recordings.append(recording)
    if isRecording { return }
    guard let hook else {
      // Adding the observer again makes GRDB discard cached statements that
      // delete all rows of a table without reporting them.
      database.remove(transactionObserver: self)
      database.add(transactionObserver: self, extent: .databaseLifetime)
      return
    }
    // SAFETY: The connection, which calls the hook, retains the recorder.
    _ = hook.install(connection, willWrite, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the recording if no feed has subscribers, and no engine needs it.
  private func stopIfDone() {
    guard !recordings.isEmpty else { return }
    recordings.removeAll { !$0.isNeeded }
    if recordings.isEmpty, let hook { _ = hook.install(connection, nil, nil) }
  }

  /// For each table, whether the current transaction has written it.
  var writtenTables: [Bool] { tables.map { !$0.written.isEmpty } }

  /// Discards writes that were undone by a rollback to a savepoint.
  ///
  /// - Parameter writtenTables: For each table, whether it had been written
  ///   before the savepoint. The writes of these tables are not discarded.
  func discardWrites(exceptTo writtenTables: [Bool]) {
    for (table, isWritten) in zip(tables, writtenTables) where !isWritten {
      _ = table.takeWritten()
    }
  }

  /// Discards the indexes of columns after a table was altered.
  func forgetColumns() {
    for table in tables { table.columns = nil }
  }

  /// Records a row that is about to be written.
  ///
  /// - Parameters:
  ///   - old: The identity of the row that is updated or deleted.
  ///   - new: The identity of the row that is updated or inserted.
  fileprivate func record(_ name: UnsafePointer<CChar>, old: Int64?, new: Int64?) {
    guard let tracked = tracked(name) else { return }
    func record(in rows: inout RowWriteSet) {
      if let old, rows.lacksPreviousValues(of: old) {
        rows.record(
          old, previous: previousRow(of: tracked, hasValues: rows.recordsValues),
          of: tracked.table)
      }
      if let new, new != old { rows.insertNew(new) }
    }
    record(in: &tracked.written)
    for part in tracked.parts.indices { record(in: &tracked.parts[part]) }
  }

  private func tracked(_ name: UnsafePointer<CChar>) -> TrackedTable? {
    if let last, last.isNamed(name) { return last }
    // SAFETY: Both names end with a null character.
    if !lastUntracked.isEmpty, strcmp(lastUntracked, name) == 0 { return nil }
    guard let table = tables.first(where: { $0.isNamed(name) }) else {
      lastUntracked.removeAll(keepingCapacity: true)
      lastUntracked.append(contentsOf: UnsafeBufferPointer(start: name, count: strlen(name) + 1))
      return nil
    }
    last = table
    return table
  }

  /// Returns the values of the row that is about to be written, or nil if they
  /// are not available.
  private func previousRow(of tracked: TrackedTable, hasValues: Bool) -> PreviousRow? {
    guard let hook, let columns = tracked.columns ?? columns(of: tracked.table) else { return nil }
    tracked.columns = columns
    return PreviousRow(of: tracked.table, hasValues: hasValues) { column in
      var value: OpaquePointer?
      let code = hook.oldValue(connection, columns[column], &value)
      return code == SQLITE_OK ? SQLiteValue(value) : nil
    }
  }

  /// Returns the indexes of the columns of a table.
  // This method calls SQLite directly, because GRDB must not be called while a
  // statement runs.
  private func columns(of table: CompiledTable) -> [CInt]? {
    var statement: OpaquePointer?
    let sql = "SELECT * FROM main.\(quotedName(table.name)) LIMIT 0"
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    guard let statement else { return nil }
    let indexes = ColumnIndexes(of: statement)
    let columns = table.columnNames.compactMap { indexes[$0] }
    return columns.count == table.columnNames.count ? columns : nil
  }
}

/// The function that SQLite calls before it writes a row.
private let willWrite: PreupdateHook.Callback = {
  context, _, operation, database, table, key, newKey in
  // Ignore attached and temporary databases, which may have tables with the
  // same names.
  guard let context, let table, let database, strcmp(database, "main") == 0 else { return }
  // SAFETY: The context is the recorder, which the calling connection retains.
  let recorder = Unmanaged<WriteRecorder>.fromOpaque(context).takeUnretainedValue()
  switch operation {
  case SQLITE_INSERT: recorder.record(table, old: nil, new: newKey)
  case SQLITE_DELETE: recorder.record(table, old: key, new: nil)
  default: recorder.record(table, old: key, new: newKey)
  }
}

extension WriteRecorder: TransactionObserver {
  /// Observes events only without a pre-update hook.
  ///
  /// GRDB calls this method before each statement that writes.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    discardAbandonedRows()
    return hook == nil && eventKind.tableName.withCString { tracked($0) } != nil
  }

  func databaseDidChange(with event: DatabaseEvent) {
    guard !recordings.isEmpty, let tracked = event.tableName.withCString({ tracked($0) }) else {
      return
    }
    tracked.written.record(event.rowID, previous: nil, of: tracked.table)
    for part in tracked.parts.indices {
      tracked.parts[part].record(event.rowID, previous: nil, of: tracked.table)
    }
  }

  func databaseWillCommit() { versionBeforeCommit = dataVersion }

  func databaseDidCommit(_ database: Database) {
    versionBeforeCommit = nil
    stopIfDone()
    committed = takeWritten()
    if recordings.allSatisfy({ $0.feed == nil }) { committed = [:] }
  }

  func databaseDidRollback(_ database: Database) {
    versionBeforeCommit = nil
    committed = [:]
    _ = takeWritten()
  }

  private func takeWritten() -> [String: RowWriteSet] {
    var written: [String: RowWriteSet] = [:]
    for table in tables where !table.written.isEmpty {
      written[table.table.name] = table.takeWritten()
    }
    return written
  }
}
