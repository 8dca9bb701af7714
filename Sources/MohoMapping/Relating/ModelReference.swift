/// The unique key of a model that is kept elsewhere: the way to another model
/// without the model.
///
/// References are the way back where models hold each other: an episode that
/// holds its podcast as a value, and a podcast that holds its episodes, would
/// have no end.
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
/// Documents hold the bare key, or an object of the model of which the unique
/// key is read; the bare key is what is written. A store holds the identity of
/// the row.
///
/// Two references are equal where their keys are.
public struct ModelReference<Target: MappedModel>: Sendable {
  /// The value of the unique key, as the target's mapping writes it. Integers
  /// without a sign are integers where those hold them.
  public let key: FieldContent

  /// Makes the reference to the model whose unique key has a value.
  ///
  /// - Throws: ``MappingError`` where the target has no unique key, or the value
  ///   is none of it.
  public init(key value: some FieldValue) throws {
    try self.init(content: FieldRecorder.content(of: value))
  }

  /// Makes the reference to a model.
  ///
  /// - Throws: ``MappingError`` where its mapping has no unique key, or the key
  ///   cannot be written.
  public init(to model: Target) throws {
    let recorder = FieldRecorder()
    try Target.mapping.encode(model, only: Self.uniqueKey().name, to: recorder)
    key = (recorder.contents.first ?? .null).normalized
  }

  /// Makes the reference to the model whose unique key is written as a content.
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

  /// The position and the name of the target's unique key.
  // Looked for with each use, not with the declaration: mappings that refer to
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
  /// A model kept elsewhere.
  public static var fieldType: FieldType { .reference }

  /// The target, by its key alone.
  public static var relatedModels: RelatedModels? {
    RelatedModels(Target.self, isReference: true)
  }

  /// Reads the bare key, or the unique key of an object.
  ///
  /// - Throws: ``MappingError`` where there is neither.
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

  /// A reference to a sample of the target's unique key; nil where there is none.
  public static func sample(_ sample: FieldSample) -> ModelReference? {
    guard let sample = sample.nested(in: Self.self) else { return nil }
    let mapping = Target.mapping
    guard let index = mapping.keys.firstIndex(where: { $0.traits.contains(.unique) }) else {
      return nil
    }
    let (samples, recorder) = (mapping.fields[index].samples, FieldRecorder())
    guard let held = samples.declared(sample) ?? samples.found(sample).first,
      (try? mapping.fields[index].writeValue(held, recorder, 0)) != nil
    else { return nil }
    return recorder.contents.first.map { ModelReference(normalizing: $0) }
  }

  /// Writes the bare key, in the form that the target's mapping gives it.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    let field = Target.mapping.fields[try Self.uniqueKey().index]
    try field.writeValue(field.read(ContentDecoder([key]), 0), encoder, index)
  }
}

extension FieldContent {
  /// The content with integers in one form, so that equal ones are equal.
  fileprivate var normalized: FieldContent {
    guard case .uint64(let value) = self, let integer = Int64(exactly: value) else { return self }
    return .int64(integer)
  }
}
