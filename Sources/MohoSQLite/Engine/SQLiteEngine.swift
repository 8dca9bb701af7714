import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// An SQLite database that stores the rows of a store.
final class SQLiteEngine: StoreEngine {
  let statements: SchemaStatements
  let writer: any DatabaseWriter
  let path: String?
  let commitFeed: CommitFeed
  /// Nil if the store had no history when it was opened.
  let history: HistoryRecorder?
  let textTokenizer: (any TextTokenizer)?
  /// A statement that makes SQLite read the schema again if another connection
  /// has changed it, or nil if there are no full-text indexes.
  ///
  /// SQLite 3.40 reports a missing table if this happens while it prepares a
  /// deletion that runs a trigger for a full-text table and checks foreign keys.
  let schemaCheck: CachedStatement?

  /// The write-ahead log. Nil if the database does not use one.
  let log: LogFile?

  /// The pre-update hook, or nil if it is not available.
  let hook: PreupdateHook?

  let instruments = StoreInstruments(system: "sqlite")

  /// Whether closing the store closes the writer.
  private let ownsWriter: Bool

  /// Prevents hard links to the file from being opened.
  private let registration: Lock<StoreFile.Registration?>

  /// Creates or migrates the tables of the schema.
  init(
    _ writer: any DatabaseWriter, path: String?, schema: Schema, _ migrator: Migrator
  ) throws {
    statements = SchemaStatements(schema)
    self.writer = writer
    self.path = path
    let searched = schema.compiled.searchIndexes.first
    textTokenizer = searched.flatMap { _ in SearchTokenizer.shared }
    schemaCheck = searched.map {
      CachedStatement("SELECT 1 FROM \(quotedName($0.entity)) LIMIT 0")
    }
    let records = try withOpeningErrors(path, schema) { try migrator.prepare(writer) }
    if schema.compiled.hasRecursiveTriggers, !migrator.configuration.isReadOnly {
      // Otherwise, SQL would delete only the first row of a cascade that leads back to
      // its table.
      try withOpeningErrors(path, schema) {
        try writer.unsafeReentrantWrite { try execute("PRAGMA recursive_triggers = ON", on: $0) }
      }
    }
    history = records ? HistoryRecorder(maximumAge: migrator.configuration.history.maximumAge) : nil
    ownsWriter = migrator.ownsFile
    registration = Lock(path.flatMap { StoreFile.Registration($0) })
    let interval = migrator.configuration.logCheckInterval
    log =
      path == nil
      ? nil : try writer.unsafeReentrantRead { try LogFile(of: $0, checkedEvery: interval) }
    hook = migrator.configuration.usesPreupdateHook ? .available : nil
    commitFeed = CommitFeed(
      writer: writer,
      statements: statements,
      interval: path == nil ? nil : migrator.configuration.externalChangesInterval,
      watchesLog: migrator.configuration.watchesLog,
      hook: hook,
      instruments: instruments)
  }

  var schema: Schema { statements.schema }

  var isInTransaction: Bool {
    let found = try? writer.unsafeReentrantRead { database in
      database.isInsideTransaction
        || WriteRecorder.existing(of: database)?.callingFeed != nil
    }
    return found ?? false
  }

  func close() throws {
    try withStoreErrors(on: path) {
      commitFeed.end()
      if ownsWriter { try writer.close() }
    }
    registration.withLock { $0 = nil }
  }

  /// Runs a closure in a read transaction. Inside a transaction, and on the
  /// only connection to an in-memory database, no transaction is needed because
  /// the state cannot change while the closure runs.
  func isolated<Result>(_ database: Database, _ body: () throws -> Result) throws -> Result {
    try RunningWrite.check(database)
    if path == nil || database.isInsideTransaction { return try body() }
    var result: Result?
    // Read-only, so that GRDB does not report the end of the transaction as a
    // commit. The caller may be an observer.
    try database.readOnly {
      try database.inTransaction(.deferred) {
        result = try body()
        return .commit
      }
    }
    guard let result else { throw StoreError(.database, reason: "the transaction did not run") }
    return result
  }

  func perform<Result: Sendable>(
    _ access: StoreAccess, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    do {
      switch access {
      case .reading: return try await writer.unsafeRead { _ in try body() }
      case .writing, .observing: return try await writer.writeWithoutTransaction { _ in try body() }
      }
    } catch {
      return try withStoreErrors(on: path, schema) { () throws -> Result in throw error }
    }
  }

  func read<Result>(
    on database: Database, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try SQLiteSession.run(on: database, statements) { try body(StoreReader(session: $0)) }
  }
}
