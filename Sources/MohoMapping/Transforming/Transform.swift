/// A two-way form of a value: how it is read from a field and written to a
/// field.
///
/// ```swift
/// .key("publishedAt", \.publishedAt, json: "date_published", .iso8601)
/// ```
///
/// A custom transform maps the values of another transform:
///
/// ```swift
/// extension Transform where Value == Duration {
///   static let seconds: Transform<Duration> = Transform<Double>.standard.map(
///     to: { .seconds($0) }, from: { Double($0.components.seconds) })
/// }
/// ```
///
/// Transforms compose: ``map(expected:samples:to:from:)``, ``or(_:)``,
/// ``optional``, ``array``, ``set`` and ``dictionary`` each return a transform.
/// A transform composed of more than 128 parts is a mistake in the declaration.
///
/// A transform always has both directions. To invert a pair of functions, pass
/// them to `map` in the other order.
///
/// **Laws**, for a transform and those composed from it:
/// - A value that is written is read back as the same value, unless the
///   transform documents a loss.
/// - `map` with functions that return their argument changes nothing.
/// - Mapping twice equals mapping once with the composed functions.
/// - A mistake in the declaration of a part is a mistake in the whole; see
///   ``problems``.
public struct Transform<Value: Sendable>: Sendable {
  @usableFromInline let type: FieldType
  @usableFromInline let isOptional: Bool
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  @usableFromInline let write: @Sendable (Value, any FieldEncoder, Int) throws -> Void
  @usableFromInline let sample: @Sendable (FieldSample) -> Value?

  /// The number of transforms that this one is composed of.
  let parts: Int

  /// The form of the values if they are read and written with one call each.
  let form: PlainForm?

  /// The format of a plain date.
  let dateFormat: DateFormat

  /// The form of the values in documents.
  public let schema: FieldSchema

  /// Mistakes in the declaration of the transform, such as an empty date
  /// pattern. They are part of the ``Mapping/issues`` of the mapping that uses
  /// the transform.
  public let problems: [String]

  /// Creates a transform from two functions.
  ///
  /// - Parameters:
  ///   - type: The kind of value that is written.
  ///   - problems: Mistakes in the declaration of the transform.
  ///   - samples: Different values that a mapping uses to check its
  ///     declaration, and `MappingLaws` to check its laws. Without samples, a
  ///     value that `read` creates from a common string or number is used.
  ///   - schema: The form of the values in documents, for descriptions such as
  ///     JSON Schema. The default is not known: any value.
  ///   - read: Reads the value at an index.
  ///   - write: Writes the value at an index.
  public init(
    _ type: FieldType,
    problems: [String] = [],
    samples: [Value] = [],
    schema: FieldSchema? = nil,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void
  ) {
    self.init(
      type: type, isOptional: false, problems: problems, schema: schema, read: read,
      write: write, sample: { $0.element(of: samples) })
  }

  @usableFromInline
  init(
    type: FieldType,
    isOptional: Bool,
    problems: [String] = [],
    parts: Int = 1,
    form: PlainForm? = nil,
    dateFormat: DateFormat = .iso8601,
    schema: FieldSchema? = nil,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) {
    self.type = type
    self.isOptional = isOptional
    self.dateFormat = dateFormat
    // Each part uses stack when it is called and when it is released. The
    // functions of too many parts are therefore not retained.
    let limit = 128
    guard parts <= limit else {
      let problem = "the transform is composed of more than \(limit) parts"
      self.parts = limit + 1
      self.form = nil
      self.schema = .unknown(problem)
      self.problems = [problem]
      self.read = { _, _ in throw MappingError(.invalidDeclaration, found: problem) }
      self.write = { _, _, _ in throw MappingError(.invalidDeclaration, found: problem) }
      self.sample = { _ in nil }
      return
    }
    self.parts = parts
    self.form = form
    self.schema = schema ?? .unknown("the form of a transform with its own functions")
    self.problems = problems
    self.read = read
    self.write = write
    self.sample = sample
  }

