public import MohoMapping

/// Makes models of the rows of a context, and rows of models.
///
/// ```swift
/// let adapter = RowAdapter<Podcast>()
/// let row = try adapter.row(from: podcast, in: context)
/// try context.save()
/// let same = try adapter.model(from: row)
/// ```
///
/// Related models go along, both ways: nested models are rows of their own, and
/// a `ModelReference` is a link to a row that is there.
public struct RowAdapter<Model: MappedModel>: Sendable {
  /// Makes an adapter.
  public init() {}

  /// The model that a row holds, with what is not saved of it and of the rows
  /// that it is related to.
  ///
  /// - Throws: `MappingError` where a row has values that are none of its
  ///   model's, with the path to them; ``StoreError`` where the row is of
  ///   another entity or cannot be read, or of code
  ///   ``StoreError/Code/nestedInItself`` where a nested model would contain
  ///   itself.
  public func model(from row: ManagedRow) throws -> Model {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    guard row.entity.name == mapping.name else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row is none of `\(mapping.name)`")
    }
    let context = try row.requiredContext
    var reader = RowContents(in: context)
    let contents = try reader.contents(of: row.handle, for: mapping.keys)
    context.endReading()
    return try mapping.model(from: ContentDecoder(stored: contents, keys: mapping.mappingKeys))
  }

  /// The models that rows hold, in their order.
  ///
  /// - Throws: As ``model(from:)``.
  /// - Complexity: One statement for each relation and 500 rows that were
  ///   fetched together.
  public func models(from rows: some Sequence<ManagedRow>) throws -> [Model] {
    try rows.map { try model(from: $0) }
  }

  /// The row that a model is saved in, changed to what the model holds, or a new
  /// one.
  ///
  /// - Throws: As ``rows(from:in:)``.
  @discardableResult
  public func row(from model: Model, in context: EditingContext) throws -> ManagedRow {
    try context.operation {
      var writer = RowGraphWriter(context)
      let node = try writer.add(model, path: FieldPath([]))
      try writer.write()
      return context.row(writer.row(of: node))
    }
  }

  /// The rows that models are saved in, in the order of the models.
  ///
  /// A model whose unique key a row has, be it stored or new in the context, is
  /// that row; models with equal keys are one row, with what the last one
  /// holds. A unique key that is nil equals none, and without a unique key each
  /// model is a new row. The mapping's validations are applied, and where there
  /// was a row, its merge rules for attributes.
  ///
  /// Nested models are rows likewise, before the model that holds them. Links
  /// become what the saving rules of the keys say; those of a collection that is
  /// nil stay.
  ///
  /// Wholly or not at all: where it throws, the context is as it was.
  ///
  /// - Throws: `MappingError` where a model is not valid, at a path that begins
  ///   with the model's position, ``ValidationError``
  ///   with all values that columns cannot hold, ``StoreError`` of code
  ///   ``StoreError/Code/unknownReference`` where a reference leads to no row.
  /// - Complexity: For each entity and each relation, one statement and one more
  ///   for each 500 rows.
  @discardableResult
  public func rows(
    from models: some Sequence<Model>, in context: EditingContext
  ) throws -> [ManagedRow] {
    try context.operation {
      var writer = RowGraphWriter(context)
      let nodes = try models.enumerated().map { index, model in
        let path = FieldPath([.index(index)])
        do {
          return try writer.add(model, path: path)
        } catch let error as MappingError {
          throw error.locating(at: path)
        }
      }
      try writer.write()
      return nodes.map { context.row(writer.row(of: $0)) }
    }
  }

  /// Changes a row by the keys that a partial model has: nil and empty
  /// collections unlink, absent keys stay as they are.
  ///
  /// - Throws: As ``rows(from:in:)``, and ``StoreError`` where the row is of
  ///   another entity.
  public func update(_ row: ManagedRow, from partial: Partial<Model>) throws {
    let context = try row.requiredContext
    let handle = try context.handle(of: row)
    guard row.entity.name == Model.mapping.name else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row is none of `\(Model.mapping.name)`")
    }
    try row.change(in: context) {
      var writer = RowGraphWriter(context)
      try writer.add(partial, for: handle)
      try writer.write()
    }
  }
}

extension StoreError.Code {
  /// A reference leads to no row.
  public static let unknownReference = StoreError.Code(name: "unknown reference")
}
