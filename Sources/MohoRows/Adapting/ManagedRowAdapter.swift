public import MohoMapping

/// Converts rows of a context to models, and models to rows.
///
/// ```swift
/// let adapter = ManagedRowAdapter<Podcast>()
/// let row = try adapter.row(from: podcast, in: context)
/// try context.save()
/// let same = try adapter.model(from: row)
/// ```
///
/// Related models are converted, too: a nested model corresponds to a row of
/// its own, and a `ModelReference` to a link to an existing row.
public struct ManagedRowAdapter<Model: MappedModel>: Sendable {
  /// Creates an adapter.
  public init() {}

  /// Returns the model of a row, including the unsaved changes of the row and
  /// its related rows.
  ///
  /// - Throws: A `MappingError` with the path of each value that the model
  ///   cannot read. A ``StoreError`` if the row has another entity or cannot be
  ///   read, or with the code ``StoreError/Code/cycle`` if a nested model would
  ///   contain itself.
  public func model(from row: ManagedRow) throws -> Model {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    try row.requireEntity(of: Model.self)
    let context = try row.requiredContext
    var reader = RowContents(in: context)
    let contents = try reader.contents(of: row.handle, for: mapping.keys)
    context.endReading()
    return try mapping.model(from: ContentDecoder(stored: contents, keys: mapping.fieldKeys))
  }

  /// Returns the models of rows, in the order of the rows.
  ///
  /// - Throws: The errors of ``model(from:)``.
  /// - Complexity: One statement for each relation and 500 rows that were
  ///   fetched together.
  public func models(from rows: some Sequence<ManagedRow>) throws -> [Model] {
    try rows.map { try model(from: $0) }
  }

  /// Updates the row of a model to the values of the model, or inserts a row if
  /// the model has none.
  ///
  /// - Throws: The errors of ``rows(from:in:)``.
  @discardableResult
  public func row(from model: Model, in context: EditingContext) throws -> ManagedRow {
    try context.operation {
      var writer = ContextGraphWriter(context)
      let row = try writer.add(model, path: FieldPath([]))
      try writer.write()
      return context.row(writer.handle(of: row))
    }
  }

  /// Updates the rows of models to the values of the models, and inserts rows
  /// for models that have none. Returns the rows in the order of the models.
  ///
  /// A model belongs to the row with the same unique key, whether the row is
  /// stored or new in the context. Models with equal keys share a row, which
  /// gets the values of the last model. A nil unique key is not equal to any
  /// other key. A model without a unique key always gets a new row. The
  /// validations of the mapping apply. If the row exists, the merge policies of
  /// attributes apply, too.
  ///
  /// Nested models follow the same rules. The saving rules of the keys decide
  /// what happens to links. A collection that is nil leaves the links
  /// unchanged.
  ///
  /// If the method throws, the context is unchanged.
  ///
  /// - Throws: A `MappingError` if models are invalid, with the errors of all of
  ///   them, at paths that start with the index of the model. A
  ///   ``RowValidationError`` with all values that columns cannot store. A
  ///   ``StoreError`` with the code ``StoreError/Code/danglingReference`` if
  ///   referenced rows do not exist.
  /// - Complexity: One statement for each relation, and one for each entity; on
  ///   SQLite, one for 500 rows of an entity.
  @discardableResult
  public func rows(
    from models: some Sequence<Model>, in context: EditingContext
  ) throws -> [ManagedRow] {
    try context.operation {
      var writer = ContextGraphWriter(context)
      let failures = WriteFailures { true }
      let rows = try models.enumerated().compactMap { index, model in
        let path = FieldPath([.index(index)])
        do {
          return try writer.add(model, path: path)
        } catch {
          try failures.add((error as? MappingError)?.locating(at: path) ?? error)
          return nil as GraphRow?
        }
      }
      try failures.check()
      try writer.write()
      return rows.map { context.row(writer.handle(of: $0)) }
    }
  }

  /// Updates a row with the keys that are present in a partial model. Nil and
  /// empty collections remove links. Absent keys stay unchanged, and a merge patch
  /// changes unknown members one by one.
  ///
  /// - Throws: The errors of ``rows(from:in:)``, and a ``StoreError`` if the
  ///   row has another entity.
  public func update(_ row: ManagedRow, from partial: Partial<Model>) throws {
    let context = try row.requiredContext
    let handle = try context.handle(of: row)
    try row.requireEntity(of: Model.self)
    try row.change(in: context) {
      var writer = ContextGraphWriter(context)
      try writer.add(partial, for: handle)
      try writer.write()
    }
  }
}
