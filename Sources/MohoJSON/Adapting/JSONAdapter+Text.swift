import Foundation
public import MohoMapping

/// JSON in strings, for text that is at hand anyway: files and responses are read
/// faster as the data that they are.
extension JSONAdapter {
  /// The model of a JSON text.
  ///
  /// - Throws: As ``model(from:)-(Data)``.
  public func model(from text: String) throws -> Model { try model(from: Data(text.utf8)) }

  /// The models of a JSON text that is an array, or holds one at a path.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: As ``models(from:at:)-(Data,_)``.
  public func models(from text: String, at path: FieldPath? = nil) throws -> [Model] {
    try models(from: Data(text.utf8), at: path)
  }

  /// The JSON text of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written; by the adapter's policy unless given.
  /// - Throws: As ``data(from:formatting:nulls:)-(Model,_,_)``.
  public func text(
    from model: Model, formatting: JSONFormatting = .compact, nulls: NullPolicy? = nil
  ) throws -> String {
    String(decoding: try data(from: model, formatting: formatting, nulls: nulls), as: UTF8.self)
  }

  /// The JSON text of models, an array.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written; by the adapter's policy unless given.
  /// - Throws: As ``data(from:formatting:nulls:)-([Model],_,_)``.
  public func text(
    from models: [Model], formatting: JSONFormatting = .compact, nulls: NullPolicy? = nil
  ) throws -> String {
    String(decoding: try data(from: models, formatting: formatting, nulls: nulls), as: UTF8.self)
  }
}

extension JSONAdapter where Model: MappedModel {
  /// The keys that a JSON text holds, null among them.
  ///
  /// - Throws: As ``partial(from:)-(Data)``.
  public func partial(from text: String) throws -> Partial<Model> {
    try partial(from: Data(text.utf8))
  }

  /// The JSON text of the keys that are present.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written.
  /// - Throws: As ``data(from:formatting:nulls:)-(Partial<Model>,_,_)``.
  public func text(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact,
    nulls: NullPolicy = .null
  ) throws -> String {
    String(
      decoding: try data(from: partial, formatting: formatting, nulls: nulls), as: UTF8.self)
  }

  /// The JSON text of partial models, an array.
  ///
  /// - Parameters:
  ///   - partials: The partial models.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written.
  /// - Throws: As ``data(from:formatting:nulls:)-(Partial<Model>,_,_)``.
  public func text(
    from partials: some Collection<Partial<Model>>, formatting: JSONFormatting = .compact,
    nulls: NullPolicy = .null
  ) throws -> String {
    String(
      decoding: try data(from: partials, formatting: formatting, nulls: nulls), as: UTF8.self)
  }
}
