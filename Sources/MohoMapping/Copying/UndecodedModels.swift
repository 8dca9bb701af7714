/// The objects of a document, such as the elements of a JSON array, that have
/// not been decoded into models.
///
/// ```swift
/// let report = try store.write { try $0.save(decoding: adapter.fields(from: data)) }
/// ```
///
/// The receiver copies values from the document to their destination. It
/// creates models only if that would change the values.
public struct UndecodedModels<Model>: Sendable {
  /// Decodes all models.
  package let models: @Sendable () throws -> [Model]
  /// The size of the document.
  package let byteCount: Int
  /// Visits the objects. Returns false, before calling either function, if the
  /// document does not allow it.
  ///
  /// For each object, `read` is called with a decoder of its fields. If `read`
  /// throws or the object turns out to be malformed, `read` may be called again
  /// with another decoder. Then `finish` is called once, with the position of the
  /// byte after the object. Bytes that `read` borrowed from the decoder stay
  /// valid until `finish` returns. Errors of both functions are rethrown.
  package let forEach:
    @Sendable (
      _ read: (any FieldDecoder) throws -> Void, _ finish: (_ end: Int) throws -> Void
    ) throws -> Bool

  package init(
    byteCount: Int,
    models: @escaping @Sendable () throws -> [Model],
    forEach:
      @escaping @Sendable (
        _ read: (any FieldDecoder) throws -> Void, _ finish: (_ end: Int) throws -> Void
      ) throws -> Bool
  ) {
    self.byteCount = byteCount
    self.models = models
    self.forEach = forEach
  }
}
