public import Foundation
public import MohoMapping

/// Partial models are JSON Merge Patches (RFC 7396): members that are there
/// replace values, null clears them, and what is not there stays.
extension JSONAdapter where Model: MappedModel {
  /// The keys that a JSON text holds, null among them.
  ///
  /// ```swift
  /// let patch = try adapter.partial(from: body)
  /// episode = patch.applied(to: episode)
  /// ```
  ///
  /// - Throws: ``JSONError`` where the text is not JSON, ``MappingError`` with
  ///   all keys that failed; null is an error of keys that are not optional.
  public func partial(from data: Data) throws -> Partial<Model> {
    try partial(from: JSONDocument(parsing: data))
  }

  /// The keys that a document holds, null among them.
  ///
  /// - Throws: ``MappingError`` with all keys that failed.
  public func partial(from document: JSONDocument) throws -> Partial<Model> {
    try withFields(of: document) { try mapping.partial(from: $0) }
  }

  /// The JSON text of the keys that are present, nil as null, in UTF-8.
  ///
  /// - Throws: As ``data(from:formatting:)-(Model,_)``.
  public func data(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: .null, depth: 0)
    writer.begin(index: nil)
    try mapping.encode(partial, order: writer.order, to: writer)
    writer.end()
    return writer.layout.text.take()
  }

  /// The merge patch that leads from one model to another, in UTF-8: `{}` where
  /// they are equal.
  ///
  /// A nested value that differs is there as a whole, a nested model with null
  /// for its nil keys.
  ///
  /// - Throws: As ``data(from:formatting:)-(Model,_)``.
  public func mergePatch(
    from old: Model, to new: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    try data(from: Partial(from: old, to: new), formatting: formatting)
  }
}
