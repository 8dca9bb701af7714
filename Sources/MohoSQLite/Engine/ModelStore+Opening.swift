import Foundation
public import GRDB
public import MohoMapping
public import MohoRows

extension ModelStore {
  /// The connections to the database, for your own SQL and GRDB requests.
  /// Observers of the store receive the changes that you make here.
  ///
  /// GRDB's `read` and `write` end the process if a call is nested in another
  /// one, or in a call of the store. `unsafeReentrantRead` and
  /// `unsafeReentrantWrite` do not.
  ///
  /// - Throws: `StoreError` if the store is not a SQLite database.
  public var writer: any DatabaseWriter {
    get throws { try sqlite.writer }
  }

  /// - Throws: `StoreError` if the store is not a SQLite database.
  var sqlite: SQLiteEngine {
    get throws {
      guard let engine = engine as? SQLiteEngine else {
        throw StoreError(.invalidRequest, reason: "the store is not a SQLite database")
      }
      return engine
    }
  }

  /// Opens the store in a file, which is created if it does not exist.
  ///
  /// The file is in write-ahead logging mode, so there are two more files next to
  /// it while it is open. Tables outside the schema stay as they are.
  ///
  /// If the file was written by other declarations, it is migrated in one
  /// transaction, if the configuration allows that. An error, or the end of the
  /// process, leaves it as it was. To see beforehand what a migration would do,
  /// use ``migrationPlan(path:models:entities:configuration:)``.
  ///
  /// Open a file by one path at a time. If a store of this process has the file
  /// open, opening a hard link to it throws. A hard link that another process has
  /// open is not detected.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - models: The models whose mappings declare tables. Models that they are
  ///     related to may be omitted.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened.
  /// - Throws: `StoreError` if the file cannot be opened or written to, is a
  ///   device or another special file, is not a database or belongs to another
  ///   application, is damaged or locked, or has tables that differ from the
  ///   declarations and cannot be migrated; `MappingError` if a declaration is
  ///   invalid.
  public convenience init(
    path: String,
    models: any MappedModel.Type...,
    entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities)
    let migrator = Migrator(schema, configuration, ownsFile: true)
    let pool = try withOpeningErrors(path, schema) {
      guard !path.isEmpty else {
        throw StoreError(
          .cannotOpen, reason: "the path is empty",
          suggestion: "pass the path of a file, or make a store in memory")
      }
      try StoreFile(path)?.check()
      try migrator.checkUnopened(path)
      return try DatabasePool(path: path, configuration: Configuration(configuration))
    }
    try self.init(schema, SQLiteEngine(pool, path: path, schema: schema, migrator))
  }

  /// Makes an empty store in memory.
  ///
  /// - Parameters:
  ///   - models: The models whose mappings declare tables.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened. Options about files are ignored.
  /// - Throws: `MappingError` if a declaration is invalid; `StoreError` if an
  ///   entity cannot be stored.
  public convenience init(
    inMemory models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities)
    var configuration = configuration
    configuration.isReadOnly = false
    let queue = try withStoreErrors(on: nil) {
      try DatabaseQueue(configuration: Configuration(configuration))
    }
    try self.init(
      schema,
      SQLiteEngine(
        queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true)))
  }

  /// Makes a store in a database that is already open, in addition to its other
  /// tables.
  ///
  /// ```swift
  /// let store = try ModelStore(adopting: appDatabase, models: Episode.self)
  /// ```
  ///
  /// The store adds functions whose names begin with `moho_` to each connection
  /// that it uses. It changes nothing else: busy timeout and journal mode are
  /// those of the writer.
  ///
  /// - Parameters:
  ///   - writer: The database. It must enforce foreign keys, which is GRDB's
  ///     default.
  ///   - models: The models whose mappings declare tables.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened. Options about files and
  ///     connections are ignored.
  /// - Throws: As ``init(path:models:entities:configuration:)``, and
  ///   `StoreError` of code `StoreError.Code.invalidConnection` if foreign
  ///   keys are not enforced.
  public convenience init(
    adopting writer: any DatabaseWriter,
    models: any MappedModel.Type...,
    entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities)
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

  /// Makes an empty store of a schema in memory.
  package convenience init(inMemory schema: Schema) throws {
    let configuration = StoreConfiguration()
    let queue = try DatabaseQueue(configuration: Configuration(configuration))
    try self.init(
      schema,
      SQLiteEngine(
        queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true)))
  }
}

/// Opens or migrates a store, and adds the file to errors.
func withOpeningErrors<Result>(
  _ path: String?, _ schema: Schema, _ body: () throws -> Result
) throws -> Result {
  do {
    return try withStoreErrors(on: path, schema, body)
  } catch var error as StoreError {
    error.subject = error.subject ?? path
    // The names of a file share SQLite's index of the log, but not the log.
    if error.underlying != nil, error.code == .inputOutput || error.code == .damagedLog,
      let path, let file = StoreFile(path), file.linkCount > 1
    {
      error.code = .alreadyOpen
      error.reason = "the file has \(file.linkCount) hard links, and is open by another one"
      error.suggestion = "open the store by that path"
    }
    if error.code == .cannotOpen, let path, let advice = advice(opening: path) {
      error.suggestion = advice
    }
    throw error
  }
}

/// How to correct a path that cannot lead to a file; nil if the path is not the
/// cause of an error.
private func advice(opening path: String) -> String? {
  if path.hasPrefix("file:") { return "pass the path of the URL, not its text" }
  if path.hasPrefix("~") { return "pass the full path of the home folder instead of `~`" }
  var isFolder: ObjCBool = false
  let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
  return isThere && isFolder.boolValue ? "pass the path of a file in this folder" : nil
}
