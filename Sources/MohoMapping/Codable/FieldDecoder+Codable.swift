package import Foundation

/// A type that holds any JSON, null too, and that has a text of its own.
package protocol AnyJSON: Codable {
  /// Null as a value.
  static var null: Self { get }

  /// The value that a text spells.
  init(json: Data) throws

  /// The text, in UTF-8.
  func json() throws -> Data
}

extension FieldDecoder {
  /// Reads the value from JSON text.
  public func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    try codable(type, at: index, json: Data(string(at: index).utf8))
  }

  /// The value that JSON text at a key spells.
  ///
  /// - Throws: ``MappingError`` with what its `Codable` conformance throws.
  package func codable<Value: Decodable>(
    _ type: Value.Type, at index: Int, json: Data
  ) throws -> Value {
    do {
      if let type = type as? any AnyJSON.Type, let value = try type.init(json: json) as? Value {
        return value
      }
      return try JSONDecoder().decode(type, from: json)
    } catch {
      throw refusal(of: type, at: index, error)
    }
  }

  /// The error of a value that is read by its own `Codable` conformance where a
  /// path collects: it is not asked for by elements.
  package func unsupportedCollecting(at index: Int) -> MappingError {
    error(.unsupported, at: index, expected: "array", found: "`Codable` value")
  }

  func refusal<Value>(
    of type: Value.Type, at index: Int, _ underlying: any Error
  ) -> MappingError {
    error(.invalidValue, at: index, expected: "\(type)", underlying: underlying)
  }
}

extension FieldEncoder {
  /// Writes the value as JSON text.
  public func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    try encode(String(decoding: Self.json(of: value), as: UTF8.self), at: index)
  }

  /// The error of a value that is written by its own `Codable` conformance where
  /// a path collects: it is not written by elements.
  package func unsupportedCollecting(at index: Int) -> MappingError {
    error(.unsupported, at: index, expected: "array", found: "`Codable` value")
  }

  /// The JSON text of a value, the same for equal values.
  ///
  /// - Throws: ``MappingError`` with what its `Codable` conformance throws.
  package static func json<Value: Encodable>(of value: Value) throws -> Data {
    if let value = value as? any AnyJSON { return try value.json() }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value)
    } catch {
      throw MappingError(
        .invalidValue, found: "\(Value.self)", expected: "value that JSON holds",
        underlying: error)
    }
  }
}
