public import Foundation
import MohoMapping

extension JSONAdapter {
  /// The JSON text of a model, in UTF-8.
  ///
  /// Keys are written in declaration order; those that share an object, at the
  /// place of the first. Keys that only a store holds and transient properties
  /// are not written. Array elements that no key is mapped to are null.
  ///
  /// - Throws: ``MappingError`` where a value has no JSON: a number that is not
  ///   finite, a date that its format does not spell.
  public func data(
    from model: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    try checkDeclaration()
    var document = DocumentWriter(tree: output, formatting: formatting)
    let fields = ObjectWriter(keys: mapping.keys, nulls: nulls, envelope: envelope)
    fields.begin(index: nil)
    try mapping.encode(model, to: fields)
    document.append(fields, depth: 0)
    return Data(document.text.bytes)
  }

  /// The JSON text of models, an array, in UTF-8.
  ///
  /// Each model is written as ``data(from:formatting:)-(Model,_)`` does.
  ///
  /// - Throws: ``MappingError`` where a value has no JSON; its path begins with
  ///   the model's index. The first one ends the writing.
  public func data(
    from models: [Model], formatting: JSONFormatting = .compact
  ) throws -> Data {
    try checkDeclaration()
    var document = DocumentWriter(tree: output, formatting: formatting)
    let fields = ObjectWriter(keys: mapping.keys, nulls: nulls, envelope: envelope)
    try document.appendArray(count: models.count) { index, document in
      fields.begin(index: index)
      try mapping.encode(models[index], to: fields)
      document.append(fields, depth: 1)
    }
    return Data(document.text.bytes)
  }
}
