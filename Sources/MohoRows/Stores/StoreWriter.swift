public import MohoMapping

/// Changes a store in one transaction, until the closure returns that received
/// the writer. What it reads includes its own changes.
///
/// Not `Sendable`. After the closure has returned, its methods throw
/// ``StoreError`` of code ``StoreError/Code/invalidRequest``.
public struct StoreWriter {
  package let session: any StoreSession

  package init(session: any StoreSession) { self.session = session }

  /// Reads the store with the changes made so far.
  public var reader: StoreReader { StoreReader(session: session) }

  /// Saves models with the models that are nested in them.
  ///
  /// A model whose unique key is stored updates that row if the row differs from
  /// the model. Any other model is inserted.
  ///
  /// - The number of different statements does not depend on the number of
  ///   models, and no statement looks for a model first. Only models whose
  ///   mappings have merge policies are read before, 500 at a time. A row that
  ///   equals its model is not written.
  /// - Models with the same unique key are one row, which stores the last of
  ///   them. If they are unequal, the models are processed a second time, so
  ///   that the row is not written if it already equals the last one. A sequence
  ///   that is not a collection stays in memory for that until all models are
  ///   saved.
  /// - Nested models have rows of their own and are linked. Rows that references
  ///   name are linked too; they must be stored already, or be saved by the same
  ///   call. Only references to models whose unique key is a required integer
  ///   may precede the models they refer to, until the transaction ends.
  /// - The `LinkPolicy` of each relation decides what happens to stored links. A
  ///   collection that is nil leaves the links as they are; an empty collection
  ///   removes all of them. If a model and a model that contains it disagree
  ///   about their link, the containing model decides. A row is linked to
  ///   another row once, at its first position in a collection.
  /// - Nested models without a unique key are new rows each time.
  ///
  /// Models are written after the validations and repairs of their mappings and
  /// of nested models; merge policies apply after that.
  ///
  /// Models are processed 500 at a time, together with nested models. Their
  /// links are stored in temporary tables until all models are saved.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - mode: Whether rows that are not among the models are deleted.
  /// - Throws: `MappingError` if a model is invalid or has a value that cannot
  ///   be stored, with a path that begins with the model's position; and
  ///   ``StoreError`` if a model violates a constraint or refers to a row that
  ///   does not exist. No model is saved then.
  @discardableResult
  public func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model> = .save
  ) throws -> SaveReport {
    try session.save(models, mode: mode)
  }

  /// Saves one model.
  ///
  /// - Throws: As ``save(_:mode:)``.
  @discardableResult
  public func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    try session.save(model)
  }

  /// Saves the models of a document, such as the elements of a JSON array,
  /// without making models if possible.
  ///
  /// ```swift
  /// try store.write { try $0.save(decoding: adapter.fields(from: data)) }
  /// ```
  ///
  /// The result is that of ``save(_:mode:)`` with the decoded models, and so are
  /// the errors. Values are copied from the document to the rows, one object at
  /// a time, unless a model has a part in it:
  ///
  /// - All models are made if their mapping validates, repairs, merges, relates,
  ///   inlines, is a cluster, stores unknown members, or has computed
  ///   properties; if `mode` is not ``SaveMode/save``; and if reading or saving
  ///   fails, to find the error. Transforms run a second time then. The same
  ///   applies if unequal objects have the same unique key.
  /// - The first eight objects, and increasingly fewer after them, are compared
  ///   with models made from them. If a model has other values, because its
  ///   initializer changes them, all models are made. An initializer that
  ///   changes values of few objects only must be declared as a repair instead.
  ///
  /// - Parameters:
  ///   - fields: The contents of the models.
  ///   - mode: Whether rows that are not among the models are deleted.
  /// - Throws: Errors of decoding the models, and as ``save(_:mode:)``. No model
  ///   is saved then.
  @discardableResult
  public func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model> = .save
  ) throws -> SaveReport {
    try session.save(decoding: fields, mode: mode)
  }

  /// Updates rows from partial models, which must have the unique keys of the
  /// rows. Keys that are present are written, including nil; all other columns
  /// stay as they are.
  ///
  /// ```swift
  /// var change = Partial<Episode>()
  /// change[\.id] = 113
  /// change[\.summary] = .some(nil)
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
  /// Partial models with the same unique key change one row, in the order of the
  /// sequence.
  ///
  /// The relation's `LinkPolicy` decides what happens to rows whose links to
  /// many are removed. Merge policies do not apply.
  ///
  /// - Throws: ``StoreError`` if a partial model has no unique key, violates a
  ///   constraint or refers to a row that does not exist; `MappingError` if a
  ///   value is invalid by the rules of its key or cannot be stored, with a path
  ///   that begins with the position of the partial model. Nothing is written
  ///   then. Rules of whole models are not checked.
  @discardableResult
  public func update<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try session.update(partials)
  }

  /// Deletes the rows of a request.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func delete(_ request: some StoreRequest) throws -> Int {
    try session.delete(request.rows)
  }

  /// Deletes the rows with the unique keys of models.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: ``StoreError`` if the model has no unique key.
  @discardableResult
  public func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    try session.delete(models)
  }
}
