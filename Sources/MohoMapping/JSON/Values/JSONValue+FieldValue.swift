/// A key of any JSON. The value keeps the order of its members.
///
/// A key of type `JSONValue` decodes null as ``null``; a key of type `JSONValue?` decodes
/// it as nil. Formats without structure, such as the rows of a store, contain JSON text.
extension JSONValue: FieldValue {
  /// Text, in formats without structure.
  public static var fieldType: FieldType { .string }

  /// Any value.
  public static var fieldSchema: FieldSchema { .any }

  /// Decodes any value.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> JSONValue {
    try decoder.codable(JSONValue.self, at: index)
  }

  /// Encodes the value.
  ///
  /// - Throws: `MappingError` as ``data(formatting:)``.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(codable: self, at: index)
  }

  /// A short string.
  public static func sample(_ sample: FieldSample) -> JSONValue? {
    .string("sample \(sample.number)")
  }
}

extension KeyMapping where Value == JSONValue {
  /// A property that stores the unknown members of the object, in the order of the
  /// document.
  ///
  /// As for a property that is a dictionary, the names of the members are paths in the
  /// string form of `FieldPath`. The members of each object are encoded in their order.
  /// If some of them are in objects of keys, the order of a decoded copy can differ. Only
  /// an object can be encoded.
  ///
  /// - Parameters:
  ///   - name: The key's name, which is its column in a store.
  ///   - keyPath: The property.
  public static func unknown(
    _ name: String, _ keyPath: any KeyPath<Model, JSONValue> & Sendable
  ) -> Self {
    unknown(
      name, keyPath, none: [:], type: JSONValue.fieldType, schema: .dictionary(of: .any),
      read: { try JSONValue(membersFrom: $0, at: $1) },
      write: { try $0.encodeMembers(to: $1, at: $2) },
      sample: { sample in ["sample": .integer(Int64(sample.number))] },
      receiver: MemberReceiver(
        of: JSONValue.self,
        members: { value in
          guard case .object(let members) = value else { return [] }
          return members.map { ($0.key, $0.value) }
        },
        make: { .object($0.map { JSONValue.Member($0.name, $0.value) }) },
        stored: { try FieldRecorder.content(of: $0) }))
  }
}

extension JSONValue {
  fileprivate init(membersFrom decoder: any FieldDecoder, at index: Int) throws {
    let members: FieldMembers
    do {
      members = try decoder.dictionary(at: index)
    } catch let error as MappingError where error.code == .unsupported {
      self = try .decode(from: decoder, at: index)
      return
    }
    self = .object(
      try members.names.enumerated().map { position, name in
        Member(name, try .decode(from: members.decoder, at: position))
      })
  }

  fileprivate func encodeMembers(to encoder: any FieldEncoder, at index: Int) throws {
    guard case .object(let members) = self else {
      throw encoder.error(
        .invalidValue, at: index, expected: Kind.object.description, found: kind.description)
    }
    do {
      try encoder.encodeDictionary(at: index, names: members.map(\.key)) { encoder in
        for (position, member) in members.enumerated() {
          try member.value.encode(to: encoder, at: position)
        }
      }
    } catch let error as MappingError where error.code == .unsupported {
      try encode(to: encoder, at: index)
    }
  }
}
