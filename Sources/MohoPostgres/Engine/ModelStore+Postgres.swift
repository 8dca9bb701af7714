import Dispatch
public import MohoMapping
public import MohoRows

extension ModelStore {
  /// Opens the store in a PostgreSQL database.
  ///
  /// ```swift
  /// let store = try ModelStore(postgres: "postgresql://app@host/podcasts", models: Episode.self)
  /// ```
  ///
  /// The tables are in the first existing schema of the connection's search
  /// path. If they differ from the declarations, they are migrated in one
  /// transaction, if the configuration allows it. Tables outside of the
  /// declarations are not changed.
  ///
  /// - Parameters:
  ///   - url: A connection URL or string of libpq. It may contain several hosts
  ///     and all options of libpq, such as `sslmode` and
  ///     `target_session_attrs`.
  ///   - models: The models whose mappings declare tables. Their related models
  ///     can be omitted.
  ///   - entities: Additional entities for rows without a model.
  ///   - configuration: The configuration of the store.
  /// - Throws: A `StoreError` if the server cannot be reached, is too old or
  ///   refuses the connection, or if the tables differ from the declarations and
  ///   cannot be migrated. A `MappingError` if a declaration is invalid.
  public convenience init(
    postgres url: String, models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    let schema = try Schema(models, entities: entities)
    try self.init(postgres: url, schema, configuration)
  }

  /// Opens the store in a PostgreSQL database, without blocking the calling
  /// thread. In an asynchronous context, the compiler selects this initializer
  /// instead of the blocking one.
  ///
  /// Canceling the task does not interrupt the opening.
  ///
  /// - Throws: The errors of the blocking initializer, and `CancellationError` if
  ///   the task is canceled.
  public convenience init(
    postgres url: String, models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: PostgresConfiguration = PostgresConfiguration()
  ) async throws {
    let schema = try Schema(models, entities: entities).storing(StoredForm.conversion)
    let instruments = PostgresEngine.newInstruments
    let engine = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try PostgresEngine(url, schema: schema, configuration, instruments) })
      }
    }
    try Task.checkCancellation()
    self.init(schema, engine)
  }

  /// Opens the store in a PostgreSQL database from a schema.
  package convenience init(
    postgres url: String, _ schema: Schema,
    _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    let schema = schema.storing(StoredForm.conversion)
    self.init(schema, try PostgresEngine(url, schema: schema, configuration))
  }

  /// - Throws: A `StoreError` if the store is not a PostgreSQL database.
  var postgres: PostgresEngine {
    get throws {
      guard let engine = engine as? PostgresEngine else {
        throw StoreError(.invalidRequest, reason: "the store is not a PostgreSQL database")
      }
      return engine
    }
  }
}

extension StoreReader {
  /// - Throws: A `StoreError` if the store is not a PostgreSQL database.
  var postgres: PostgresSession {
    get throws {
      guard let session = session as? PostgresSession else {
        throw StoreError(.invalidRequest, reason: "the store is not a PostgreSQL database")
      }
      return session
    }
  }
}
