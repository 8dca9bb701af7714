public import MohoMapping

/// The models of a request that could be read, and the rows that could not.
public struct LossyFetch<Model: MappedModel>: Sendable {
  /// The models, in the order of the request.
  public let models: [Model]
  /// The identities of the models' rows, in the same order.
  public let identities: [RowIdentity]
  /// The rows that could not be read, in the order of the request.
  public let failures: [RowFailure]

  package init(models: [Model], identities: [RowIdentity], failures: [RowFailure]) {
    self.models = models
    self.identities = identities
    self.failures = failures
  }
}

/// A row that cannot be read as a model.
public struct RowFailure: Error, Sendable, CustomStringConvertible {
  /// The row.
  public let identity: RowIdentity
  /// The error. It names the row; see `MappingError.errors` if several keys failed.
  public let error: MappingError

  package init(_ identity: RowIdentity, _ error: MappingError) {
    self.identity = identity
    self.error = error.naming(identity)
  }

  /// The error's message.
  public var description: String { error.description }
}

extension StoreReader {
  /// Returns the models of a request that can be read, in the order of the request, and
  /// the rows that break a rule of their mapping or cannot be read for another reason.
  ///
  /// ```swift
  /// let result = try reader.fetchLossy(ModelRequest<Episode>())
  /// for failure in result.failures { print(failure) }
  /// ```
  ///
  /// A row whose nested models cannot be read is a failure, too.
  ///
  /// - Throws: A ``StoreError`` if the request cannot be executed.
  /// - Complexity: As ``fetch(_:)``. Each failure costs a few statements.
  public func fetchLossy<Model>(_ request: ModelRequest<Model>) throws -> LossyFetch<Model> {
    try fetchLossy(request, upTo: .max)
  }

  /// - Parameter limit: The number of failures after which no other rows are read.
  func fetchLossy<Model>(
    _ request: ModelRequest<Model>, upTo limit: Int
  ) throws -> LossyFetch<Model> {
    var reading = try LossyReading(Model.self, self, upTo: limit)
    for rowIDs in try fetchIdentities(request).batches where !reading.isFull {
      try reading.read(rowIDs)
    }
    return LossyFetch(
      models: reading.models, identities: reading.identities, failures: reading.failures)
  }
}

extension ModelStore {
  /// Returns the models of a request that can be read, and the rows that cannot.
  ///
  /// - Throws: The errors of ``StoreReader/fetchLossy(_:)``.
  public func fetchLossy<Model: MappedModel>(
    _ request: ModelRequest<Model>
  ) throws -> LossyFetch<Model> {
    try read { try $0.fetchLossy(request) }
  }
}
