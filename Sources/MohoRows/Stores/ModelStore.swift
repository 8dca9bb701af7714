public import MohoMapping

/// Rows of models, stored in a database.
///
/// Create a store from model types. Their mappings declare its tables.
///
/// ```swift
/// let store = try ModelStore(path: "episodes.sqlite", models: Episode.self)
/// try store.write { try $0.save(episodes) }
/// let newest = try store.fetch(
///   ModelRequest<Episode>().order(by: \.publishedAt, .descending).limit(20))
/// ```
///
/// A store can be used from any thread. Writes run one after the other. Reads
/// of a store in a file run concurrently with writes, and each read sees one
/// committed state.
public final class ModelStore: Sendable {
  /// The tables of the store.
  public let schema: Schema

  /// The engine that stores the rows.
  package let engine: any StoreEngine

  /// The calls that are running.
  let calls = CallGate()

  /// The path of the file, or nil for a store without a file.
  public var path: String? { engine.path }

  package init(_ schema: Schema, _ engine: any StoreEngine) {
    self.schema = schema
    self.engine = engine
  }
}

extension ModelStore {
  /// Runs a closure that reads one committed state of the store.
  ///
  /// Inside `write(_:)`, the closure reads the uncommitted changes of that
  /// transaction.
  ///
  /// A store on a server can run the closure again, with a later state. The closure must
  /// have no other effects.
  ///
  /// - Throws: The errors of the closure, and ``StoreError``.
  public func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try perform(.read) { report in
      try engine.read { reader in
        report.beginAttempt()
        return try body(reader)
      }
    }
  }

  /// Runs a closure that changes the store in one transaction.
  ///
  /// All changes are committed when the closure returns. If the closure throws,
  /// no changes are made. A nested call is part of the outer transaction. If
  /// the inner closure throws, only its own changes are undone.
  ///
  /// Links, and validations that may read related rows, are checked just before the
  /// commit, so rows can be written in any order.
  ///
  /// A store on a server runs the closure again if the transaction conflicts with that of
  /// another program. The closure must have no other effects.
  ///
  /// - Throws: The errors of the closure, and ``StoreError``. The code of the
  ///   error is ``StoreError/Code/danglingReference`` if a row would be linked
  ///   to a row that does not exist. A `MappingError` that names the rows whose
  ///   models would contain changed rows and break a validation.
  @discardableResult
  public func write<Result>(_ body: (StoreWriter) throws -> Result) throws -> Result {
    try write(author: nil, body)
  }

  /// Returns the models of a request, in the order of the request.
  ///
  /// - Throws: The errors of ``StoreReader/fetch(_:)``.
  public func fetch<Model: MappedModel>(_ request: ModelRequest<Model>) throws -> [Model] {
    try read { try $0.fetch(request) }
  }

  /// Returns the first model of a request, or nil if the request has no models.
  ///
  /// - Throws: The errors of ``StoreReader/fetch(_:)``.
  public func fetchFirst<Model: MappedModel>(_ request: ModelRequest<Model>) throws -> Model? {
    try read { try $0.fetchFirst(request) }
  }
}
