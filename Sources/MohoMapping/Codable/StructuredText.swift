import Foundation

/// Structured values as JSON text, for formats with flat fields.
///
/// The text has the form of ``MappedModel``'s `Codable` conformance, with store-only keys
/// in addition. They have no path, and are members whose names begin with `_moho_`.
/// Members are sorted, and zero has no sign, so that equal values have equal text. JSON that
/// would be changed by this is preserved (``PreservedJSON``), and so is the order of
/// unknown members (``UnknownOrder``).
package enum StructuredText {
  /// The text of an object whose fields a closure encodes.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - path: The path of the object, for errors.
  ///   - validating: Whether nested models must be valid.
  ///   - depth: The number of levels that contain the object.
  ///   - body: Encodes the fields.
  /// - Throws: ``MappingError`` if JSON cannot represent a value; what the closure
  ///   throws.
  package static func object(
    _ keys: FieldKeys, at path: @autoclosure () -> FieldPath, validating: Bool = false,
    depth: Int = 1, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.object(keys), path(), validating, depth + 1, body)
  }

  /// The text of an array whose elements a closure encodes.
  ///
  /// - Throws: As ``object(_:at:validating:depth:_:)``.
  package static func array(
    at path: @autoclosure () -> FieldPath, validating: Bool = false, depth: Int = 1,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.array(inside: FieldPath([])), path(), validating, depth, body)
  }

  /// The text of a dictionary whose members a closure encodes.
  ///
  /// - Throws: As ``object(_:at:validating:depth:_:)``.
  package static func dictionary(
    _ names: [String], at path: @autoclosure () -> FieldPath, validating: Bool = false,
    depth: Int = 1, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.dictionary(names), path(), validating, depth, body)
  }

  /// The text of the value that a closure encodes at index 0.
  ///
  /// - Throws: As ``object(_:at:validating:depth:_:)``.
  package static func text(
    at path: @autoclosure () -> FieldPath, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    do {
      // The value is the only element of an array.
      return String(try array(at: FieldPath([]), body).dropFirst().dropLast())
    } catch let error as MappingError {
      throw error.inside(path(), dropping: 1)
    }
  }

  /// The text of a value with its own `Codable` conformance.
  ///
  /// - Parameter depth: The number of levels that contain the value.
  /// - Throws: ``MappingError`` with the error of the conformance.
  static func text<Value: Encodable>(of value: Value, depth: Int) throws -> String {
    if let value = value as? any AnyJSON {
      return String(decoding: try value.storedJSON(), as: UTF8.self)
    }
    let json = try CodingDepth.within(depth) { try FieldRecorder.json(of: value, with: encoder) }
    return NegativeZeros.removed(from: json)
  }

  // Coders can be shared: only their properties are not safe to change.
  private static let encoder: JSONEncoder = {
    let encoder = FieldRecorder.jsonEncoder()
    encoder.userInfo = PreservedJSON.userInfo
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.userInfo = PreservedJSON.userInfo
    return decoder
  }()

  /// A decoder of a text's value at index 0; nil if the text is not JSON.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The path of the value, for errors.
  ///   - division: The paths of other keys, from ``FieldKeys/division(at:)``.
  ///   - depth: The number of levels that contain the value.
  package static func decoder(
    of text: String, at path: FieldPath, dividedBy division: ClaimedPaths? = nil, depth: Int = 1
  ) -> (any FieldDecoder)? {
    guard let value = value(of: text) else { return nil }
    return CodableFieldDecoder(
      stored: value.isNull ? nil : value, path: path, dividedBy: division, depth: depth)
  }

  /// A decoder of the keys in a document. Nil if the text is not a JSON object.
  package static func document(_ text: String, keys: FieldKeys) -> (any FieldDecoder)? {
    guard let members = value(of: text)?.members else { return nil }
    return CodableFieldDecoder(members, keys: keys, path: FieldPath([]))
  }

  /// The value of a text. Nil if the text is not JSON.
  private static func value(of text: String) -> DecoderValue? {
    let whole = try? decode(WholeValue.self, from: Data(text.utf8))
    return whole.map { .whole($0.decoder) }
  }

  /// Decodes a value from a text.
  ///
  /// - Throws: ``JSONError`` if the text is not JSON; the errors of the value's conformance.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    // `JSONDecoder` finds errors only in values that it decodes, and crashes at some.
    // SAFETY: The bytes are used only inside the call.
    try json.withUnsafeBytes { try NodeTree().scanDocument($0) }
    return try decoder.decode(type, from: json)
  }

  private static func text(
    _ shape: CodableFieldEncoder.Shape, _ path: @autoclosure () -> FieldPath, _ isValidating: Bool,
    _ depth: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    let writer = CodableFieldEncoder(
      shape, path: FieldPath([]), depth: depth, isStored: true, validatesModels: isValidating)
    let tree: EncodableTree
    do {
      try body(writer)
      tree = try writer.finish()
    } catch let error as MappingError {
      throw error.inside(path())
    }
    do throws(EncodableTree.WritingStop) {
      if let text = try tree.text() { return text }
    } catch {
      throw MappingError(
        .invalidValue, path: path().appending(FieldPath(error.path)), found: error.value,
        expected: "value that JSON can represent")
    }
    do {
      return NegativeZeros.removed(from: try encoder.encode(tree))
    } catch EncodingError.invalidValue(let value, let context) {
      throw MappingError(
        .invalidValue, path: path().appending(FieldPath(codingPath: context.codingPath)),
        found: "\(value)",
        expected: "value that JSON can represent")
    }
  }
}

extension FieldKey {
  /// The path of the key in a text, or nil if the text does not contain it.
  func path(isStored: Bool) -> FieldPath? {
    if isStored && traits.contains(.documentOnly) { return nil }
    if source != nil || !isStored || receivesUnknownMembers { return source }
    return FieldPath([.key(PreservedJSON.reservedPrefix + name)])
  }
}
