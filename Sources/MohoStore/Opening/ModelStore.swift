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

  let commits: CommitFeed

  /// Opens the store in a file, which is made where there is none.
  ///
  /// The file is kept in write-ahead logging mode, so two more files lie beside
  /// it while it is open.
  ///
  /// - Throws: ``StoreError`` where the file cannot be opened or written to, is
  ///   no database, is locked, or has other tables than the models declare;
  ///   `MappingError` where a declaration is not sound.
  public convenience init(
    path: String,
    models: any MappedModel.Type...,
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let schema = try Schema(models)
    let pool = try withStoreErrors(on: path) {
      try DatabasePool(path: path, configuration: Configuration(configuration))
    }
    try self.init(adopting: pool, path: path, schema: schema, configuration)
  }

  /// Makes an empty store in memory.
  ///
  /// - Throws: `MappingError` where a declaration is not sound.
  public convenience init(inMemory models: any MappedModel.Type...) throws {
    let schema = try Schema(models)
    let configuration = StoreConfiguration()
    let queue = try withStoreErrors(on: nil) {
      try DatabaseQueue(configuration: Configuration(configuration))
    }
    try self.init(adopting: queue, path: nil, schema: schema, configuration)
  }

  /// Makes an empty store of a schema in memory.
  package convenience init(inMemory schema: Schema) throws {
    let configuration = StoreConfiguration()
    let queue = try DatabaseQueue(configuration: Configuration(configuration))
    try self.init(adopting: queue, path: nil, schema: schema, configuration)
  }

  private init(
    adopting writer: any DatabaseWriter, path: String?, schema: Schema,
    _ configuration: StoreConfiguration
  ) throws {
    self.schema = schema
    self.writer = writer
    self.path = path
    try withStoreErrors(on: path) {
      try schema.prepare(writer)
    }
    self.commits = CommitFeed(
      writer: writer,
      schema: schema,
      interval: path == nil ? nil : configuration.externalChangesInterval,
      hook: configuration.usesPreupdateHook ? .available : nil)
  }
}

extension Configuration {
  fileprivate init(_ configuration: StoreConfiguration) {
    self.init()
    // GRDB counts milliseconds in 32 bits. Not a number becomes 0.
    busyMode = .timeout(min(max(0, configuration.busyTimeout), 1_000_000))
    prepareDatabase { [log = configuration.log] database in
      log?.attach(to: database)
      database.addStoreFunctions()
    }
  }
}
