public import MohoMapping

/// JSON as values, to be put into documents.
extension JSONAdapter {
  /// The JSON of a model as a value.
  ///
  /// ```swift
  /// let answer: JSONValue = ["status": "ok", "episode": try adapter.value(from: episode)]
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - nulls: How nil is written; by the adapter's policy unless given.
  /// - Throws: As ``data(from:formatting:nulls:)-(Model,_,_)``, and ``JSONError``
  ///   where a model holds what is not read back.
  public func value(from model: Model, nulls: NullPolicy? = nil) throws -> JSONValue {
    try JSONDocument(parsing: data(from: model, nulls: nulls)).value() ?? .null
  }

  /// The JSON of models as a value, an array.
  ///
  /// ```swift
  /// let feed: JSONValue = ["title": "Deep Time", "items": try adapter.value(from: episodes)]
  /// let text = try feed.data(formatting: .pretty)
  /// ```
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - nulls: How nil is written; by the adapter's policy unless given.
  /// - Throws: As ``data(from:formatting:nulls:)-([Model],_,_)``, and ``JSONError``
  ///   where a model holds what is not read back.
  public func value(from models: [Model], nulls: NullPolicy? = nil) throws -> JSONValue {
    try JSONDocument(parsing: data(from: models, nulls: nulls)).value() ?? .null
  }
}

extension JSONAdapter where Model: MappedModel {
  /// The JSON of the keys that are present as a value, an object.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - nulls: How nil is written.
  /// - Throws: As ``data(from:formatting:nulls:)-(Partial<Model>,_,_)``, and
  ///   ``JSONError`` where a model holds what is not read back.
  public func value(
    from partial: Partial<Model>, nulls: NullPolicy = .null
  ) throws -> JSONValue {
    try JSONDocument(parsing: data(from: partial, nulls: nulls)).value() ?? .null
  }

  /// The JSON of partial models as a value, an array.
  ///
  /// - Parameters:
  ///   - partials: The partial models.
  ///   - nulls: How nil is written.
  /// - Throws: As ``data(from:formatting:nulls:)-(Collection<Partial<Model>>,_,_)``,
  ///   and ``JSONError`` where a model holds what is not read back.
  public func value(
    from partials: some Collection<Partial<Model>>, nulls: NullPolicy = .null
  ) throws -> JSONValue {
    try JSONDocument(parsing: data(from: partials, nulls: nulls)).value() ?? .null
  }
}
