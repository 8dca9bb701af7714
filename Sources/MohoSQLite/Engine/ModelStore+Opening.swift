import Foundation
public import GRDB
public import MohoMapping
public import MohoRows

extension ModelStore {
  /// The connections to the database of a store in a file or in memory, for GRDB.
  /// Observers of the store receive changes that are made through this writer.
  ///
  /// Stores on PostgreSQL have no writer. `StoreWriter.execute(sql:arguments:)` and
  /// `fetch(_:sql:arguments:)` run SQL on both engines.
  ///
  /// GRDB's `read` and `write` end the process if a call is nested in another
  /// one or in a call of the store. `unsafeReentrantRead` and
  /// `unsafeReentrantWrite` can be nested.
  ///
  /// - Throws: A `StoreError` with the code `invalidRequest` if the store is not a SQLite
  ///   database.
  public var writer: any DatabaseWriter {
    get throws { try sqlite.writer }
  }

  /// - Throws: A `StoreError` if the store is not a SQLite database.
  var sqlite: SQLiteEngine {
    get throws {
      guard let engine = engine as? SQLiteEngine else {
        throw StoreError(
          .invalidRequest, subject: "`ModelStore.writer`",
          reason: "the store is not a SQLite database, and has no connections of GRDB",
          suggestion: "use `StoreWriter.execute(sql:arguments:)` or `fetch(_:sql:arguments:)`")
      }
      return engine
    }
  }

  /// Opens the store in a file. Creates the file if it does not exist.
  ///
  /// The file uses write-ahead logging, so there are two additional files next
  /// to it while it is open. Tables outside the schema are not changed.
  ///
  /// If the tables in the file differ from the declarations, the file is
  /// migrated in one transaction, if the configuration allows it. If an error
  /// occurs or the process ends, the file is unchanged. To see in advance what
  /// a migration would do, use
  /// ``migrationPlan(path:models:entities:configuration:)``.
  ///
  /// Open a file by only one path at a time. If a store of this process has the
  /// file open, opening a hard link to it throws. A hard link that another
  /// process has open is not detected.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - models: The models whose mappings declare tables. Their related models
  ///     can be omitted.
  ///   - entities: Additional entities for rows without a model.
  ///   - configuration: The configuration of the store.
  /// - Throws: A `StoreError` if the file cannot be opened or written, does not
  ///   exist and may not be created, is a device or another special file, is not
  ///   a database or belongs to another application, is damaged or locked, or has
  ///   tables that differ from the declarations and cannot be migrated. A
  ///   `MappingError` if a declaration is invalid.
  public convenience init(
    path: String,
    models: any MappedModel.Type...,
    entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities).withoutUnsignedIntegersAndUUIDs()
    let migrator = Migrator(schema, configuration, ownsFile: true)
    let engine = try withOpeningErrors(path, schema, creates: !configuration.isReadOnly) {
      try StoreFile.check(path)
      try migrator.checkExistence(ofFile: path)
      return try retryingWhileLocked(for: configuration.busyTimeout) {
        try migrator.checkUnopened(path)
        let pool = try DatabasePool(path: path, configuration: Configuration(configuration))
        do {
          return try SQLiteEngine(pool, path: path, schema: schema, migrator)
        } catch let error as StoreError where error.code == .newerVersion {
          try? pool.closeWithoutCheckpoint()
          throw error
        }
      }
    }
    self.init(schema, engine)
  }

  /// Creates an empty store in memory.
  ///
  /// - Parameters:
  ///   - models: The models whose mappings declare tables.
  ///   - entities: Additional entities for rows without a model.
  ///   - configuration: The configuration of the store. Options about files are
  ///     ignored.
  /// - Throws: A `MappingError` if a declaration is invalid, or a `StoreError`
  ///   if an entity cannot be stored.
  public convenience init(
    inMemory models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities).withoutUnsignedIntegersAndUUIDs()
    var configuration = configuration
    configuration.isReadOnly = false
    configuration.createsTables = true
    let queue = try withStoreErrors(on: nil) {
      try DatabaseQueue(configuration: Configuration(configuration))
    }
    try self.init(
      schema,
      SQLiteEngine(
        queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true)))
  }

  /// Creates a store in a database that is already open, in addition to the
  /// other tables of the database.
  ///
  /// ```swift
  /// let store = try ModelStore(adopting: appDatabase, models: Episode.self)
  /// ```
  ///
  /// The store adds functions whose names start with `moho_` to each connection
  /// that it uses. It does not change the configuration of the writer, such as
  /// the busy timeout or the journal mode, with one exception. If a `.cascade`
  /// rule that needs a trigger leads back to its table, the store executes
  /// `PRAGMA recursive_triggers = ON` on the connection that writes. The app's
  /// triggers then run recursively, too, and its `REPLACE` statements run
  /// triggers for the rows that they delete.
  ///
  /// - Parameters:
  ///   - writer: The database. It must enforce foreign keys, which is GRDB's
  ///     default.
  ///   - models: The models whose mappings declare tables.
  ///   - entities: Additional entities for rows without a model.
  ///   - configuration: The configuration of the store. Options about files and
  ///     connections are ignored.
  /// - Throws: The errors of ``init(path:models:entities:configuration:)``, and
  ///   a `StoreError` with the code `StoreError.Code.invalidConnection` if
  ///   foreign keys are not enforced, or if a temporary table or view hides a
  ///   table of the store.
  public convenience init(
    adopting writer: any DatabaseWriter,
    models: any MappedModel.Type...,
    entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities).withoutUnsignedIntegersAndUUIDs()
    var configuration = configuration
    configuration.isReadOnly = writer.configuration.readonly
    try withStoreErrors(on: writer.path) {
      let enforcesLinks = try writer.unsafeReentrantRead { database in
        try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false
      }
      guard enforcesLinks else {
        throw StoreError(
          .invalidConnection, subject: writer.path,
          reason: "foreign keys are off, which the store needs to check links between rows",
          suggestion: "leave `foreignKeysEnabled` of GRDB's `Configuration` true")
      }
    }
    let isFile = !writer.path.isEmpty && writer.path != ":memory:"
    try self.init(
      schema,
      SQLiteEngine(
        writer, path: isFile ? writer.path : nil, schema: schema,
        Migrator(schema, configuration, ownsFile: false)))
  }

  /// Creates an empty store in memory from a schema.
  package convenience init(
    inMemory schema: Schema, configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try schema.withoutUnsignedIntegersAndUUIDs()
    let queue = try DatabaseQueue(configuration: Configuration(configuration))
    try self.init(
      schema,
      SQLiteEngine(
        queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true)))
  }
}

