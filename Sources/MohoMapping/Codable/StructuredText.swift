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
  ///   - path: The path of the object, for errors.
  ///   - validating: Whether models inside must be valid.
  ///   - body: Writes the fields.
  /// - Throws: ``MappingError`` where JSON does not hold a value; what the
  ///   closure throws.
  package static func object(
    _ keys: MappingKeys, at path: @autoclosure () -> FieldPath, validating: Bool = false,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.object(keys), path(), validating, body)
  }

  /// The text of an array, whose elements the closure writes.
  ///
  /// - Throws: As ``object(_:at:validating:_:)``.
  package static func array(
    at path: @autoclosure () -> FieldPath, validating: Bool = false,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.array(inside: FieldPath([])), path(), validating, body)
  }

  /// The text of an object with members of any names, which the closure writes.
  ///
  /// - Throws: As ``object(_:at:validating:_:)``.
  package static func dictionary(
    _ names: [String], at path: @autoclosure () -> FieldPath, validating: Bool = false,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    try text(.dictionary(names), path(), validating, body)
  }

  /// The text of the value that the closure writes at position 0.
  ///
  /// - Throws: As ``object(_:at:validating:_:)``.
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
    _ shape: CodedWriter.Shape, _ path: @autoclosure () -> FieldPath, _ isValidating: Bool,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> String {
    let writer = CodedWriter(
      shape, path: FieldPath([]), isStored: true, validatesModels: isValidating)
    let tree: CodedTree
    do {
      try body(writer)
      tree = try writer.finish()
    } catch let error as MappingError {
      throw error.inside(path())
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(tree), as: UTF8.self)
    } catch EncodingError.invalidValue(let value, let context) {
      throw MappingError(
        .invalidValue, path: path().appending(FieldPath(codingPath: context.codingPath)),
        found: "\(value)",
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
    if isStored && traits.contains(.documentOnly) { return nil }
    if source != nil || !isStored || receivesUnknownMembers { return source }
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
