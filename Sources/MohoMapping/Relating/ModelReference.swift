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
/// Two references are equal if their keys are equal.
public struct ModelReference<Target: MappedModel>: Sendable {
  /// The value of the unique key, as the target's mapping writes it. Unsigned
  /// integers become integers if they are in range.
  public let key: FieldContent

  /// Creates a reference from the value of the unique key.
  ///
  /// - Throws: ``MappingError`` if the target has no unique key, or if the key
  ///   cannot have the value.
  public init(key value: some FieldValue) throws {
    try self.init(content: FieldRecorder.content(of: value))
  }

  /// Creates a reference to a model.
  ///
  /// - Throws: ``MappingError`` if the model has no unique key, or if the key
  ///   cannot be written.
  public init(to model: Target) throws {
    let recorder = FieldRecorder()
    try Target.mapping.encode(model, only: Self.uniqueKey().name, to: recorder)
    key = (recorder.contents.first ?? .null).normalized
  }

  /// Creates a reference from the written value of the unique key.
  ///
  /// - Throws: As ``init(key:)``.
  public init(content: FieldContent) throws {
    self = try Self.decode(from: ContentDecoder([content]), at: 0)
  }

  private init(normalizing content: FieldContent) { key = content.normalized }

  private init(reading index: Int, from decoder: any FieldDecoder, at position: Int) throws {
    let recorder = FieldRecorder()
    let field = Target.mapping.fields[index]
    try field.writeValue(field.read(decoder, position), recorder, 0)
    key = (recorder.contents.first ?? .null).normalized
  }

  /// The index and the name of the target's unique key.
  // Found with each use and not with the declaration: mappings that refer to
  // each other would wait for each other.
  private static func uniqueKey() throws -> (index: Int, name: String) {
    let mapping = Target.mapping
    try mapping.checkDeclaration()
    guard let index = mapping.keys.firstIndex(where: { $0.traits.contains(.unique) }) else {
      throw MappingError(
        .invalidDeclaration, model: mapping.name, found: "no unique key",
        expected: "a unique key to refer by")
    }
    return (index, mapping.keys[index].name)
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

  /// The target, as a reference.
  public static var relatedModels: RelatedModels? {
    RelatedModels(Target.self, isReference: true)
  }

  /// Reads the bare key, or the unique key of an object.
  ///
  /// - Throws: ``MappingError`` if there is neither.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> ModelReference
  {
    let unique = try uniqueKey().index
    do {
      return try ModelReference(reading: unique, from: decoder, at: index)
    } catch let error as MappingError where error.code == .invalidType {
      guard let object = try? decoder.object(at: index, keys: Target.mapping.mappingKeys) else {
        throw error
      }
      return try ModelReference(reading: unique, from: object, at: unique)
    }
  }

  /// A reference with a sample of the target's unique key, if any.
  public static func sample(_ sample: FieldSample) -> ModelReference? {
    guard let sample = sample.nested(in: Self.self) else { return nil }
    let mapping = Target.mapping
    guard let index = mapping.keys.firstIndex(where: { $0.traits.contains(.unique) }) else {
      return nil
    }
    let samples = mapping.fields[index].samples
    let box = samples.declared(sample) ?? samples.found(sample).first
    return box.flatMap { mapping.content(of: $0, at: index) }
      .map { ModelReference(normalizing: $0) }
  }

  /// Writes the bare key in the form of the target's mapping.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    let field = Target.mapping.fields[try Self.uniqueKey().index]
    try field.writeValue(field.read(ContentDecoder([key]), 0), encoder, index)
  }
}

extension FieldContent {
  /// The content with integers in one form, so that equal integers are equal
  /// contents.
  fileprivate var normalized: FieldContent {
    guard case .uint64(let value) = self, let integer = Int64(exactly: value) else { return self }
    return .int64(integer)
  }
}
