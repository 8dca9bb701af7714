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
///   static let seconds: Transform<Duration> = Transform<Double>.standard.map(
///     to: { .seconds($0) }, from: { Double($0.components.seconds) })
/// }
/// ```
///
/// Transforms compose: ``map(expected:samples:to:from:)``, ``or(_:)``, ``optional``,
/// ``array``, ``set`` and ``dictionary`` each make another. A transform of more than
/// 128 parts is a mistake of the declaration.
///
/// A transform has both directions by construction. There is none that only
/// reads, and so nothing to ask and nothing that fails when a model is written.
/// What inverts a pair of functions is to give them to `map` in the other
/// order; the errors of reading are those of the direction that reads.
///
/// **Laws**, for a transform and those made of it:
/// - What is written reads back as the same value, unless a transform says what
///   it loses.
/// - `map` with functions that return what they get changes nothing.
/// - To map twice is to map once by both functions, one after the other.
/// - What is wrong with the declaration of a part is wrong with the whole; see
///   ``problems``.
public struct Transform<Value: Sendable>: Sendable {
  @usableFromInline let type: FieldType
  @usableFromInline let isOptional: Bool
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  @usableFromInline let write: @Sendable (Value, any FieldEncoder, Int) throws -> Void
  @usableFromInline let sample: @Sendable (FieldSample) -> Value?

  /// How many transforms this one is composed of.
  let parts: Int

  /// What values are read and written as, if that is all that is done.
  @usableFromInline let form: PlainForm?

  /// What is wrong with the transform's own declaration, such as an empty date
  /// pattern. The mapping that uses the transform has these among its
  /// ``Mapping/issues``, after the name of the key.
  public let problems: [String]

  /// Makes a transform of its two functions.
  ///
  /// - Parameters:
  ///   - type: The kind of value that is written.
  ///   - problems: What is wrong with the declaration of the transform.
  ///   - samples: Different values by which a mapping checks its declaration, and
  ///     `MappingLaws` what is written. Without any, a value that `read` makes of a
  ///     common text or number is one.
  ///   - read: Reads the value at a key.
  ///   - write: Writes the value at a key.
  public init(
    _ type: FieldType,
    problems: [String] = [],
    samples: [Value] = [],
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void
  ) {
    self.init(
      type: type, isOptional: false, problems: problems, read: read, write: write,
      sample: { $0.element(of: samples) })
  }

  @usableFromInline
  init(
    type: FieldType,
    isOptional: Bool,
    problems: [String] = [],
    parts: Int = 1,
    form: PlainForm? = nil,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) {
    self.type = type
    self.isOptional = isOptional
    // Each part takes some of the stack, and the functions of too many parts are
    // not even retained: to release them takes it, too.
    guard parts <= TransformParts.limit else {
      self.parts = TransformParts.limit + 1
      self.form = nil
      self.problems = [TransformParts.problem]
      self.read = { _, _ in throw TransformParts.error }
      self.write = { _, _, _ in throw TransformParts.error }
      self.sample = { _ in nil }
      return
    }
    self.parts = parts
    self.form = form
    self.problems = problems
    self.read = read
    self.write = write
    self.sample = sample
  }

  /// The transform that maps this one's values to another type and back.
  ///
  /// Both functions can fail. What they throw is
  /// ``MappingError/underlying`` of a ``MappingError`` of code
  /// ``MappingError/Code/invalidValue`` with the model, the key and the path. A
  /// ``MappingError`` that they throw keeps its code and what it expects.
  ///
  /// - Parameters:
  ///   - expected: What values must be, for the message where `to` returns
  ///     nil.
  ///   - samples: Different values by which a mapping checks its declaration;
  ///     what `to` makes of this transform's samples unless given.
  ///   - to: Makes the other value. Returns nil or throws where a value has no
  ///     counterpart.
  ///   - from: Makes this transform's value again. Throws where a value cannot
  ///     be written.
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
      read: { decoder, index in
        guard let value = try to(read(decoder, index)) else {
          throw decoder.error(.invalidValue, at: index, expected: expected)
        }
        return value
      },
      write: { value, encoder, index in try write(from(value), encoder, index) },
      sample: { $0.element(of: samples) ?? sample($0).flatMap { try? to($0) } })
  }

  /// As ``map(expected:samples:to:from:)``, for values that cannot all be written.
  ///
  /// - Parameters:
  ///   - expected: What is expected of what is read.
  ///   - to: Makes the other value; nil where there is none.
  ///   - writable: What is expected of what is written.
  ///   - from: Makes this transform's value again; nil where there is none.
  func map<Other: Sendable>(
    expected: String,
    to: @escaping @Sendable (Value) -> Other?,
    writable: String,
    from: @escaping @Sendable (Other) -> Value?
  ) -> Transform<Other> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Other>(
      type: type,
      isOptional: isOptional,
      problems: problems,
      parts: parts + 1,
      read: { decoder, index in
        guard let value = to(try read(decoder, index)) else {
          throw decoder.error(.invalidValue, at: index, expected: expected)
        }
        return value
      },
      write: { other, encoder, index in
        guard let value = from(other) else {
          throw encoder.error(.invalidValue, at: index, expected: writable, found: "\(other)")
        }
        try write(value, encoder, index)
      },
      sample: { sample($0).flatMap(to) })
  }

  /// The transform with other samples: those of a value that is mapped are
  /// rarely values of its own.
  func sampled(
    _ sample: @escaping @Sendable (FieldSample) -> Value?
  ) -> Transform<Value> {
    Transform(
      type: type, isOptional: isOptional, problems: problems, parts: parts, read: read,
      write: write, sample: sample)
  }

  /// The transform of an optional value: null and absence are nil. Where this
  /// one's values are optional, they are the outer nil.
  public var optional: Transform<Value?> {
    let (read, write, sample) = (read, write, sample)
    return Transform<Value?>(
      type: type,
      isOptional: true,
      problems: problems,
      parts: parts + 1,
      form: isOptional ? nil : form,
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
