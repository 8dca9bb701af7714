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
/// Related models go along, both ways: nested models are rows of their own, and
/// a `ModelReference` is a link to a row that is there.
public struct ManagedRowAdapter<Model: MappedModel>: Sendable {
  /// Makes an adapter.
  public init() {}

  /// The model of a row, with the unsaved changes of the row and of its related
  /// rows.
  ///
  /// - Throws: `MappingError` with the path of each value that the model cannot
  ///   read; ``StoreError`` if the row is of another entity or cannot be read;
  ///   of code ``StoreError/Code/cycle`` if a nested model would
  ///   contain itself.
  public func model(from row: ManagedRow) throws -> Model {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    guard row.entity.name == mapping.name else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row is not a row of `\(mapping.name)`")
    }
    let context = try row.requiredContext
    var reader = RowContents(in: context)
    let contents = try reader.contents(of: row.handle, for: mapping.keys)
    context.endReading()
    return try mapping.model(from: ContentDecoder(stored: contents, keys: mapping.mappingKeys))
  }

  /// The models of rows, in their order.
  ///
  /// - Throws: As ``model(from:)``.
  /// - Complexity: One statement for each relation and 500 rows that were
  ///   fetched together.
  public func models(from rows: some Sequence<ManagedRow>) throws -> [Model] {
    try rows.map { try model(from: $0) }
  }

  /// Changes the row of a model to the values of the model, or inserts one.
  ///
  /// - Throws: As ``rows(from:in:)``.
  @discardableResult
  public func row(from model: Model, in context: EditingContext) throws -> ManagedRow {
    try context.operation {
      var writer = ContextGraphWriter(context)
      let row = try writer.add(model, path: FieldPath([]))
      try writer.write()
      return context.row(writer.handle(of: row))
    }
  }

  /// Changes the rows of models to the values of the models, or inserts rows,
  /// in the order of the models.
  ///
  /// A model belongs to the row with its unique key, whether stored or new in
  /// the context. Models with equal keys share a row, with the values of the
  /// last one. A nil unique key equals no other, and without a unique key each
  /// model has a new row. Validations of the mapping apply; if the row exists,
  /// merge policies of attributes apply too.
  ///
  /// The same goes for nested models. Saving rules of the keys decide what
  /// happens to links. A collection that is nil leaves links as they are.
  ///
  /// If it throws, the context is unchanged.
  ///
  /// - Throws: `MappingError` if a model is invalid, at a path that begins with
  ///   the index of the model; ``RowValidationError`` with all values that columns
  ///   cannot store; ``StoreError`` of code
  ///   ``StoreError/Code/danglingReference`` if a referenced row does not exist.
  /// - Complexity: For each entity and each relation, one statement and one
  ///   more for each 500 rows.
  @discardableResult
  public func rows(
    from models: some Sequence<Model>, in context: EditingContext
  ) throws -> [ManagedRow] {
    try context.operation {
      var writer = ContextGraphWriter(context)
      let rows = try models.enumerated().map { index, model in
        let path = FieldPath([.index(index)])
        do {
          return try writer.add(model, path: path)
        } catch let error as MappingError {
          throw error.locating(at: path)
        }
      }
      try writer.write()
      return rows.map { context.row(writer.handle(of: $0)) }
    }
  }

  /// Changes a row by the keys that a partial model has. Nil and empty
  /// collections unlink; absent keys stay unchanged.
  ///
  /// - Throws: As ``rows(from:in:)``, and ``StoreError`` if the row is of
  ///   another entity.
  public func update(_ row: ManagedRow, from partial: Partial<Model>) throws {
    let context = try row.requiredContext
    let handle = try context.handle(of: row)
    guard row.entity.name == Model.mapping.name else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row is not a row of `\(Model.mapping.name)`")
    }
    try row.change(in: context) {
      var writer = ContextGraphWriter(context)
      try writer.add(partial, for: handle)
      try writer.write()
    }
  }
}
