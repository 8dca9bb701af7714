import MohoMapping

/// Reads one committed state of a store, until the closure returns that received
/// the reader.
///
/// Not `Sendable`. After the closure has returned, its methods throw
/// ``StoreError`` of code ``StoreError/Code/invalidRequest``.
public struct StoreReader {
  package let session: any StoreSession

  package init(session: any StoreSession) { self.session = session }

  package var schema: Schema { session.schema }

  /// The models of a request, in the order of the request, with their related
  /// models.
  ///
  /// Models without relations are read by one statement. Related rows are read
  /// for 500 models at a time, by one statement for each relation, including
  /// relations of nested models. References to models whose unique key is a
  /// required integer need no statement. A row that several models share is read
  /// once for each batch.
  ///
  /// - Throws: `MappingError` if a row does not fit the model; ``StoreError`` if
  ///   the request cannot be carried out, with code ``StoreError/Code/cycle`` if
  ///   a row contains itself through nested models, or if models are nested more
  ///   than 128 levels deep.
  public func fetch<Model>(_ request: ModelRequest<Model>) throws -> [Model] {
    var models: [Model] = []
    _ = try session.models(of: request).read(.max, into: &models)
    return models
  }

  /// The first model of a request, or nil if the request has no models.
  ///
  /// - Throws: As ``fetch(_:)``.
  public func fetchFirst<Model>(_ request: ModelRequest<Model>) throws -> Model? {
    try fetch(request.limit(min(request.limit ?? 1, 1))).first
  }

  /// Calls a closure with the models of a request, in batches of the request's
  /// ``ModelRequest/batchSize``. Only one batch is in memory at a time.
  ///
  /// The closure must not write to the model's table in the same transaction:
  /// it is undefined whether such rows are read.
  ///
  /// - Throws: As ``fetch(_:)``, and errors of the closure.
  public func forEachBatch<Model>(
    of request: ModelRequest<Model>, _ body: ([Model]) throws -> Void
  ) throws {
    let cursor = try session.models(of: request)
    var batch: [Model] = []
    var isMore = true
    while isMore {
      isMore = try cursor.read(max(1, request.batchSize), into: &batch)
      if !batch.isEmpty { try body(batch) }
      batch.removeAll(keepingCapacity: true)
    }
  }
}
