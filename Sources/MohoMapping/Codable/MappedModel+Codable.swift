// As members of `MappedModel`, these would be members of all models, and the compiler
// would suggest them for every mistake about `Episode.init`.

/// Models are `Codable` by their mapping with one line:
///
/// ```swift
/// extension Episode: Codable {}
///
/// let episodes = try JSONDecoder().decode([Episode].self, from: data)
/// let list = try PropertyListEncoder().encode(episodes)
/// ```
///
/// The compiler synthesizes nothing. Keys are at their paths, as in JSON. Dates have the
/// key's ``DateFormat`` and bytes are Base64, whatever the strategies of the coder. A key
/// strategy would apply to every name, including those of dictionaries: leave it at its
/// default.
extension Decodable where Self: MappedModel {
  /// Decodes a model by its mapping.
  ///
  /// - Throws: ``MappingError`` with all keys that failed, each with its path
  ///   from the root of what is decoded.
  public init(from decoder: any Decoder) throws {
    let mapping = Self.mapping
    let value = DecoderValue.whole(decoder)
    let path = FieldPath(codingPath: decoder.codingPath)
    let depth = try mapping.codingDepth(at: path)
    guard let members = value.members else {
      throw MappingError(
        value.isNull ? .unexpectedNull : .invalidType, model: mapping.name, path: path,
        found: value.summary, expected: "object")
    }
    self = try mapping.model(
      from: CodableFieldDecoder(members, keys: mapping.fieldKeys, path: path, depth: depth))
  }
}

extension Encodable where Self: MappedModel {
  /// Encodes the model by its mapping.
  ///
  /// Nil is omitted unless a key overrides this. Store-only keys and transient
  /// properties are omitted. Array elements without a key are null.
  ///
  /// - Throws: ``MappingError`` if the declaration is invalid or the format cannot
  ///   represent a value. The first error stops the encoding.
  public func encode(to encoder: any Encoder) throws {
    let mapping = Self.mapping
    let path = FieldPath(codingPath: encoder.codingPath)
    let depth = try mapping.codingDepth(at: path)
    let writer = CodableFieldEncoder(.object(mapping.fieldKeys), path: path, depth: depth)
    try mapping.encode(self, to: writer)
    let tree = try writer.finish()
    do {
      try tree.encode(to: encoder)
    } catch EncodingError.invalidValue(let value, let context) {
      throw mapping.error(about: value, at: FieldPath(codingPath: context.codingPath), from: path)
    }
  }
}

extension Mapping {
  /// The nesting level of a model that a coder decodes or encodes, from 1.
  ///
  /// - Throws: ``MappingError`` with code ``MappingError/Code/tooDeep``.
  fileprivate func codingDepth(at path: FieldPath) throws -> Int {
    let depth = CodingDepth.current + 1
    guard depth > NestingDepth.limit else { return depth }
    throw MappingError(
      .tooDeep, model: name, path: path, found: "object", expected: NestingDepth.expectation)
  }

  /// The error about a value that an encoder refused, with the key that contains it.
  fileprivate func error(
    about value: Any, at path: FieldPath, from root: FieldPath
  ) -> MappingError {
    let steps = path.components.dropFirst(root.components.count)
    let key = keys.first { $0.source.map { steps.starts(with: $0.valuePath.components) } ?? false }
    return MappingError(
      .invalidValue, model: name, key: key?.name, path: path, found: "\(value)",
      expected: "value that the format can represent")
  }
}
