public import Foundation

extension JSONValue: CustomStringConvertible {
  /// The value's JSON text on one line, with `inf`, `-inf` and `nan` for numbers that JSON
  /// cannot represent.
  public var description: String {
    var writer = ValueWriter(formatting: .compact, depth: 0, isLenient: true)
    // Lenient writers do not throw.
    try? writer.append(self)
    return String(decoding: writer.text.bytes, as: UTF8.self)
  }
}

extension JSONValue: CustomReflectable {
  /// A mirror without children, so that `dump` does not recurse into deep values.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension JSONValue {
  /// Encodes the value as JSON text in UTF-8. Members keep their order unless they are
  /// sorted.
  ///
  /// - Throws: `MappingError` with the path of a number that is not finite, or of a
  ///   value that could not be decoded: an object with two members of one name, or a
  ///   value nested more than 2,048 levels deep.
  /// - Complexity: Linear in the size of the value.
  public func data(formatting: JSONFormatting = .compact) throws -> Data {
    var writer = ValueWriter(formatting: formatting, depth: 0)
    try writer.append(self)
    return Data(writer.text.bytes)
  }
}

extension JSONValue {
  /// Copies the value of a node.
  package init(_ root: JSONNode) {
    var builder = JSONValueBuilder()
    for node in root.subtree.reversed() {
      switch node.kind {
      case .array: builder.appendArray(node.count)
      case .object: builder.appendObject(node.count)
      case .null: builder.append(.null)
      case .bool: builder.append(.bool(node.isTrue))
      case .integer: builder.append(.integer(node.integer))
      case .number: builder.append(.number(node.double, spelledBy: node.text))
      case .string: builder.append(.string(node.string))
      }
    }
    self = builder.value
  }

  /// Parses a text.
  ///
  /// - Throws: ``JSONError``.
  init(parsing text: UnsafeRawBufferPointer) throws {
    let tree = NodeTree()
    try tree.scanDocument(text)
    self = withExtendedLifetime(tree) { JSONValue(JSONNode(tree, text)) }
  }

  /// The nearest double if it is the number that a text spells, else the exact
  /// number.
  static func number(
    _ double: Double, spelledBy token: UnsafeRawBufferPointer
  ) -> JSONValue {
    // Doubles distinguish all numbers of 15 digits that are not tiny.
    let isShort = token.count <= 16 && !token.contains { $0 | 0x20 == UInt8(ascii: "e") }
    if isShort { return .number(double) }
    let text = String(decoding: token, as: UTF8.self)
    guard let number = NumberText(text), let nearest = NumberText(double.description),
      !number.isEqual(to: nearest), let exact = JSONNumber(text)
    else { return .number(double) }
    return .exact(exact)
  }
}
