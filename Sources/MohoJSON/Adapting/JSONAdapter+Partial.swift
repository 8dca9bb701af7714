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
  /// - Throws: ``JSONError`` where the text is not JSON, `MappingError` with
  ///   all keys that failed; null is an error of keys that are not optional.
  public func partial(from data: Data) throws -> Partial<Model> {
    try checkDeclaration()
    // SAFETY: The bytes are used inside the call that lends them only.
    let scanned = data.withUnsafeBytes { bytes in scan(bytes) { try mapping.partial(from: $0) } }
    return try scanned ?? partial(from: JSONDocument(parsing: data))
  }

  /// The keys that a document holds, null among them.
  ///
  /// - Throws: `MappingError` with all keys that failed.
  public func partial(from document: JSONDocument) throws -> Partial<Model> {
    try withFields(of: document) { try mapping.partial(from: $0) }
  }

  /// The JSON text of the keys that are present, in UTF-8. Unknown members are
  /// written as they are, and nothing where there are none.
  ///
  /// - Parameters:
  ///   - partial: The keys with their values.
  ///   - formatting: How the text is laid out.
  ///   - nulls: How nil is written. By `NullPolicy.null`, each nil is null,
  ///     whatever its key declares: what is left out clears nothing.
  /// - Throws: As ``data(from:formatting:nulls:)-(Model,_,_)``.
  public func data(
    from partial: Partial<Model>, formatting: JSONFormatting = .compact,
    nulls: NullPolicy = .null
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls, overridesKeys: nulls == .null, depth: 0)
    writer.begin(index: nil)
    try mapping.encode(partial, order: writer.order, to: writer)
    try writer.end()
    return writer.layout.pointee.text.take()
  }

  /// The JSON text of partial models, an array of what
  /// ``data(from:formatting:nulls:)-(Partial<Model>,_,_)`` makes of each.
  ///
  /// - Throws: `MappingError` where a value has no JSON; its path begins with
  ///   the index of the partial model. The first one ends the writing.
  public func data(
    from partials: some Collection<Partial<Model>>, formatting: JSONFormatting = .compact,
    nulls: NullPolicy = .null
  ) throws -> Data {
    try checkDeclaration()
    let writer = writer(formatting, nulls: nulls, overridesKeys: nulls == .null, depth: 1)
    let order = writer.order
    var rest = partials.makeIterator()
    return try array(of: partials.count, with: writer) { _ in
      guard let partial = rest.next() else { return }
      try mapping.encode(partial, order: order, to: writer)
    }
  }

  /// The merge patch that leads from one model to another, in UTF-8: `{}` where
  /// they are equal.
  ///
  /// A nested value that differs is there as a whole, a nested model with null
  /// for its nil keys. So are the unknown members of a model that keeps them:
  /// ``partial(from:)-(Data)`` takes them for all that there are.
  ///
  /// - Throws: As ``data(from:formatting:nulls:)-(Model,_,_)``; and `MappingError`
  ///   of code `unsupported` where the last unknown members are gone, which a
  ///   patch cannot say.
  public func mergePatch(
    from old: Model, to new: Model, formatting: JSONFormatting = .compact
  ) throws -> Data {
    let difference = Partial(from: old, to: new)
    if let key = difference.keys.first(where: \.receivesUnknownMembers) {
      try checkUnknown(of: new, at: key.name)
    }
    return try data(from: difference, formatting: formatting)
  }

  private func checkUnknown(of model: Model, at key: String) throws {
    let recorder = FieldRecorder()
    try mapping.encode(model, only: key, to: recorder)
    guard recorder.contents == [.dictionary([:])] else { return }
    throw MappingError(
      .unsupported, model: mapping.name, key: key, found: "no unknown members",
      expected: "at least one of those that were there")
  }
}
