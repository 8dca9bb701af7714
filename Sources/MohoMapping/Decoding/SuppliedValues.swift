/// Values of store-only keys, which documents do not contain. The caller knows them, such as the
/// server of a document.
///
/// Decoders of documents return them from ``FieldDecoder/suppliedValues``.
public struct SuppliedValues: Sendable {
  private var values: [String: any AnyValueBox] = [:]

  /// Creates a collection without values.
  public init() {}

  /// Sets the value of the store-only keys that have a name, and the type of the value or its
  /// optional.
  package mutating func set<Value: Sendable>(_ value: Value, named name: String) {
    values[name] = ValueBox(value: value)
  }

  /// Whether the collection has no values.
  var isEmpty: Bool { values.isEmpty }

  /// Returns the value for a key, or nil if no value has its name and its type.
  func value<Value: Sendable>(of type: Value.Type, named name: String) -> Value? {
    guard let box = values[name] else { return nil }
    return (box as? ValueBox<Value>)?.value ?? box.unwrapped as? Value
  }
}

extension FieldDecoder {
  /// The default is nil: the decoder has the values of all keys.
  public var suppliedValues: SuppliedValues? { nil }
}

extension KeyMapping {
  /// Returns a function that reads a store-only key: from rows as other keys, and from
  /// documents as a supplied value.
  ///
  /// - Parameters:
  ///   - name: The name of the key.
  ///   - isRequired: Whether the key is not optional and has no default.
  ///   - read: Reads the value or its default.
  @usableFromInline
  static func readingSupplied(
    named name: String, isRequired: Bool,
    _ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value
  ) -> @Sendable (any FieldDecoder, Int) throws -> Value {
    { decoder, index in
      // The parts of a reference are the elements of an array, which contains all keys.
      guard let supplied = decoder.suppliedValues, decoder.isAbsent(at: index) else {
        return try read(decoder, index)
      }
      if let value = supplied.value(of: Value.self, named: name) { return value }
      guard isRequired else { return try read(decoder, index) }
      var error = MappingError(.missingValue, path: decoder.objectPath)
      error.advice = "documents do not contain it: set it with `setting(_:to:)` of the adapter"
      throw error
    }
  }
}
