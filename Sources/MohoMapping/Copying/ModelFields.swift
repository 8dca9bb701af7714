/// What models of one type are made of, such as the elements of a JSON array,
/// before they are.
///
/// ```swift
/// let report = try store.write { try $0.save(rowsFrom: adapter.fields(from: data)) }
/// ```
///
/// Whoever takes it copies values from the document to where they go, and makes
/// no models where those would change nothing.
public struct UndecodedModels<Model>: Sendable {
  /// Makes all models.
  package let models: @Sendable () throws -> [Model]
  /// Goes through the objects and says whether it can, which it does before it
  /// calls any function.
  ///
  /// For each object, `read` is called with a decoder of its fields, which are
  /// good if it returns. If it throws or the fields were not good, it may be
  /// called once more with another decoder. Then `finish` is called once. What is
  /// borrowed from the decoder stays until `finish` returns. All that is thrown is
  /// thrown on.
  package let forEach:
    @Sendable (
      _ read: (any FieldDecoder) throws -> Void, _ finish: () throws -> Void
    ) throws -> Bool

  package init(
    models: @escaping @Sendable () throws -> [Model],
    forEach:
      @escaping @Sendable (
        _ read: (any FieldDecoder) throws -> Void, _ finish: () throws -> Void
      ) throws -> Bool
  ) {
    self.models = models
    self.forEach = forEach
  }
}
