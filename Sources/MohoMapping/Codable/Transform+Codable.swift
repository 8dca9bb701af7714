extension Transform where Value: Codable {
  /// A value in the form of its `Codable` conformance:
  ///
  /// ```swift
  /// .key("color", \.color, .codable)
  /// ```
  ///
  /// In formats with structure, such as JSON, it is part of that structure; in others,
  /// such as the rows of a store, it is JSON text with sorted keys. Both are the output of
  /// `JSONEncoder` with its defaults. A mapping compares two values by their JSON. A nil
  /// property is null, as for other keys.
  public static var codable: Transform<Value> {
    // For an optional property, `Value` is the optional type.
    Transform(
      type: .string,
      isOptional: Value.self is any AnyOptionalValue.Type,
      schema: .unknown(
        "the form of the `Codable` conformance of `\(Value.self)`",
        storedAs: "codable \(unwrapped(Value.self))"),
      read: { decoder, index in
        if let type = Value.self as? any AnyOptionalValue.Type, try decoder.isNull(at: index),
          let value = type.arrayOfNil as? [Value], let none = value.first
        {
          return none
        }
        return try decoder.codable(Value.self, at: index)
      },
      write: { value, encoder, index in
        if let optional = value as? any AnyOptionalValue, optional.wrappedValue == nil {
          try encoder.encodeNull(at: index)
        } else {
          try encoder.encode(codable: value, at: index)
        }
      },
      sample: { try? SampleDecoder.value(Value.self, $0) })
  }
}
