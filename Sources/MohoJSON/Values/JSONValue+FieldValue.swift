public import MohoMapping

/// Any JSON as the value of a key: kept as it is, with its members in their
/// order, and written back so.
///
/// A key of type `JSONValue` keeps null as ``null``; of type `JSONValue?`, null
/// is nil. Formats without structure, such as the rows of a store, hold it as
/// JSON text.
extension JSONValue: FieldValue {
  /// Text, in formats without structure.
  public static var fieldType: FieldType { .string }

  /// Reads any value.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> JSONValue {
    try decoder.codable(JSONValue.self, at: index)
  }

  /// Writes the value.
  ///
  /// - Throws: `MappingError` where a number is not finite.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(codable: self, at: index)
  }

  /// A short text.
  public static func sample(_ sample: FieldSample) -> JSONValue? {
    .string("sample \(sample.number)")
  }
}

extension KeyMapping where Value == JSONValue {
  /// A property that keeps what no key of the object is mapped to, as an object
  /// whose members are in the order of the document.
  ///
  /// As for a property that is a dictionary, the members' names are paths in the
  /// string form of `FieldPath`. Those of one object are written in their order,
  /// so that what is read of it again may come in another order where some lie
  /// in objects of keys. A value that is no object cannot be written.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  public static func unknown(
    _ name: String, _ keyPath: any KeyPath<Model, JSONValue> & Sendable
  ) -> Self {
    unknown(
      name, keyPath, none: [:], type: JSONValue.fieldType,
      read: { try JSONValue(membersFrom: $0, at: $1) },
      write: { try $0.encodeMembers(to: $1, at: $2) },
      sample: { sample in ["sample": .integer(Int64(sample.number))] })
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
