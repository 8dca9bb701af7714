public import MohoMapping

/// JSON values, for use in other documents.
extension JSONAdapter {
  /// Encodes a model as a JSON value.
  ///
  /// ```swift
  /// let answer: JSONValue = ["status": "ok", "episode": try adapter.value(from: episode)]
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - nullPolicy: How nil is encoded; the adapter's policy by default.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``, and `JSONError`
  ///   if a `Codable` value writes text that is not JSON.
  public func value(from model: Model, nullPolicy: NullPolicy? = nil) throws -> JSONValue {
    try JSONDocument(parsing: data(from: model, nullPolicy: nullPolicy)).value() ?? .null
  }

  /// Encodes models as a JSON value, an array.
  ///
  /// ```swift
  /// let feed: JSONValue = ["title": "Deep Time", "items": try adapter.value(from: episodes)]
  /// let text = try feed.data(formatting: .pretty)
  /// ```
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - nullPolicy: How nil is encoded; the adapter's policy by default.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-([Model],_,_)``, and `JSONError`
  ///   if a `Codable` value writes text that is not JSON.
  public func value(from models: [Model], nullPolicy: NullPolicy? = nil) throws -> JSONValue {
    try JSONDocument(parsing: data(from: models, nullPolicy: nullPolicy)).value() ?? .null
  }
}

extension JSONAdapter where Model: MappedModel {
  /// Encodes the keys that are present as a JSON value, an object.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - nullPolicy: How nil is encoded.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Partial<Model>,_,_)``, and
  ///   `JSONError` if a `Codable` value writes text that is not JSON.
  public func value(
    from partial: Partial<Model>, nullPolicy: NullPolicy = .null
  ) throws -> JSONValue {
    try JSONDocument(parsing: data(from: partial, nullPolicy: nullPolicy)).value() ?? .null
  }

  /// Encodes partial models as a JSON value, an array.
  ///
  /// - Parameters:
  ///   - partials: The partial models.
  ///   - nullPolicy: How nil is encoded.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Collection<Partial<Model>>,_,_)``,
  ///   and `JSONError` if a `Codable` value writes text that is not JSON.
  public func value(
    from partials: some Collection<Partial<Model>>, nullPolicy: NullPolicy = .null
  ) throws -> JSONValue {
    try JSONDocument(parsing: data(from: partials, nullPolicy: nullPolicy)).value() ?? .null
  }
}
