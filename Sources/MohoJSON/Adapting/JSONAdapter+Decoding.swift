public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// The model of a JSON text.
  ///
  /// - Throws: ``JSONError`` where the text is not JSON, `MappingError` with
  ///   all keys that failed where it is not the model's.
  public func model(from data: Data) throws -> Model {
    try checkDeclaration()
    // SAFETY: The bytes are used inside the call that lends them only.
    let scanned = data.withUnsafeBytes { bytes in scan(bytes) { try mapping.model(from: $0) } }
    return try scanned ?? model(from: JSONDocument(parsing: data))
  }

  /// The model of a document.
  ///
  /// - Throws: `MappingError` with all keys that failed.
  public func model(from document: JSONDocument) throws -> Model {
    try withFields(of: document) { try mapping.model(from: $0) }
  }

  /// Calls a function with the fields of a document's object.
  func withFields<Result>(
    of document: JSONDocument, _ body: (ObjectReader) throws -> Result
  ) throws -> Result {
    try checkDeclaration()
    return try document.withRoot { root in
      let reader = ElementReader(self)
      defer { report(reader.takeReports().located(in: document.text)) }
      do {
        // SAFETY: The bytes are used inside the call that lends them only.
        return try document.text.withUnsafeBytes { bytes in
          try reader.move(to: root, index: nil, in: SourceText(bytes))
          return try body(reader.fields)
        }
      } catch let error as MappingError {
        throw wanted(error).located(in: document.text)
      }
    }
  }

  /// The models of a JSON text that is an array, or holds one at a path.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``JSONError`` where the text is not JSON, `MappingError` with
  ///   the errors of all elements that failed, however many, in order, each
  ///   with its path from the document's root.
  /// - Complexity: Linear in the number of bytes. One element at a time is in
  ///   memory besides the models, unless the text is not JSON.
  public func models(from data: Data, at path: FieldPath? = nil) throws -> [Model] {
    try elements(of: data, at: path, stopsAtFirst: errors == .first).checkedModels
  }

  /// The models of a document that is an array, or holds one at a path.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: `MappingError` with the errors of all elements that failed,
  ///   however many, in order, each with its path from the document's root.
  public func models(from document: JSONDocument, at path: FieldPath? = nil) throws -> [Model] {
    try elements(of: document, at: path, stopsAtFirst: errors == .first).checkedModels
  }

  /// The models that can be read of a JSON text that is an array, or holds one
  /// at a path, and why the other elements cannot.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: ``JSONError`` where the text is not JSON, `MappingError` where
  ///   there is no array.
  public func lossyModels(
    from data: Data, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try elements(of: data, at: path, stopsAtFirst: false).lossyModels
  }

  /// The models that can be read of a document that is an array, or holds one
  /// at a path, and why the other elements cannot.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: Where the array is, such as `"items"`; the root unless given.
  /// - Throws: `MappingError` where there is no array.
  public func lossyModels(
    from document: JSONDocument, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try elements(of: document, at: path, stopsAtFirst: false).lossyModels
  }
}
