/// A reference to another model by its unique key.
///
/// Use references where models refer to each other: if an episode contained its
/// podcast and the podcast contained its episodes, their values would be
/// infinite.
///
/// ```swift
/// struct Episode: MappedModel {
///   var id: Int
///   var podcast: ModelReference<Podcast>?
///
///   static let mapping = Mapping("Episode", Episode.init,
///     .key("id", \.id, .unique),
///     .toOne("podcast", \.podcast, inverse: "episodes"))
/// }
/// ```
///
/// Documents hold the bare key or an object with the unique key. The bare key
/// is written. A store holds the identity of the row.
///
/// If several keys identify the target, the reference holds all of their values
/// in the order of ``Mapping/identified(by:)``. The bare key is then an array:
///
/// ```swift
/// let item = try ModelReference<Item>(key: feed, "a-12")
/// // {"item": ["https://example.com/feed", "a-12"]}
/// ```
///
/// Two references are equal if their keys are equal.
public struct ModelReference<Target: MappedModel>: Sendable {
  /// The value of the unique key, as the target's mapping writes it. Unsigned
  /// integers become integers if they are in range.
  ///
  /// If several keys identify the target, this is an array. If one of them is a
  /// relation, its element is the key of the related model.
  public let key: FieldContent

  /// Creates a reference from the value of the unique key, or from the values of
  /// all keys that identify the target.
  ///
  /// - Parameters:
  ///   - value: The value of the first key. The value of a relation is a
  ///     reference or a model.
  ///   - others: The values of the other keys, in the order of
  ///     ``Mapping/identified(by:)``.
  /// - Throws: ``MappingError`` if the target has no unique key, or if the keys
  ///   cannot have the values.
  public init(key value: some FieldValue, _ others: any FieldValue...) throws {
    var contents = [try FieldRecorder.content(of: value)]
    for other in others { contents.append(try FieldRecorder.content(of: other)) }
    try self.init(content: contents.count == 1 ? contents[0] : .array(contents))
  }

  /// Creates a reference to a model.
  ///
  /// - Throws: ``MappingError`` if the model has no unique key, if the key
  ///   cannot be written, or if several keys identify the model and one of them
  ///   is nil.
  public init(to model: Target) throws {
    let identity = try Self.identity()
    let key = try Target.mapping.identity(of: model, by: identity)
    if identity.count > 1, key == .null {
      throw MappingError(
        .unexpectedNull, model: Target.mapping.name, found: "null in the identity",
        expected: Target.mapping.identityDescription)
    }
    self.key = key.normalized
  }

  /// Creates a reference from the written value of the unique key.
  ///
  /// - Throws: As ``init(key:_:)``.
  public init(content: FieldContent) throws {
    self = try Self.decode(from: ContentDecoder(stored: [content]), at: 0)
  }

  private init(normalizing content: FieldContent) { key = content.normalized }

  /// The indexes of the target's identifying keys.
  // Read with each use and not with the declaration: mappings that refer to each
  // other would wait for each other.
  private static func identity() throws -> [Int] {
    let mapping = Target.mapping
    try mapping.checkDeclaration()
    guard !mapping.identity.isEmpty else {
      throw MappingError(
        .invalidDeclaration, model: mapping.name, found: "no unique key",
        expected: "a unique key to refer by")
    }
    return mapping.identity
  }

  /// Reads the value of an identifying key, which is neither absent nor null.
  private static func part(
    _ index: Int, from decoder: any FieldDecoder, at position: Int
  ) throws -> FieldContent {
    let part = try value(of: index, from: decoder, at: position)
    guard part != .null else {
      throw decoder.error(
        .unexpectedNull, at: position, expected: "value of `\(Target.mapping.keys[index].name)`")
    }
    return part
  }

