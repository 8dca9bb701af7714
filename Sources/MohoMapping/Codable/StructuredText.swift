import Foundation
import Synchronization

/// Structured values as JSON text, for formats with flat fields.
///
/// The text has the form of ``MappedModel``'s `Codable` conformance, with store-only keys
/// in addition. They have no path, and are members whose names begin with `_moho_`.
/// Members are sorted, and zero has no sign, so that equal values have equal text. JSON that
/// would be changed by this is preserved (``PreservedJSON``), and so is the order of
/// unknown members (``UnknownOrder``).
package enum StructuredText {
  /// The text of the value that a closure encodes at index 0.
  ///
  /// - Parameters:
  ///   - path: The path of the value, for errors.
  ///   - validating: Whether nested models must be valid.
  ///   - depth: The number of levels that contain the value.
  /// - Throws: ``MappingError`` if JSON cannot represent a value; what the closure
  ///   throws.
  package static func text(
    at path: @autoclosure () -> FieldPath, validating: Bool = false, depth: Int = 1,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    // A text inside a value with its own conformance takes another writer.
    let writer =
      idleWriters.take()
      // The depth of its only part, which is the text, is 0.
      ?? ObjectWriter(partsWith: .stored, depth: -1)
    writer.beginText(depth: depth, validatesModels: validating)
    do {
      try body(writer)
      try writer.checkText()
    } catch let error as MappingError {
      throw error.insideFirstElement(of: path())
    }
    let text = writer.layout.pointee.text.string
    if text.utf8.count <= ObjectWriter.greatestIdleLength { idleWriters.add(writer) }
    return text
  }

  private static let idleWriters = IdleObjects<ObjectWriter>()

  /// The text of a value with its own `Codable` conformance.
  ///
  /// - Parameters:
  ///   - level: The number of objects and arrays that contain the value.
  ///   - depth: The number of levels that contain the value.
  /// - Throws: ``MappingError`` with the error of the conformance.
  static func text<Value: Encodable>(
    of value: Value, inside level: Int = 0, depth: Int
  ) throws -> String {
    if level == 0, let value = value as? any AnyJSON {
      return try value.storedText()
    }
    do {
      let json = try CodingDepth.within(depth, containers: level) {
        // The error about a whole column names the type.
        try level == 0 ? FieldRecorder.json(of: value, with: encoder) : encoder.encode(value)
      }
      return NegativeZeros.removed(from: json)
    } catch EncodingError.invalidValue(let value, let context) {
      throw MappingError(
        .invalidValue, path: FieldPath(codingPath: context.codingPath), found: "\(value)",
        expected: "value that JSON can represent")
    }
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
}

extension FieldKey {
  /// The path of the key in a text, or nil if the text does not contain it.
  func path(isStored: Bool) -> FieldPath? {
    if isStored && traits.contains(.documentOnly) { return nil }
    if !isStored || !hasStoredName { return source }
    return FieldPath([.key(StoredMemberName.storeOnly(name))])
  }

  /// The paths in a text that are read in order if ``path(isStored:)`` has no value.
  func alternatives(isStored: Bool) -> [FieldPath] {
    guard isStored else { return alternatives }
    // A store does not contain a key that only documents have.
    if traits.contains(.documentOnly) { return [] }
    let former = hasStoredName ? StoredMemberName.formerStoreOnly(name) : nil
    return alternatives + (former.map { [FieldPath([.key($0)])] } ?? [])
  }

  /// Whether only a text contains the key.
  var hasStoredName: Bool { source == nil && !receivesUnknownMembers }

  /// Whether the key has another path in a text than in documents.
  var hasOtherStoredPath: Bool {
    !isTransient && (hasStoredName || traits.contains(.documentOnly))
  }
}

extension FieldKeys {
  /// The keys as they are written to a text.
  // The identity is the same for all calls.
  var inStructuredText: FieldKeys {
    guard haveOtherStoredPaths else { return self }
    return knownInStructuredText.withLock { known in
      if let known { return known }
      let stored = FieldKeys(
        keys.map(\.inStructuredText), of: model, inlined: inlined, isCluster: isCluster)
      known = stored
      return stored
    }
  }
}
