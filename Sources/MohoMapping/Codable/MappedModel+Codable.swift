/// Models are `Codable` by their mapping, with one line each:
///
/// ```swift
/// extension Episode: Codable {}
///
/// let episodes = try JSONDecoder().decode([Episode].self, from: data)
/// let list = try PropertyListEncoder().encode(episodes)
/// ```
///
/// The compiler then synthesizes nothing. Keys lie at their paths, as in JSON;
/// dates are in the key's ``DateFormat`` and bytes in Base64, whatever the
/// strategies of the coder. A strategy for keys applies to every name, those
/// of dictionaries too: leave it at its default.
extension MappedModel where Self: Decodable {
  /// Reads a model by its mapping.
  ///
  /// - Throws: ``MappingError`` with all keys that failed, each with its path
  ///   from the root of what is decoded.
  public init(from decoder: any Decoder) throws {
    let mapping = Self.mapping
    let value = CodedValue.whole(decoder)
    let path = FieldPath(codingPath: decoder.codingPath)
    guard let members = value.members else {
      throw MappingError(
        value.isNull ? .unexpectedNull : .invalidType, model: mapping.name, path: path,
        found: value.summary, expected: "object")
    }
    self = try mapping.model(
      from: CodedReader(members, keys: mapping.mappingKeys, path: path))
  }
}

extension MappedModel where Self: Encodable {
  /// Writes the model by its mapping.
  ///
  /// Nil is written by ``NullPolicy/omit``, unless a key says otherwise. Keys that
  /// only a store holds and transient properties are not written. Array
  /// elements that no key is mapped to are null.
  ///
  /// - Throws: ``MappingError`` where the declaration is not sound, or the
  ///   format cannot hold a value; the first one ends the writing.
  public func encode(to encoder: any Encoder) throws {
    let mapping = Self.mapping
    let path = FieldPath(codingPath: encoder.codingPath)
    let writer = CodedWriter(.object(mapping.mappingKeys), path: path)
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
  /// The error about a value that an encoder refused, with the key that it is
  /// a part of.
  fileprivate func error(
    about value: Any, at path: FieldPath, from root: FieldPath
  ) -> MappingError {
    let steps = path.components.dropFirst(root.components.count)
    let key = keys.first { $0.source.map { steps.starts(with: $0.valuePath.components) } ?? false }
    return MappingError(
      .invalidValue, model: name, key: key?.name, path: path, found: "\(value)",
      expected: "value that the format holds")
  }
}