/// Opens or migrates a store, and adds the path of the file to errors.
///
/// - Parameter creates: Whether a missing file is created.
func withOpeningErrors<Result>(
  _ path: String?, _ schema: Schema, creates: Bool = true, _ body: () throws -> Result
) throws -> Result {
  do {
    return try withStoreErrors(on: path, schema, body)
  } catch var error as StoreError {
    error.subject = error.subject ?? path
    // The names of a file share SQLite's log index, but not the log.
    if error.underlying != nil, error.code == .inputOutput || error.code == .damagedLog,
      let path, let file = StoreFile(path), file.linkCount > 1
    {
      error.code = .alreadyOpen
      error.reason = "the file has \(file.linkCount) hard links, and is open by another one"
      error.suggestion = "open the store by that path"
    }
    if error.code == .cannotOpen, error.underlying != nil, let path,
      let advice = advice(opening: path, creates: creates)
    {
      error.suggestion = advice
    }
    throw error
  }
}

/// Runs a closure that opens a file, again until the file is not locked or a
/// timeout has passed.
///
/// SQLite itself does not wait while another process changes the journal mode of
/// a new file.
private func retryingWhileLocked<Result>(
  for timeout: TimeInterval, _ open: () throws -> Result
) throws -> Result {
  let clock = ContinuousClock()
  // NaN becomes 0.
  let end = clock.now + .seconds(min(max(0, timeout), 1_000_000))
  while true {
    do {
      return try open()
    } catch {
      let cause = (error as? StoreError)?.underlying ?? error
      guard (cause as? DatabaseError)?.resultCode == .SQLITE_BUSY, clock.now < end else {
        throw error
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}

/// Returns advice for a path that cannot be opened, or nil if the cause is not the path.
///
/// - Parameter creates: Whether a missing file is created.
private func advice(opening path: String, creates: Bool) -> String? {
  if path.hasPrefix("file:") { return "pass the path of the URL, not its text" }
  if path.hasPrefix("~") { return "pass the full path of the home folder instead of `~`" }
  let files = FileManager.default
  if let target = try? files.destinationOfSymbolicLink(atPath: path),
    !files.fileExists(atPath: path)
  {
    return "check the symbolic link: it leads to \(target)"
      + (creates ? ", whose folder must exist and be writable" : ", which does not exist")
  }
  var isFolder: ObjCBool = false
  let isThere = files.fileExists(atPath: path, isDirectory: &isFolder)
  if isThere { return isFolder.boolValue ? "pass the path of a file in this folder" : nil }
  return creates ? nil : "the file does not exist: create it with a store that can write"
}
