public import Foundation
public import MohoMapping

/// Partial models of arrays and streams: the keys that each object contains.
extension JSONAdapter where Model: MappedModel {
  /// Decodes the keys that are present in each object of an array, including
  /// null values.
  ///
  /// ```swift
  /// let changes = try adapter.partials(from: data, at: "items")
  /// try store.write { try $0.upsert(changes) }
  /// ```
  ///
  /// - Parameters:
  ///   - data: The text, in UTF-8.
  ///   - path: The path of the array, such as `"items"`; the root by default.
  /// - Throws: `JSONError` if the text is not JSON; `MappingError` with the errors
  ///   of all elements that failed, in order, each with its path from the root.
  ///   Null is an error for keys that are not optional.
  /// - Complexity: As ``models(from:at:)-(Data,_)``.
  public func partials(from data: Data, at path: FieldPath? = nil) throws -> [Partial<Model>] {
    try JSONAdapter<Partial<Model>>(partsOf: self).models(from: data, at: path)
  }

  /// Decodes the keys that are present in each object of an array.
  ///
  /// - Throws: As ``partials(from:at:)-(Data,_)``.
  public func partials(from text: String, at path: FieldPath? = nil) throws -> [Partial<Model>] {
    try partials(from: Data(text.utf8), at: path)
  }

  /// Decodes the keys that are present in each object of an array in a document.
  ///
  /// - Throws: As ``partials(from:at:)-(Data,_)``.
  public func partials(
    from document: JSONDocument, at path: FieldPath? = nil
  ) throws -> [Partial<Model>] {
    try JSONAdapter<Partial<Model>>(partsOf: self).models(from: document, at: path)
  }

  /// Decodes the keys that are present in each object of a text that arrives byte
  /// by byte.
  ///
  /// For the parameters, see ``elements(from:as:limit:)-(Bytes,_,_)``.
  public func partials<Bytes: AsyncSequence>(
    from bytes: Bytes, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ElementSequence<Partial<Model>, Bytes> where Bytes.Element == UInt8 {
    JSONAdapter<Partial<Model>>(partsOf: self).elements(from: bytes, as: layout, limit: limit)
  }

  /// Decodes the keys that are present in each object of a text that arrives in
  /// chunks.
  ///
  /// For the parameters, see ``elements(from:as:limit:)-(Chunks,_,_)``.
  public func partials<Chunks: AsyncSequence>(
    from chunks: Chunks, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ChunkedElements<Partial<Model>, Chunks> where Chunks.Element: Sequence<UInt8> {
    JSONAdapter<Partial<Model>>(partsOf: self).elements(from: chunks, as: layout, limit: limit)
  }

  /// Decodes the keys that are present in each object of a file, from its current
  /// position.
  ///
  /// For the parameters, see ``elements(from:as:limit:)-(FileHandle,_,_)``.
  public func partials(
    from file: FileHandle, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> FileElements<Partial<Model>> {
    JSONAdapter<Partial<Model>>(partsOf: self).elements(from: file, as: layout, limit: limit)
  }
}
