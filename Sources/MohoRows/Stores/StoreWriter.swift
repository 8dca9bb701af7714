public import MohoMapping

/// Changes a store in one transaction, and reads the store including these
/// changes.
///
/// Not `Sendable`. A writer is valid until the closure that received it
/// returns. After that, its methods throw a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest``.
public struct StoreWriter {
  package let session: any StoreSession

  package init(session: any StoreSession) { self.session = session }

  /// A reader of the store that includes the changes made so far.
  public var reader: StoreReader { StoreReader(session: session) }

  /// Saves models and their nested models.
  ///
  /// If the store has a row with the unique key of the model, that row is
  /// updated if it differs from the model. Otherwise, a row is inserted.
  ///
  /// - SQLite executes a prepared statement for each row, each to-many collection
  ///   and each of its links. PostgreSQL executes one for up to 5,000 rows or
  ///   2 MB, and for models with relations one for each entity and 500 models.
  ///   No statement looks up a model before it is saved, except that models
  ///   whose mappings have merge policies are read first, 500 at a time. A row
  ///   that is equal to its model is not written.
  /// - Models with the same unique key are saved as one row, which stores the
  ///   last of them. If these models are not equal, all models are processed a
  ///   second time, so that the row is not written if it is already equal to
  ///   the last one. For this purpose, a sequence that is not a collection
  ///   stays in memory until all models are saved.
  /// - Nested models are saved as separate rows and linked. References link to
  ///   the rows with their keys, which must already be stored or be saved by
  ///   the same call. Only references to models whose unique key is a required
  ///   integer may precede these models, until the transaction ends.
  /// - The `LinkPolicy` of each relation decides what happens to stored links.
  ///   A collection that is nil leaves the links unchanged, and an empty
  ///   collection removes all of them. If a model and a model that contains it
  ///   disagree about their link, the containing model decides. A row is linked
  ///   to another row only once, at its first position in a collection.
  /// - Nested models without a unique key always become new rows.
  ///
  /// The validations and repairs of the mappings, including those of nested
  /// models, run before models are written. Merge policies apply after that.
  ///
  /// Models are processed 500 at a time, together with their nested models.
  /// Their links are collected until all models are saved: on SQLite in temporary
  /// tables, on PostgreSQL in memory.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - mode: Whether rows that are not among the models are deleted.
  ///   - progress: Receives the progress after each 1,000 models and at the end,
  ///     on the calling thread. It must not use the store. If it throws, no
  ///     model is saved, and the error is rethrown.
  ///
  /// The errors of all models are thrown together, at most 100 of them. To find
  /// them, the call goes on after an error, and undoes everything at the end. If
  /// models have relations, constraints are no longer checked after an invalid
  /// model, and rows that lead to a row with an error are skipped.
  ///
  /// - Throws: A `MappingError` if models are invalid or have values that cannot
  ///   be stored, with paths that start with the position of the model. A
  ///   ``StoreError`` if models violate a constraint or refer to rows that do not
  ///   exist; its ``StoreError/errors`` include those of invalid models. No model
  ///   is saved in these cases.
  @discardableResult
  public func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model> = .save,
    progress: ImportProgress.Handler? = nil
  ) throws -> SaveReport {
    reported(try session.save(models, mode: mode, progress.map { ImportMeter($0) }), Model.self)
  }

  /// Saves one model.
  ///
  /// - Throws: The errors of ``save(_:mode:progress:)``.
  @discardableResult
  public func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    reported(try session.save(model), Model.self)
  }

  /// Saves the models of a document, such as the elements of a JSON array. If
  /// possible, no models are created.
  ///
  /// ```swift
  /// try store.write { try $0.save(decoding: adapter.fields(from: data)) }
  /// ```
  ///
  /// The result and the errors are the same as if the decoded models were saved
  /// with ``save(_:mode:progress:)``. Values are copied from the document to the rows,
  /// one object at a time, except in the following cases:
  ///
  /// - All models are created if their mapping validates, repairs, merges,
  ///   relates, inlines, is a cluster, stores unknown members, or has computed
  ///   properties, or if `mode` is not ``SaveMode/save``. They are also
  ///   created if reading or saving fails, to find the error, and if unequal
  ///   objects have the same unique key. In both cases, transforms run a second
  ///   time.
  /// - The first eight objects, and increasingly fewer after them, are compared
  ///   with models that are created from them. If a model has different values
  ///   because its initializer changes them, all models are created. If an
  ///   initializer changes the values of only a few objects, declare the change
  ///   as a repair.
  ///
  /// - Parameters:
  ///   - fields: The contents of the models.
  ///   - mode: Whether rows that are not among the models are deleted.
  ///   - progress: Receives the progress after each 1,000 models and at the end,
  ///     on the calling thread: in bytes of the document, and in models once
  ///     all of them have been created. It must not use the store. If it throws,
  ///     no model is saved, and the error is rethrown.
  /// - Throws: The errors of decoding the models and of ``save(_:mode:progress:)``. No
  ///   model is saved in these cases.
  @discardableResult
  public func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model> = .save,
    progress: ImportProgress.Handler? = nil
  ) throws -> SaveReport {
    reported(
      try session.save(decoding: fields, mode: mode, progress.map { ImportMeter($0) }),
      Model.self)
  }

  /// Updates rows from partial models, which must contain the unique keys of
  /// the rows. Keys that are present are written, including nil. All other
  /// columns stay unchanged.
  ///
  /// ```swift
  /// var change = Partial<Episode>()
  /// change[\.id] = 113
  /// change[\.summary] = nil
  /// try store.write { try $0.update([change]) }
  /// ```
  ///
  /// A row that already has the values is not written, and no row is inserted.
  ///
  /// Relations are updated in the same way:
  ///
  /// | the key is | to one | to many |
  /// |---|---|---|
  /// | absent | the link stays | the links stay |
  /// | nil | the link is removed | the links are removed |
  /// | empty | | the links are removed |
  /// | a model | it is saved and linked | they are saved and linked |
  /// | a reference | its row is linked | their rows are linked |
  ///
  /// A merge patch changes the stored unknown members one by one. Their rows are
  /// read first, in batches.
  ///
  /// Partial models with the same unique key change one row, in the order of
  /// the sequence. The row is counted once; its other partial models count as
  /// unchanged.
  ///
  /// The relation's `LinkPolicy` decides what happens to rows whose to-many
  /// links are removed. Merge policies do not apply.
  ///
  /// The errors of all partial models are thrown together, as by
  /// ``save(_:mode:progress:)``.
  ///
  /// - Throws: A ``StoreError`` if a partial model has no unique key, or if partial
  ///   models violate a constraint or refer to rows that do not exist. A
  ///   `MappingError` if values violate the rules of their keys or cannot be
  ///   stored, with paths that start with the position of the partial model. A
  ///   `MappingError` that
  ///   names the row if a rule for whole models fails; rules that may read related
  ///   rows are checked before the transaction is committed. Nothing is written in
  ///   these cases.
  /// - Complexity: On SQLite, one statement for each partial model. On PostgreSQL,
  ///   two for up to 1,000 of them. If they contain relations: a lookup of each row,
  ///   and the statements of ``save(_:mode:progress:)``, on PostgreSQL for each
  ///   partial model.
  @discardableResult
  public func update<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    reported(try session.update(partials), Model.self)
  }

  /// Saves partial models, which contain some keys of a row: inserts those whose
  /// unique key is not stored, and updates the given keys of the others.
  ///
  /// ```swift
  /// // [{"id": 7, "summary": null}, {"id": 8, "title": "Gneiss"}]
  /// let changes = try adapter.partials(from: data)
  /// try store.write { try $0.upsert(changes) }
  /// ```
  ///
  /// - Stored rows are updated as by ``update(_:)``: a key that is present is
  ///   written, also if it is nil, and all other columns remain as they are.
  /// - A new row requires all keys that are neither optional nor have a default.
  ///   Keys that are absent are nil or have their default. It is saved as by
  ///   ``save(_:mode:progress:)``.
  /// - Partial models with the same unique key are one row, in the order of the
  ///   sequence. A later one can complete a new row, and counts as unchanged.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/missingValue`` if partial
  ///   models of new rows are incomplete; its ``StoreError/keys`` are all missing
  ///   keys. Otherwise as ``save(_:mode:progress:)`` and ``update(_:)``. Nothing is written
  ///   then.
  /// - Complexity: On SQLite, two lookups for each partial model, in addition to
  ///   the statements that write the rows. On PostgreSQL, one lookup for all.
  @discardableResult
  public func upsert<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    reported(try session.upsert(partials), Model.self)
  }

  /// Saves one partial model.
  ///
  /// - Throws: As saving several of them.
  @discardableResult
  public func upsert<Model: MappedModel>(_ partial: Partial<Model>) throws -> SaveReport {
    reported(try session.upsert(CollectionOfOne(partial)), Model.self)
  }

  /// Deletes the rows of a request.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A ``StoreError`` if the request is invalid or a constraint
  ///   fails.
  @discardableResult
  public func delete(_ request: some StoreRequest) throws -> Int {
    reported(deleted: try session.delete(request.rows))
  }

  /// Deletes the rows that have the unique keys of the models.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A ``StoreError`` if the model has no unique key.
  @discardableResult
  public func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    reported(deleted: try session.delete(models), Model.self)
  }
}