  /// Returns a transform that maps the values of this one to another type and
  /// back.
  ///
  /// Both functions can throw. Their error becomes ``MappingError/underlying``
  /// of a ``MappingError`` with code ``MappingError/Code/invalidValue``, the
  /// model, the key and the path. If they throw a ``MappingError``, its code
  /// and expected value are preserved.
  ///
  /// - Parameters:
  ///   - expected: The expected value, for the message if `to` returns nil.
  ///   - samples: Different values that a mapping uses to check its
  ///     declaration. The default is the mapped samples of this transform.
  ///   - to: Converts a value. Returns nil or throws if that is not possible.
  ///   - from: Converts a value back. Throws if that is not possible.
  public func map<Other: Sendable>(
    expected: String = "\(Other.self)",
    samples: [Other] = [],
    to: @escaping @Sendable (Value) throws -> Other?,
    from: @escaping @Sendable (Other) throws -> Value
  ) -> Transform<Other> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Other>(
      type: type,
      isOptional: isOptional,
      problems: problems,
      parts: parts + 1,
      schema: schema,
      read: { decoder, index in
        guard let value = try to(read(decoder, index)) else {
          throw decoder.error(.invalidValue, at: index, expected: expected)
        }
        return value
      },
      write: { value, encoder, index in try write(from(value), encoder, index) },
      sample: { $0.element(of: samples) ?? sample($0).flatMap { try? to($0) } })
  }

  /// Maps values that cannot all be converted back.
  ///
  /// - Parameter writable: The expected value, for the message if `from`
  ///   returns nil.
  func map<Other: Sendable>(
    expected: String,
    to: @escaping @Sendable (Value) -> Other?,
    writable: String,
    from: @escaping @Sendable (Other) -> Value?
  ) -> Transform<Other> {
    map(expected: expected, to: to) { other in
      guard let value = from(other) else {
        throw MappingError(.invalidValue, found: "\(other)", expected: writable)
      }
      return value
    }
  }

  /// Returns the transform with other samples. Mapped samples often have no
  /// counterpart.
  func sampled(
    _ sample: @escaping @Sendable (FieldSample) -> Value?
  ) -> Transform<Value> {
    Transform(
      type: type, isOptional: isOptional, problems: problems, parts: parts, schema: schema,
      read: read, write: write, sample: sample)
  }

  /// Returns the transform with another schema: that of the values that it reads
  /// and writes, where the schema of a transform that it maps is less exact.
  public func described(as schema: FieldSchema) -> Transform<Value> {
    Transform(
      type: type, isOptional: isOptional, problems: problems, parts: parts, form: form,
      dateFormat: dateFormat, schema: schema, read: read, write: write, sample: sample)
  }

  /// The transform of an optional value. Null and absence are nil. If the
  /// values of this transform are optional themselves, null is the outer nil.
  public var optional: Transform<Value?> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Value?>(
      type: type,
      isOptional: true,
      problems: problems,
      parts: parts + 1,
      form: isOptional ? nil : form,
      dateFormat: dateFormat,
      schema: schema.optional,
      read: { decoder, index in try decoder.isNull(at: index) ? nil : read(decoder, index) },
      write: { value, encoder, index in
        if let value {
          try write(value, encoder, index)
        } else {
          try encoder.encodeNull(at: index)
        }
      },
      sample: { .some(sample($0.omissible)) })
  }
}

extension Transform where Value: FieldValue {
  /// The standard form of the type.
  @inlinable
  public static var standard: Transform<Value> {
    Transform(
      type: Value.fieldType,
      isOptional: Value.isOptionalField,
      form: PlainForm(of: Value.self),
      schema: Value.fieldSchema,
      read: { decoder, index in try Value.decode(from: decoder, at: index) },
      write: { value, encoder, index in try value.encode(to: encoder, at: index) },
      sample: { Value.sample($0) })
  }
}
