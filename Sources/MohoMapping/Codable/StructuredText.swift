import Foundation

/// Values with structure as JSON text, for formats whose fields are flat.
///
/// It is the form that ``MappedModel``'s `Codable` conformance gives them, with
/// what only a store holds besides: such a key has no path, and lies under its
/// name behind `_moho_`. Members are sorted, so that equal values have one text.
package enum StructuredText {
  /// The text of an object with the keys of a mapping, whose fields the closure
  /// writes.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - validating: Whether models inside must be valid.
  ///   - body: Writes the fields.
  /// - Throws: ``MappingError`` where JSON does not hold a value; what the
  ///   closure throws.
  package static func object(
    _ keys: MappingKeys, validating: Bool = false, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.object(keys), validating, body)
  }

  /// The text of an array, whose elements the closure writes.
  ///
  /// - Throws: As ``object(_:validating:_:)``.
  package static func array(
    validating: Bool = false, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.array(inside: FieldPath([])), validating, body)
  }

  /// The text of an object with members of any names, which the closure writes.
  ///
  /// - Throws: As ``object(_:validating:_:)``.
  package static func dictionary(
    _ names: [String], validating: Bool = false, _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.dictionary(names), validating, body)
  }

  /// The text of the value that the closure writes at position 0.
  ///
  /// - Throws: As ``object(_:validating:_:)``.
  package static func text(_ body: (any FieldEncoder) throws -> Void) throws -> String {
    // Elements are written as values of their own.
    String(try array(body).dropFirst().dropLast())
  }

  /// Reads the value that a text spells at its only position, 0; nil where the
  /// text is no JSON.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The way to the value, for errors.
  package static func decoder(of text: String, at path: FieldPath) -> (any FieldDecoder)? {
    guard let whole = try? JSONDecoder().decode(WholeValue.self, from: Data(text.utf8)) else {
      return nil
    }
    let value = CodedValue.whole(whole.decoder)
    return CodedReader(stored: value.isNull ? nil : value, path: path)
  }

  private static func text(
    _ shape: CodedWriter.Shape, _ isValidating: Bool,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    let writer = CodedWriter(
      shape, path: FieldPath([]), isStored: true, validatesModels: isValidating)
    try body(writer)
    let tree = try writer.finish()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(tree), as: UTF8.self)
    } catch EncodingError.invalidValue(let value, let context) {
      throw MappingError(
        .invalidValue, path: FieldPath(codingPath: context.codingPath), found: "\(value)",
        expected: "value that JSON holds")
    }
  }
}

/// Hands out the decoder that it is made by.
// Foundation copies the text for decoders that outlive the call.
private struct WholeValue: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

extension MappingKey {
  /// Where the key lies in a text, or nil where it does not.
  func path(isStored: Bool) -> FieldPath? {
    if source != nil || !isStored || takesUnknown { return source }
    return FieldPath([.key(storeOnlyPrefix + name)])
  }
}

extension FieldPath {
  /// Whether a key is there that only a store holds.
  var isStoreOnly: Bool {
    if case .key(let name)? = components.first { name.hasPrefix(storeOnlyPrefix) } else { false }
  }
}

private let storeOnlyPrefix = "_moho_"
