import GRDB
import MohoMapping

/// Reads one committed state of a store, for as long as the closure runs that
/// it is handed to.
///
/// Not `Sendable`, and not to be kept.
public struct StoreReader {
  let database: Database
  let schema: Schema

  /// The models of a request, in its order.
  ///
  /// - Throws: `MappingError` where a row is none of the model's, ``StoreError``
  ///   where the request cannot be carried out.
  public func models<Model>(_ request: ModelRequest<Model>) throws -> [Model] {
    var models: [Model] = []
    var rows = try rows(of: request)
    _ = try rows.read(into: &models)
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
  /// - Throws: As ``models(_:)``, and what the closure throws.
  public func forEachBatch<Model>(
    of request: ModelRequest<Model>, _ body: ([Model]) throws -> Void
  ) throws {
    var rows = try rows(of: request)
    var batch: [Model] = []
    var isMore = true
    while isMore {
      isMore = try rows.read(max(1, request.batchSize), into: &batch)
      if !batch.isEmpty { try body(batch) }
      batch.removeAll(keepingCapacity: true)
    }
  }

  /// The number of models of a request, without reading them.
  ///
  /// - Throws: ``StoreError``.
  public func count<Model>(_ request: ModelRequest<Model>) throws -> Int {
    let sql = try RequestSQL(request, schema.entity(of: Model.self))
    return try Int.fetchOne(
      database.cachedStatement(sql: sql.count), arguments: StatementArguments(sql.arguments)) ?? 0
  }

  private func rows<Model>(of request: ModelRequest<Model>) throws -> RowReader<Model> {
    let sql = try RequestSQL(request, schema.entity(of: Model.self))
    return try RowReader(
      database, sql: sql.select(sql.entity.selection(of: Model.mapping)), sql.arguments,
      entity: sql.entity)
  }
}

extension ModelStore {
  /// Runs a closure that reads one committed state of the store.
  ///
  /// - Throws: What the closure throws, and ``StoreError``.
  public func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try withStoreErrors(on: path) {
      try writer.unsafeReentrantRead { try body(StoreReader(database: $0, schema: schema)) }
    }
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

  /// The number of models of a request, without reading them.
  ///
  /// - Throws: ``StoreError``.
  public func count<Model>(_ request: ModelRequest<Model>) throws -> Int {
    try read { try $0.count(request) }
  }
}
