public import Foundation
import MohoMapping

extension JSONValue {
  /// The value's JSON text, in UTF-8, its members in their order unless they are
  /// sorted.
  ///
  /// - Throws: `MappingError` with the path of a number that is not finite,
  ///   which JSON has no text for.
  /// - Complexity: Linear in the size of the value.
  public func data(formatting: JSONFormatting = .compact) throws -> Data {
    var writer = ValueWriter(formatting: formatting, depth: 0)
    try writer.append(self)
    return Data(writer.text.bytes)
  }
}

/// Writes a value that lies at a depth of a document.
struct ValueWriter: ~Copyable {
  var text = TextBuffer()
  private let isPretty: Bool
  private let isSorted: Bool
  private let depth: Int
  private var path = FieldPath([])

  init(formatting: JSONFormatting, depth: Int) {
    isPretty = formatting.contains(.pretty)
    isSorted = formatting.contains(.sorted)
    self.depth = depth
  }

  mutating func append(_ value: JSONValue) throws {
    switch value {
    case .null: text.append(literal: "null")
    case .bool(let value): text.append(literal: value ? "true" : "false")
    case .integer(let value): text.append(value)
    case .exact(let number): text.append(raw: number.text)
    case .string(let value): text.append(string: value)
    case .number(let value):
      guard value.isFinite else {
        throw MappingError(
          .invalidValue, path: path, found: "number \(value)", expected: "finite number")
      }
      text.append(value)
    case .array(let elements):
      try append(elements, in: ("[", "]")) { writer, index, element in
        try writer.append(element, at: .index(index))
      }
    case .object(var members):
      if isSorted {
        members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      }
      try append(members, in: ("{", "}")) { writer, _, member in
        writer.text.append(string: member.key)
        writer.text.append(":")
        if writer.isPretty { writer.text.append(" ") }
        try writer.append(member.value, at: .key(member.key))
      }
    }
  }

  private mutating func append(_ value: JSONValue, at step: FieldPath.Component) throws {
    path.components.append(step)
    try append(value)
    path.components.removeLast()
  }

  private mutating func append<Part>(
    _ parts: [Part], in brackets: (Unicode.Scalar, Unicode.Scalar),
    _ append: (inout ValueWriter, Int, Part) throws -> Void
  ) throws {
    text.append(brackets.0)
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(",") }
      breakLine(depth: path.components.count + 1)
      try append(&self, index, part)
    }
    if !parts.isEmpty { breakLine(depth: path.components.count) }
    text.append(brackets.1)
  }

  private mutating func breakLine(depth: Int) {
    guard isPretty else { return }
    text.append("\n")
    for _ in 0..<(self.depth + depth) { text.append(literal: "  ") }
  }
}
