public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// The model of a JSON text.
  ///
  /// - Throws: ``JSONError`` where the text is not JSON, ``MappingError`` with
  ///   all keys that failed where it is not the model's.
  public func model(from data: Data) throws -> Model {
    try model(from: JSONDocument(parsing: data))
  }

  /// The model of a document.
  ///
  /// - Throws: ``MappingError`` with all keys that failed.
  public func model(from document: JSONDocument) throws -> Model {
    try checkDeclaration()
    return try document.withRoot { root in try reader(root).model(root, index: nil) }
  }

  /// The models of a JSON text that is an array, or holds one at a path.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``JSONError`` where the text is not JSON, ``MappingError`` with
  ///   the errors of all elements that failed, however many, in order, each
  ///   with its path from the document's root.
  public func models(from data: Data, at path: FieldPath? = nil) throws -> [Model] {
    try models(from: JSONDocument(parsing: data), at: path)
  }

  /// The models of a document that is an array, or holds one at a path.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``MappingError`` with the errors of all elements that failed,
  ///   however many, in order, each with its path from the document's root.
  public func models(from document: JSONDocument, at path: FieldPath? = nil) throws -> [Model] {
    let result = try lossyModels(from: document, at: path)
    if let error = MappingError(result.failures.map(\.error)) { throw error }
    return result.models
  }

  /// The models that can be read of a JSON text that is an array, or holds one
  /// at a path, and why the other elements cannot.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``JSONError`` where the text is not JSON, ``MappingError`` where
  ///   there is no array.
  public func lossyModels(
    from data: Data, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try lossyModels(from: JSONDocument(parsing: data), at: path)
  }

  /// The models that can be read of a document that is an array, or holds one
  /// at a path, and why the other elements cannot.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``MappingError`` where there is no array.
  public func lossyModels(
    from document: JSONDocument, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try checkDeclaration(and: path)
    return try document.withRoot { root in
      let array = try ValueReader(model: mapping.name)
        .value(at: path, in: root, from: FieldPath([]), kind: .array)
      let reader = reader(root, prefix: path ?? FieldPath([]))
      var models: [Model] = []
      var indices: [Int] = []
      var failures: [ElementFailure] = []
      models.reserveCapacity(array.elementCount)
      indices.reserveCapacity(array.elementCount)
      for index in 0..<array.elementCount {
        guard let element = array.element(at: index) else { continue }
        do {
          models.append(try reader.model(element, index: index))
          indices.append(index)
        } catch let error as MappingError {
          failures.append(ElementFailure(index: index, error: error))
        }
      }
      return LossyModels(models: models, indices: indices, failures: failures)
    }
  }

  private func reader(_ root: JSONNode, prefix: FieldPath = FieldPath([])) -> ElementReader<Model> {
    let place = ElementPlace(prefix: prefix, envelope: envelope)
    return ElementReader(
      adapter: self, place: place,
      fields: ObjectReader(
        sources: mapping.keys.map(\.source), paths: paths, object: root, place: place))
  }
}
