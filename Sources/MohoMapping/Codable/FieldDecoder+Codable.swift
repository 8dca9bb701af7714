package import Foundation

/// A type that represents any JSON, including null, and converts itself from and to text.
package protocol AnyJSON: Codable {
  /// Null as a value.
  static var null: Self { get }

  /// Decodes JSON text.
  init(json: Data) throws

  /// Encodes JSON text. Equal values have equal text.
  func storedText() throws -> String
}

extension FieldDecoder {
  /// Decodes the value from JSON text.
  public func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    try codable(type, at: index, json: Data(string(at: index).utf8), isStored: true)
  }

  /// Decodes a value from JSON text.
  ///
  /// - Parameters:
  ///   - isStored: Whether the text is that of a store, which can contain preserved JSON.
  ///   - depth: The number of levels that contain the value.
  /// - Throws: ``MappingError`` with the error of the `Codable` conformance.
  package func codable<Value: Decodable>(
    _ type: Value.Type, at index: Int, json: Data, isStored: Bool = false, depth: Int = 1
  ) throws -> Value {
    do {
      if let type = type as? any AnyJSON.Type, let value = try type.init(json: json) as? Value {
        return value
      }
      return try CodingDepth.within(depth) {
        try isStored
          ? StructuredText.decode(type, from: json) : JSONDecoder().decode(type, from: json)
      }
    } catch let error as MappingError where error.code == .tooDeep {
      throw error.inside(field(at: index).path)
    } catch {
      throw refusal(of: type, at: index, error)
    }
  }

  /// The error about a `Codable` value at a path that collects, which it cannot decode
  /// element by element.
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
  /// Encodes the value as JSON text.
  public func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    try encode(codable: value, at: index, depth: 1)
  }

  /// Encodes the value as JSON text.
  ///
  /// - Parameter depth: The number of levels that contain the value.
  package func encode<Value: Encodable>(
    codable value: Value, at index: Int, depth: Int
  ) throws {
    try encode(StructuredText.text(of: value, depth: depth), at: index)
  }

  /// The error about a `Codable` value at a path that collects, which it cannot encode
  /// element by element.
  package func unsupportedCollecting(at index: Int) -> MappingError {
    error(.unsupported, at: index, expected: "array", found: "`Codable` value")
  }

  /// An encoder of JSON text with sorted members.
  package static func jsonEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The JSON text of a value, with sorted members.
  ///
  /// - Throws: ``MappingError`` with the error of the `Codable` conformance.
  package static func json<Value: Encodable>(
    of value: Value, with encoder: JSONEncoder? = nil
  ) throws -> Data {
    let encoder = encoder ?? jsonEncoder()
    do {
      return try encoder.encode(value)
    } catch let error as MappingError where error.code == .tooDeep {
      throw error
    } catch {
      throw MappingError(
        .invalidValue, found: "\(Value.self)", expected: "value that JSON can represent",
        underlying: error)
    }
  }
}
