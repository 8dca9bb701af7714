import Foundation
public import MohoMapping

/// JSON in strings. Decoding the data of a file or a response is faster.
extension JSONAdapter {
  /// Decodes the model of a JSON text.
  ///
  /// - Throws: As ``model(from:)-(Data)``.
  public func model(from text: String) throws -> Model { try model(from: Data(text.utf8)) }

  /// Decodes the models of an array in a JSON text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: As ``models(from:at:)-(Data,_)``.
  public func models(from text: String, at path: FieldPath? = nil) throws -> [Model] {
    try models(from: Data(text.utf8), at: path)
  }

  /// Encodes a model as JSON text.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded; the adapter's policy by default.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``.
  public func text(
    from model: Model, formatting: JSONFormatting = .compact, nullPolicy: NullPolicy? = nil
  ) throws -> String {
    String(
      decoding: try data(from: model, formatting: formatting, nullPolicy: nullPolicy), as: UTF8.self
    )
  }

  /// Encodes models as a JSON array.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded; the adapter's policy by default.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-([Model],_,_)``.
  public func text(
    from models: [Model], formatting: JSONFormatting = .compact, nullPolicy: NullPolicy? = nil
  ) throws -> String {
    String(
      decoding: try data(from: models, formatting: formatting, nullPolicy: nullPolicy),
      as: UTF8.self)
  }
}

extension JSONAdapter where Model: MappedModel {
  /// Decodes the keys that are present in a JSON text, including null values.
  ///
  /// - Throws: As ``partial(from:)-(Data)``.
  public func partial(from text: String) throws -> Partial<Model> {
    try partial(from: Data(text.utf8))
  }

  /// Encodes the keys that are present as JSON text.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Partial<Model>,_,_)``.
  public func text(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact,
    nullPolicy: NullPolicy = .null
  ) throws -> String {
    String(
      decoding: try data(from: partial, formatting: formatting, nullPolicy: nullPolicy),
      as: UTF8.self)
  }

  /// Encodes partial models as a JSON array.
  ///
  /// - Parameters:
  ///   - partials: The partial models.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Partial<Model>,_,_)``.
  public func text(
    from partials: some Collection<Partial<Model>>, formatting: JSONFormatting = .compact,
    nullPolicy: NullPolicy = .null
  ) throws -> String {
    String(
      decoding: try data(from: partials, formatting: formatting, nullPolicy: nullPolicy),
      as: UTF8.self)
  }
}
