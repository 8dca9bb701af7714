/// A two-way form of a value: how it is read from a field and written to one.
///
/// ```swift
/// .key("publishedAt", \.publishedAt, json: "date_published", .iso8601)
/// ```
///
/// A transform of one's own maps values of a type that has a form already:
///
/// ```swift
/// extension Transform where Value == Duration {
///   static let seconds = Transform<Double>.standard.map(
///     to: { .seconds($0) }, from: { Double($0.components.seconds) })
/// }
/// ```
public struct Transform<Value: Sendable>: Sendable {
  @usableFromInline let type: FieldType
  @usableFromInline let isOptional: Bool
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  @usableFromInline let write: @Sendable (Value, any FieldEncoder, Int) throws -> Void
  @usableFromInline let sample: @Sendable (FieldSample) -> Value?

  /// Makes a transform of its two functions.
  ///
  /// - Parameters:
  ///   - type: The kind of value that is written.
  ///   - read: Reads the value at a key.
  ///   - write: Writes the value at a key.
  public init(
    _ type: FieldType,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void
  ) {
    self.init(type: type, isOptional: false, read: read, write: write, sample: { _ in nil })
  }

  @usableFromInline
  init(
    type: FieldType,
    isOptional: Bool,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) {
    self.type = type
    self.isOptional = isOptional
    self.read = read
    self.write = write
    self.sample = sample
  }

  /// The transform that maps this one's values to another type and back.
  ///
  /// - Parameters:
  ///   - expected: What values must be, for the message where `to` returns
  ///     nil.
  ///   - to: Makes the other value; nil where there is none.
  ///   - from: Makes this transform's value again.
  public func map<Other: Sendable>(
    expected: String = "\(Other.self)",
    to: @escaping @Sendable (Value) -> Other?,
    from: @escaping @Sendable (Other) -> Value
  ) -> Transform<Other> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Other>(
      type: type,
      isOptional: isOptional,
      read: { decoder, index in
        guard let value = to(try read(decoder, index)) else {
          throw decoder.error(.invalidValue, at: index, expected: expected)
        }
        return value
      },
      write: { value, encoder, index in try write(from(value), encoder, index) },
      sample: { sample($0).flatMap(to) })
  }

  /// The transform of an optional value: null and absence are nil.
  public var optional: Transform<Value?> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Value?>(
      type: type,
      isOptional: true,
      read: { decoder, index in try decoder.isNull(at: index) ? nil : read(decoder, index) },
      write: { value, encoder, index in
        if let value {
          try write(value, encoder, index)
        } else {
          try encoder.encodeNull(at: index)
        }
      },
      sample: { .some(sample($0)) })
  }
}

extension Transform where Value: FieldValue {
  /// The form that the type itself has.
  public static var standard: Transform<Value> {
    Transform(
      type: Value.fieldType,
      isOptional: Value.isOptionalField,
      read: { decoder, index in try Value.decode(from: decoder, at: index) },
      write: { value, encoder, index in try value.encode(to: encoder, at: index) },
      sample: { Value.sample($0) })
  }
}
