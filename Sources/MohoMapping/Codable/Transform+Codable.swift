extension Transform where Value: Codable {
  /// A value in the form that its `Codable` conformance gives it:
  ///
  /// ```swift
  /// .key("color", \.color, .codable)
  /// ```
  ///
  /// Formats with structure, such as JSON, hold it as a part of theirs; others,
  /// such as the rows of a store, as JSON text with sorted keys. Both are what
  /// `JSONEncoder` makes by its defaults. Two values are equal to a mapping
  /// where their JSON is. A nil property is null, as for other keys.
  public static var codable: Transform<Value> {
    // The compiler takes an optional property for a value that is `Codable` as
    // a whole, and so its type is asked.
    Transform(
      type: .string,
      isOptional: Value.self is any AnyOptional.Type,
      read: { decoder, index in
        if let type = Value.self as? any AnyOptional.Type, try decoder.isNull(at: index),
          let value = type.noValue as? [Value], let none = value.first
        {
          return none
        }
        return try decoder.codable(Value.self, at: index)
      },
      write: { value, encoder, index in
        if let optional = value as? any AnyOptional, optional.isNone {
          try encoder.encodeNull(at: index)
        } else {
          try encoder.encode(codable: value, at: index)
        }
      },
      sample: { try? SampleDecoder.value(Value.self, $0) })
  }
}

private protocol AnyOptional {
  /// An array of nil: a cast of nil itself does not tell it from failure.
  static var noValue: Any { get }
  var isNone: Bool { get }
}

extension Optional: AnyOptional {
  fileprivate static var noValue: Any { [Self.none] }
  fileprivate var isNone: Bool { self == nil }
}
