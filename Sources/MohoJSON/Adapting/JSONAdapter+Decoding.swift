public import Foundation
public import MohoMapping

extension JSONAdapter {
  /// Decodes the model of a JSON text.
  ///
  /// - Throws: `JSONError` if the text is not JSON; `MappingError` with all keys
  ///   that failed.
  public func model(from data: Data) throws -> Model {
    try checkDeclaration()
    // SAFETY: The bytes are used only inside the call.
    let scanned = data.withUnsafeBytes { bytes in scan(bytes) { try mapping.model(from: $0) } }
    return try scanned ?? model(from: JSONDocument(parsing: data))
  }

  /// Decodes the model of a document.
  ///
  /// - Throws: `MappingError` with all keys that failed.
  public func model(from document: JSONDocument) throws -> Model {
    try withFields(of: document) { try mapping.model(from: $0) }
  }

  /// Calls a function with the fields of a document's object.
  func withFields<Result>(
    of document: JSONDocument, _ body: (TreeFieldDecoder) throws -> Result
  ) throws -> Result {
    try checkDeclaration()
    return try document.withRoot { root in
      let fields = TreeFieldDecoder(self)
      defer { report(document.located(fields.check?.removeAll() ?? [])) }
      do {
        try fields.move(toElement: root, index: nil)
        return try body(fields)
      } catch let error as MappingError {
        let errors = document.located(wanted(error).errors)
        throw MappingError(errors) ?? error
      }
    }
  }

  /// Decodes the models of an array in a JSON text.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: `JSONError` if the text is not JSON; `MappingError` with the errors
  ///   of all elements that failed, in order, each with its path from the root.
  /// - Complexity: Linear in the number of bytes. One element at a time is in
  ///   memory in addition to the models, unless the text is not JSON.
  public func models(from data: Data, at path: FieldPath? = nil) throws -> [Model] {
    try elements(of: data, at: path, stopsAtFirst: errorPolicy == .first).allModels
  }

  /// Decodes the models of an array in a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: `MappingError` with the errors of all elements that failed, in order,
  ///   each with its path from the root.
  public func models(from document: JSONDocument, at path: FieldPath? = nil) throws -> [Model] {
    try models(from: document.text, at: path)
  }

  /// Decodes the valid elements of an array in a JSON text, and reports why the
  /// others failed.
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: `JSONError` if the text is not JSON; `MappingError` if there is no
  ///   array at the path.
  public func lossyModels(
    from data: Data, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try elements(of: data, at: path, stopsAtFirst: false).lossyModels
  }

  /// Decodes the valid elements of an array in a document, and reports why the
  /// others failed.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: `MappingError` if there is no array at the path.
  public func lossyModels(
    from document: JSONDocument, at path: FieldPath? = nil
  ) throws -> LossyModels<Model> {
    try lossyModels(from: document.text, at: path)
  }
}
