public import Foundation
public import MohoMapping

/// Partial models are JSON Merge Patches (RFC 7396): present members replace values,
/// null clears them, and absent members leave them unchanged.
extension JSONAdapter where Model: MappedModel {
  /// Decodes the keys that are present in a JSON text, including null values.
  ///
  /// ```swift
  /// let patch = try adapter.partial(from: body)
  /// episode = patch.applied(to: episode)
  /// ```
  ///
  /// - Throws: ``JSONError`` if the text is not JSON; `MappingError` with all keys
  ///   that failed. Null is an error for keys that are not optional.
  public func partial(from data: Data) throws -> Partial<Model> {
    try checkDeclaration()
    // SAFETY: The bytes are used only inside the call.
    let scanned = data.withUnsafeBytes { bytes in scan(bytes) { try mapping.partial(from: $0) } }
    return try scanned ?? partial(from: JSONDocument(parsing: data))
  }

  /// Decodes the keys that are present in a document, including null values.
  ///
  /// - Throws: `MappingError` with all keys that failed.
  public func partial(from document: JSONDocument) throws -> Partial<Model> {
    try withFields(of: document) { try mapping.partial(from: $0) }
  }

  /// Encodes the keys that are present as JSON text in UTF-8, with the unknown
  /// members that the partial model stores or changes.
  ///
  /// Unknown members that the partial model removes are null. If a document had null
  /// for a whole object that contains keys, the keys are null instead.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded. With `NullPolicy.null`, every nil is null,
  ///     whatever its key declares, because an omitted member clears nothing.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``; and `MappingError`
  ///   of code `unsupported` if a merge patch cannot express a change of unknown
  ///   members, as in ``mergePatch(from:to:formatting:)``.
  public func data(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact,
    nullPolicy: NullPolicy = .null
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(
      formatting, nullPolicy: nullPolicy, overridesKeys: nullPolicy == .null, depth: 0)
    writer.begin(index: nil)
    try mapping.encode(partial, order: writer.order, to: writer)
    try writer.end()
    return writer.layout.pointee.text.take()
  }

  /// Encodes partial models as a JSON array, each as by
  /// ``data(from:formatting:nullPolicy:)-(Partial<Model>,_,_)``.
  ///
  /// - Throws: `MappingError` if JSON cannot represent a value. Its path begins with
  ///   the index of the partial model. The first error stops the encoding.
  public func data(
    from partials: some Collection<Partial<Model>>, formatting: JSONFormatting = .compact,
    nullPolicy: NullPolicy = .null
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(
      formatting, nullPolicy: nullPolicy, overridesKeys: nullPolicy == .null, depth: 1)
    let order = writer.order
    var rest = partials.makeIterator()
    return try array(of: partials.count, with: writer) { _ in
      guard let partial = rest.next() else { return }
      try mapping.encode(partial, order: order, to: writer)
    }
  }

  /// The merge patch from one model to another, in UTF-8: `{}` if they are equal.
  ///
  /// The value of a key that differs is included as a whole, and a nested model with
  /// null for its nil keys. Of the unknown members of a model that stores them, only
  /// the differences are included, with null for removed members.
  ///
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``; and `MappingError`
  ///   of code `unsupported` if an unknown member becomes null, or an object that
  ///   contains null, which a patch cannot express.
  public func mergePatch(
    from old: Model, to new: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    try data(from: Partial(from: old, to: new), formatting: formatting)
  }
}
