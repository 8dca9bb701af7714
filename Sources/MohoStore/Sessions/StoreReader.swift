import GRDB
import MohoMapping

/// Reads one committed state of a store, for as long as the closure runs that
/// it is handed to.
///
/// Not `Sendable`, and not to be kept: once the closure has returned, its
/// methods throw ``StoreError`` of code ``StoreError/Code/invalidRequest``.
public struct StoreReader {
  let session: StoreSession

  var schema: Schema { session.schema }

  /// Runs work on the connection, with database errors as ``StoreError``.
  func perform<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withStoreErrors(on: nil, schema) { try body(session.database) }
  }

  /// The models of a request, in its order, with the models that they are
  /// related to.
  ///
  /// Models without relations are read from one statement. Related rows are
  /// read for 500 models at a time, by one statement for each relation; of the
  /// nested models' relations too. References to models whose unique key is a
  /// required integer take no statement. A row that is met in several ways is
  /// read once for each batch.
  ///
  /// - Throws: `MappingError` where a row is none of the model's; ``StoreError``
  ///   where the request cannot be carried out, and of code
  ///   ``StoreError/Code/cycle`` where a row contains itself through nested
  ///   models, or they lie more than 128 deep.
  public func models<Model>(_ request: ModelRequest<Model>) throws -> [Model] {
    var models: [Model] = []
    try perform { database in
      var rows = try self.rows(of: request, database)
      _ = try rows.read(into: &models)
    }
    return models
  }

  /// The first model of a request, or nil where there is none.
  ///
  /// - Throws: As ``models(_:)``.
  public func first<Model>(_ request: ModelRequest<Model>) throws -> Model? {
    try models(request.limit(min(request.limit ?? 1, 1))).first
  }

  /// Hands the models of a request to a closure in batches of the request's
  /// ``ModelRequest/batchSize``, holding one batch in memory at a time.
  ///
  /// The closure must not write to the model's table through a writer of the
  /// same transaction: whether such rows are met is not defined.
  ///
  /// - Throws: As ``models(_:)``, and what the closure throws.
  public func forEachBatch<Model>(
    of request: ModelRequest<Model>, _ body: ([Model]) throws -> Void
  ) throws {
    var rows = try perform { try self.rows(of: request, $0) }
    var batch: [Model] = []
    var isMore = true
    while isMore {
      isMore = try perform { _ in try rows.read(max(1, request.batchSize), into: &batch) }
      if !batch.isEmpty { try body(batch) }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func rows<Model>(
    of request: ModelRequest<Model>, _ database: Database
  ) throws -> RowReader<Model> {
    let sql = try RequestSQL(request, schema)
    let statement = try sql.select(schema.compiled.binding(of: Model.self).selection(in: sql.alias))
    return try RowReader(
      database, sql: statement.sql, statement.arguments, schema: schema, entity: sql.entity)
  }
}

extension ModelStore {
  /// Runs a closure that reads one committed state of the store.
  ///
  /// Inside ``write(_:)`` it reads what that transaction has written so far.
  ///
  /// - Throws: What the closure throws, and ``StoreError``.
  public func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantRead { database in
        try isolated(database) {
          try StoreSession.run(on: database, schema) { try body(StoreReader(session: $0)) }
        }
      }
    }
  }

  /// Runs a closure in a read transaction, unless what it reads cannot change
  /// meanwhile anyway: in a transaction, and on the one connection to memory.
  func isolated<Result>(
    _ database: Database, _ body: () throws -> Result
  ) throws -> Result {
    if path == nil || database.isInsideTransaction { return try body() }
    var result: Result?
    // Read-only, so that on the writer's queue the end of the transaction is
    // no commit to observers, who may be the ones who read.
    try database.readOnly {
      try database.inTransaction(.deferred) {
        result = try body()
        return .commit
      }
    }
    guard let result else { throw StoreError(.database, reason: "the transaction did not run") }
    return result
  }

  /// The models of a request, in its order.
  ///
  /// - Throws: As ``StoreReader/models(_:)``.
  public func models<Model>(_ request: ModelRequest<Model>) throws -> [Model] {
    try read { try $0.models(request) }
  }

  /// The first model of a request, or nil where there is none.
  ///
  /// - Throws: As ``StoreReader/models(_:)``.
  public func first<Model>(_ request: ModelRequest<Model>) throws -> Model? {
    try read { try $0.first(request) }
  }
}
