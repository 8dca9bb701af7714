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
  /// - Throws: `JSONError` if the text is not JSON; `MappingError` with all keys
  ///   that failed. Null is an error for keys that are not optional.
  public func partial(from data: Data) throws -> Partial<Model> {
    try checkDeclaration()
    guard !mapping.fieldKeys.needsDiagnosticMergePatches else {
      return try partial(from: JSONDocument(parsing: data))
    }
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

  /// Encodes the keys that are present as JSON text in UTF-8, and the changes of
  /// unknown members.
  ///
  /// A removed member is null. Null for an object that contains keys becomes null for
  /// each key: the text does not remove other members of that object.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - formatting: The layout of the text.
  ///   - nullPolicy: How nil is encoded. With `NullPolicy.null`, every nil is null,
  ///     whatever its key declares, because an omitted member clears nothing.
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``; and `MappingError`
  ///   of code `unsupported` if a merge patch cannot express a change of unknown
  ///   members, as in ``mergePatch(from:to:formatting:)``, or if the partial model has
  ///   only some of the keys and unknown members in an array: a merge patch replaces
  ///   arrays as a whole.
  public func data(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact,
    nullPolicy: NullPolicy = .null
  ) throws -> Data {
    try checkDeclaration()
    return try text(formatting, nullPolicy, overridesKeys: nullPolicy == .null, depth: 0) {
      $0.begin(index: nil)
      try encode(partial, order: $0.order, to: $0)
      try $0.end()
    }
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
    return try text(formatting, nullPolicy, overridesKeys: nullPolicy == .null, depth: 1) {
      writer in
      let order = writer.order
      var rest = partials.makeIterator()
      try writer.writeArray(of: partials.count) { _ in
        guard let partial = rest.next() else { return }
        try encode(partial, order: order, to: writer)
      }
    }
  }

  private func encode(
    _ partial: Partial<Model>, order: [Int], to writer: ObjectWriter
  ) throws {
    let omitted: Set<Int>
    do {
      omitted = try partial.nilElements()
    } catch let error as MappingError {
      throw error.inside(writer.path)
    }
    let order = omitted.isEmpty ? order : order.filter { !omitted.contains($0) }
    try mapping.encode(partial, order: order, to: writer)
  }

  /// The merge patch from one model to another, in UTF-8: `{}` if they are equal.
  ///
  /// The value of a key that differs is included as a whole, and a nested model with
  /// null for its nil keys. Of the unknown members of a model that stores them, only
  /// the differences are included, with null for removed members. If a key or an
  /// unknown member in an array differs, all of them are included, because a merge
  /// patch replaces arrays as a whole.
  ///
  /// - Throws: As ``data(from:formatting:nullPolicy:)-(Model,_,_)``; and `MappingError`
  ///   of code `unsupported` if an unknown member outside of arrays becomes null, or an
  ///   object that contains null, which a patch cannot express.
  public func mergePatch(
    from old: Model, to new: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    let difference = Partial(from: old, to: new)
    return try data(from: difference.completingArrays(of: new), formatting: formatting)
  }
}
