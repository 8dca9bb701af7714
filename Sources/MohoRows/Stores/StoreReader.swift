import MohoMapping

/// Reads one committed state of a store.
///
/// Not `Sendable`. A reader is valid until the closure that received it
/// returns. After that, its methods throw a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest``.
public struct StoreReader {
  package let session: any StoreSession

  package init(session: any StoreSession) { self.session = session }

  package var schema: Schema { session.schema }

  /// Returns the models of a request, in the order of the request, with their
  /// related models.
  ///
  /// Models without relations are read by a single statement. Related rows are
  /// read for 500 models at a time, by one statement per relation, including
  /// the relations of nested models. References to models whose unique key is a
  /// required integer need no statement. A row that several models share is
  /// read once per batch.
  ///
  /// - Throws: A `MappingError` that names the row if a row cannot be read as a model;
  ///   ``fetchLossy(_:)`` returns the others. A
  ///   ``StoreError`` if the request cannot be executed, or if models are
  ///   nested more than 128 levels deep. The error has the code
  ///   ``StoreError/Code/cycle`` if a row contains itself through nested
  ///   models.
  public func fetch<Model>(_ request: ModelRequest<Model>) throws -> [Model] {
    do {
      var models: [Model] = []
      _ = try session.models(of: request).read(.max, into: &models)
      return models
    } catch let error as MappingError where error.row == nil {
      throw (try? fetchLossy(request, upTo: 1))?.failures.first?.error ?? error
    }
  }

  /// Returns the first model of a request, or nil if the request has no models.
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchFirst<Model>(_ request: ModelRequest<Model>) throws -> Model? {
    try fetch(request.limit(min(request.limit ?? 1, 1))).first
  }

  /// Calls a closure with the models of a request, in batches of the request's
  /// ``ModelRequest/batchSize``. Only one batch is in memory at a time.
  ///
  /// The closure must not write to the model's table in the same transaction.
  /// It is undefined whether the request includes the written rows.
  ///
  /// - Throws: The errors of ``fetch(_:)``, and the errors of the closure.
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
