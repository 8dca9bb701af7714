import Foundation
public import GRDB
public import MohoMapping

/// Managed rows of models, in a SQLite file or in memory.
///
/// A store is made of model types, whose mappings declare its tables.
///
/// ```swift
/// let store = try ModelStore(path: "episodes.sqlite", models: Episode.self)
/// try store.write { try $0.save(episodes) }
/// let newest = try store.models(
///   ModelRequest<Episode>().order(by: \.publishedAt, .descending).limit(20))
/// ```
///
/// A store may be used from any thread. Writes run one after the other; reads
/// of a store in a file run beside them and each sees one committed state.
public final class ModelStore: Sendable {
  /// The tables of the store.
  public let schema: Schema

  /// The connections to the database, for work of one's own beside the models.
  /// Changes made here are seen by everything that observes the store.
  ///
  /// GRDB's `read` and `write` end the process where they are called inside
  /// one another, or inside the store's; `unsafeReentrantRead` and
  /// `unsafeReentrantWrite` do not.
  public let writer: any DatabaseWriter

  /// The path of the file, or nil of a store in memory.
  public let path: String?

  let commitFeed: CommitFeed

  /// Keeps hard links to the file from being opened.
  private let registration: StoreFile.Registration?

  /// Opens the store in a file, which is made where there is none.
  ///
  /// The file is kept in write-ahead logging mode, so two more files lie beside
  /// it while it is open. Tables that are none of the store's stay as they are.
  ///
  /// A store that was made by other declarations is migrated, if the
  /// configuration allows it, in one transaction: an error, or the end of the
  /// process, leaves it as it was. ``migrationPlan(path:models:entities:configuration:)``
  /// tells before what would be done.
  ///
  /// A file is opened by one path at a time. A hard link to a file that a store
  /// of this process has open is refused; one that another process opens cannot
  /// be noticed.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - models: The models, whose mappings declare tables. Models that they
  ///     are related to need not be named.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened.
  /// - Throws: ``StoreError`` where the file cannot be opened or written to, is
  ///   a device or another special file, is no database or another application's, is damaged or locked, or has other
  ///   tables than are declared, which cannot be migrated; `MappingError` where
  ///   a declaration is not sound.
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
          suggestion: "give that of a file, or make a store in memory")
      }
      try StoreFile(path)?.check()
      try migrator.checkUnopened(path)
      return try DatabasePool(path: path, configuration: Configuration(configuration))
    }
    try self.init(pool, path: path, schema: schema, migrator)
  }

  /// Makes an empty store in memory.
  ///
  /// - Parameters:
  ///   - models: The models, whose mappings declare tables.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened; what it says about files is
  ///     left out of account.
  /// - Throws: `MappingError` where a declaration is not sound, ``StoreError``
  ///   where entities cannot be kept.
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
      queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true))
  }

  /// Makes a store of a database that is open already, beside the tables that it
  /// has.
  ///
  /// ```swift
  /// let store = try ModelStore(adopting: appDatabase, models: Episode.self)
  /// ```
  ///
  /// The store adds functions of its own, whose names begin with `moho_`, to
  /// each connection that it uses, and changes nothing else about them: busy
  /// timeout and journal mode are the writer's.
  ///
  /// - Parameters:
  ///   - writer: The database. It must enforce foreign keys, as GRDB's do unless
  ///     configured otherwise.
  ///   - models: The models, whose mappings declare tables.
  ///   - entities: Tables of rows that have no model.
  ///   - configuration: How the store is opened; what it says about files and
  ///     connections is left out of account.
  /// - Throws: As ``init(path:models:entities:configuration:)``, and
  ///   ``StoreError`` of code ``StoreError/Code/invalidConnection`` where foreign
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
          reason: "foreign keys are off, by which links between rows are kept right",
          suggestion: "leave `foreignKeysEnabled` of GRDB's `Configuration` true")
      }
    }
    let isFile = !writer.path.isEmpty && writer.path != ":memory:"
    try self.init(
      writer, path: isFile ? writer.path : nil, schema: schema,
      Migrator(schema, configuration, ownsFile: false))
  }

  /// Makes an empty store of a schema in memory.
  package convenience init(inMemory schema: Schema) throws {
    let configuration = StoreConfiguration()
    let queue = try DatabaseQueue(configuration: Configuration(configuration))
    try self.init(
      queue, path: nil, schema: schema, Migrator(schema, configuration, ownsFile: true))
  }

  private init(
    _ writer: any DatabaseWriter, path: String?, schema: Schema, _ migrator: Migrator
  ) throws {
    self.schema = schema
    self.writer = writer
    self.path = path
    try withOpeningErrors(path, schema) { try migrator.prepare(writer) }
    registration = path.flatMap { StoreFile.Registration($0) }
    self.commitFeed = CommitFeed(
      writer: writer,
      schema: schema,
      interval: path == nil ? nil : migrator.configuration.externalChangesInterval,
      watchesLog: migrator.configuration.watchesLog,
      hook: migrator.configuration.usesPreupdateHook ? .available : nil)
  }
}

/// Opens or migrates a store and throws what that throws, with the file that it
/// is about.
private func withOpeningErrors<Result>(
  _ path: String?, _ schema: Schema, _ body: () throws -> Result
) throws -> Result {
  do {
    return try withStoreErrors(on: path, schema, body)
  } catch var error as StoreError {
    error.subject = error.subject ?? path
    // SQLite shares the index of the log among the names of a file, not the log.
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

/// How to mend a path at which there can be no file; nil where it is not the
/// path's fault.
private func advice(opening path: String) -> String? {
  if path.hasPrefix("file:") { return "give the path of the URL, not its text" }
  if path.hasPrefix("~") { return "give the path of the home folder, which `~` does not stand for" }
  var isFolder: ObjCBool = false
  let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
  return isThere && isFolder.boolValue ? "give the path of a file in this folder" : nil
}