  private static func value(
    of index: Int, from decoder: any FieldDecoder, at position: Int
  ) throws -> FieldContent {
    let mapping = Target.mapping
    if let model = mapping.keys[index].relation?.models.model {
      return try model.referenceKey(from: decoder, at: position)
    }
    let (recorder, field) = (FieldRecorder(), mapping.fields[index])
    try field.writeValue(field.read(decoder, position), recorder, 0)
    return try mapping.storedContent(recorder.contents.first ?? .null, at: index)
  }

  /// Reads the values of several identifying keys.
  ///
  /// - Parameter position: Returns the index of a value in the decoder, from the
  ///   index among the identifying keys and the index in the mapping.
  private init(
    _ identity: [Int], from decoder: any FieldDecoder, at position: (Int, Int) -> Int
  ) throws {
    let parts = try identity.enumerated().map { number, index in
      try Self.part(index, from: decoder, at: position(number, index))
    }
    self.init(normalizing: .array(parts))
  }

  /// Reads the value of the only identifying key.
  private init(_ index: Int, from decoder: any FieldDecoder, at position: Int) throws {
    self.init(normalizing: try Self.part(index, from: decoder, at: position))
  }

  /// Writes the value of an identifying key.
  private static func write(
    _ part: FieldContent, _ index: Int, to encoder: any FieldEncoder, at position: Int
  ) throws {
    let mapping = Target.mapping
    if let model = mapping.keys[index].relation?.models.model {
      return try model.writeReference(part, to: encoder, at: position)
    }
    let field = mapping.fields[index]
    try field.writeValue(field.read(ContentDecoder(stored: [part]), 0), encoder, position)
  }

  private static func sample(of index: Int, _ sample: FieldSample) -> FieldContent? {
    let mapping = Target.mapping
    if let model = mapping.keys[index].relation?.models.model {
      return model.referenceSample(sample)
    }
    let samples = mapping.fields[index].samples
    let box = samples.declared(sample) ?? samples.found(sample).first
    return box.flatMap { mapping.content(of: $0, at: index) }
      .flatMap { try? mapping.storedContent($0, at: index) }
  }
}

extension MappedModel {
  fileprivate static func referenceKey(
    from decoder: any FieldDecoder, at position: Int
  ) throws -> FieldContent {
    try ModelReference<Self>.decode(from: decoder, at: position).key
  }

  fileprivate static func writeReference(
    _ key: FieldContent, to encoder: any FieldEncoder, at position: Int
  ) throws {
    try ModelReference<Self>(content: key).encode(to: encoder, at: position)
  }

  fileprivate static func referenceSample(_ sample: FieldSample) -> FieldContent? {
    ModelReference<Self>.sample(sample)?.key
  }
}

extension Mapping {
  /// The identifying keys, for messages.
  fileprivate var identityDescription: String {
    "values of \(identifyingKeys.map { "`\($0)`" }.joined(separator: ", "))"
  }
}

extension ModelReference: Hashable {}

extension ModelReference: CustomStringConvertible {
  /// The target's name and the key, such as `Podcast(7)`.
  public var description: String { "\(Target.mapping.name)(\(key))" }
}

extension ModelReference: FieldValue {
  /// A reference.
  public static var fieldType: FieldType { .reference }

  /// The bare key, or an object with the key.
  public static var fieldSchema: FieldSchema {
    FieldSchema(.reference { Target.mapping.objectSchema })
  }

  /// The target, as a reference.
  public static var relatedModels: RelatedModels? {
    RelatedModels(Target.self, isReference: true)
  }

  /// Reads the bare key, or the identifying keys of an object.
  ///
  /// - Throws: ``MappingError`` if there is neither. The default of an identifying key is not
  ///   the key of a reference that is absent.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> ModelReference
  {
    let identity = try identity()
    guard !decoder.isAbsent(at: index) else {
      throw decoder.error(.missingValue, at: index, expected: "reference")
    }
    let isBare = identity.count > 1 && hasOneDocumentedKey(identity, decoder)
    do {
      if identity.count == 1 {
        return try describing(identity) {
          try ModelReference(identity[0], from: decoder, at: index)
        }
      }
      if isBare { return try decodeBare(identity, from: decoder, at: index) }
      return try decodeArray(identity, from: decoder, at: index)
    } catch let error as MappingError where error.code == .invalidType {
      guard let object = try? decoder.object(at: index, keys: Target.mapping.fieldKeys) else {
        if isBare, let array = try? decodeArray(identity, from: decoder, at: index) {
          return array
        }
        throw error
      }
      if identity.count == 1 {
        return try ModelReference(identity[0], from: object, at: identity[0])
      }
      return try ModelReference(identity, from: object) { _, index in index }
    }
  }

