public import GRDB
public import MohoMapping

/// Changes a store in one transaction, for as long as the closure runs that it
/// is handed to. What it reads includes its own changes.
///
/// Not `Sendable`, and not to be kept: once the closure has returned, its
/// methods throw ``StoreError`` of code ``StoreError/Code/invalidRequest``.
public struct StoreWriter {
  let session: StoreSession

  /// Reads the store with the changes made so far.
  public var reader: StoreReader { StoreReader(session: session) }

  /// Saves models with the models that are nested in them: a model whose unique
  /// key is stored updates that row if it differs from it, any other is
  /// inserted.
  ///
  /// - The same statements are carried out for all models, whatever their
  ///   number, and none looks for a model first; only models whose mappings
  ///   have policies for merging are read before, 500 at a time. A row that is
  ///   equal already is not written.
  /// - Models with one unique key are one row, with what the last of them holds.
  ///   Where they are unequal, the models are gone through again, so that the row
  ///   is not written if it holds that already. A sequence that is not a
  ///   collection is retained for that until all is saved.
  /// - Nested models have rows of their own and are linked; so are rows that
  ///   references name, which must be stored or saved by the same call. Only
  ///   references to models whose unique key is a required integer may be ahead
  ///   of them, until the transaction ends.
  /// - What becomes of stored links is each relation's `LinkPolicy`. Nil for a
  ///   collection says nothing, and empty that nothing is linked. Where a model
  ///   and one that contains it say different things about their link, the one
  ///   that contains it counts. A row is linked once to another, at its first
  ///   place in a collection.
  /// - Nested models without a unique key are new rows each time.
  ///
  /// Models are written as the validations and repairs of their mappings, and of
  /// those nested in them, leave them; with policies for merging, after that.
  ///
  /// Models are taken 500 at a time, with what is nested in them; what they are
  /// linked to is kept in temporary tables until all are saved.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - mode: Whether rows that are not among the models are deleted.
  /// - Throws: `MappingError` where a model is not valid or has a value that
  ///   cannot be stored, at a path that begins with the model's position, and
  ///   ``StoreError`` where it breaks a constraint or refers to nothing. None of
  ///   the models is saved then.
  @discardableResult
  public func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model> = .save
  ) throws -> SaveReport {
    // What is saved may have to be gone through again.
    if models is any Collection { return try settle(models, mode) }
    return try settle(RepeatableSequence(models), mode)
  }

  /// Saves one model.
  ///
  /// - Throws: As ``save(_:mode:)``.
  @discardableResult
  public func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    try reader.perform { database in
      // One statement is all or nothing by itself.
      guard Model.mapping.isSavedInGraphs else {
        return try saveRows(
          CollectionOfOne(model), .save, database, repeating: .allowed, isList: false)
      }
      return try withSavepoint(database) {
        try saveGraph(CollectionOfOne(model), .save, database, repeating: .allowed, isList: false)
      }
    }
  }

  /// Updates the rows whose unique keys partial models have: columns of keys
  /// that are present are written, nil too; all others stay.
  ///
  /// ```swift
  /// var change = Partial<Episode>()
  /// change[\.id] = 113
  /// change[\.summary] = .some(nil)
  /// try store.write { try $0.update([change]) }
  /// ```
  ///
  /// A row that has the values already is not written, and none is made.
  ///
  /// Relations are updated as values are:
  ///
  /// | the key is | to one | to many |
  /// |---|---|---|
  /// | absent | the link stays | the links stay |
  /// | nil | there is no link | there are no links |
  /// | empty | | there are no links |
  /// | a model | it is saved and linked | they are saved and linked |
  /// | a reference | its row is linked | their rows are linked |
  ///
  /// Partial models with one unique key change one row, the later ones after the
  /// earlier.
  ///
  /// Links to many that are not said any more go by the relation's `LinkPolicy`.
  /// Policies for merging do not apply.
  ///
  /// - Throws: ``StoreError`` where a partial model does not have the unique
  ///   key, breaks a constraint or refers to nothing; `MappingError` where it
  ///   has a value that is not valid by the rules of its key or cannot be
  ///   stored, at a path that begins with the partial model's position. None of
  ///   them is written then. Models as wholes are not validated.
  @discardableResult
  public func update<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    if partials is any Collection { return try settle(partials) }
    return try settle(RepeatableSequence(partials))
  }

  /// Runs SQL of one's own, of one statement or several, in the transaction.
  ///
  /// - Parameters:
  ///   - sql: The statements. Values belong into the arguments.
  ///   - arguments: The values of the parameters of all statements.
  /// - Throws: ``StoreError``, with the keys whose constraints are broken.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try reader.perform { try $0.execute(sql: sql, arguments: arguments) }
  }

  /// Deletes the rows of a request.
  ///
  /// - Returns: The number of rows that are gone.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func delete(_ request: some StoreRequest) throws -> Int {
    let sql = try RequestSQL(request, session.schema).delete
    return try reader.perform { database in
      try database.execute(sql: sql.sql, arguments: StatementArguments(sql.arguments))
      return database.changesCount
    }
  }

  /// Deletes the rows whose unique keys models have.
  ///
  /// - Returns: The number of rows that are gone.
  /// - Throws: ``StoreError`` where the model has no unique key.
  @discardableResult
  public func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    try reader.perform { database in
      let writer = try ModelWriter<Model>(database, session.schema.entity(of: Model.self))
      var count = 0
      for model in models { count += try writer.delete(model) }
      return count
    }
  }
}

/// Runs work on a connection whose changes are undone where it throws.
// By SQLite's own calls: GRDB keeps the changes that it tells observers of in
// memory for as long as a savepoint lasts, which a large import must not.
func withSavepoint<Result>(_ database: Database, _ body: () throws -> Result) throws -> Result {
  try execute("SAVEPOINT _moho_call", on: database)
  do {
    let result = try body()
    try execute("RELEASE _moho_call", on: database)
    return result
  } catch {
    // Fails where the error has ended the whole transaction.
    try? execute("ROLLBACK TO _moho_call; RELEASE _moho_call", on: database)
    throw error
  }
}

/// Undoes what was done since the innermost savepoint began, which stays.
func undoSavepoint(_ database: Database) throws {
  try execute("ROLLBACK TO _moho_call", on: database)
}