  /// Whether documents contain one of the identifying keys, and the reader supplies the others.
  private static func hasOneDocumentedKey(
    _ identity: [Int], _ decoder: any FieldDecoder
  ) -> Bool {
    guard let supplied = decoder.suppliedValues, !supplied.isEmpty else { return false }
    let mapping = Target.mapping
    let documented = identity.filter { !mapping.keys[$0].traits.contains(.storeOnly) }
    return documented.count == 1
      && identity.allSatisfy {
        documented.contains($0) || mapping.fields[$0].supplied?(supplied) != nil
      }
  }

  /// Reads the identifying key that documents contain. The others are supplied.
  private static func decodeBare(
    _ identity: [Int], from decoder: any FieldDecoder, at index: Int
  ) throws -> ModelReference {
    let supplied = ContentDecoder(supplied: decoder.suppliedValues ?? SuppliedValues())
    let parts = try identity.map { key in
      Target.mapping.keys[key].traits.contains(.storeOnly)
        ? try part(key, from: supplied, at: 0)
        : try describing([key]) { try part(key, from: decoder, at: index) }
    }
    return ModelReference(normalizing: .array(parts))
  }

  /// Runs a closure that reads the keys of the target. Errors about values of another type name
  /// the keys.
  private static func describing<Result>(
    _ identity: [Int], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch var error as MappingError where error.code == .invalidType {
      let mapping = Target.mapping
      error.expected =
        identity.count == 1
        ? "\(error.expected ?? "value") for `\(mapping.name).\(mapping.keys[identity[0]].name)`"
        : "array of the \(mapping.identityDescription) of `\(mapping.name)`"
      throw error
    }
  }

  private static func decodeArray(
    _ identity: [Int], from decoder: any FieldDecoder, at index: Int
  ) throws -> ModelReference {
    let parts = try describing(identity) { try decoder.array(at: index) }
    guard parts.count == identity.count else {
      throw decoder.error(
        .invalidValue, at: index, expected: Target.mapping.identityDescription,
        found: "\(parts.count) values")
    }
    return try ModelReference(identity, from: parts.decoder) { number, _ in number }
  }

  /// A reference with samples of the target's identifying keys, if any.
  public static func sample(_ sample: FieldSample) -> ModelReference? {
    guard let sample = sample.nested(in: Self.self) else { return nil }
    let identity = Target.mapping.identity
    let parts = identity.compactMap { self.sample(of: $0, sample) }
    guard !parts.isEmpty, parts.count == identity.count else { return nil }
    return ModelReference(normalizing: FieldContent(identity: parts))
  }

  /// Writes the bare key in the form of the target's mapping.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    let identity = try Self.identity()
    if identity.count == 1 { return try Self.write(key, identity[0], to: encoder, at: index) }
    guard case .array(let parts) = key else { return try encoder.encodeNull(at: index) }
    try encoder.encodeArray(at: index, count: parts.count) { elements in
      for (position, part) in parts.enumerated() {
        try Self.write(part, identity[position], to: elements, at: position)
      }
    }
  }
}

extension FieldContent {
  /// The content with integers in one form, so that equal integers are equal
  /// contents.
  fileprivate var normalized: FieldContent {
    switch self {
    case .uint64(let value): Int64(exactly: value).map { .int64($0) } ?? self
    case .array(let elements): .array(elements.map(\.normalized))
    default: self
    }
  }
}
