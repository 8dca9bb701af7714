/// The value that all rows of a section have in common.
///
/// Keys store the values of a database column unchanged. Two keys are equal if
/// SQLite considers them equal under its binary collation. Numbers are compared
/// by value, so `1` and `1.0` are the same section. Texts are compared by their
/// UTF-8 bytes, so the composed and the decomposed form of `"é"` are two
/// sections.
public enum SectionKey: Sendable {
  /// The key of the only section of an unsectioned list.
  case all
  /// No value.
  case null
  /// An integer value.
  case integer(Int64)
  /// A floating-point value.
  case real(Double)
  /// A text value.
  case text(String)

  /// The value as text, for a section header. Empty for ``all`` and ``null``.
  public var name: String {
    switch self {
    case .all, .null: ""
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    }
  }
}

extension SectionKey: CustomStringConvertible {
  /// The value as source code would write it: `all`, `null`, `5`, `"Drama"`.
  /// Control characters, line separators and invisible format characters of text
  /// are escapes, so that printed change sets cannot steer a terminal.
  public var description: String {
    switch self {
    case .all: "all"
    case .null: "null"
    case .integer, .real: name
    case .text(let value): "\"\(Self.escaped(value))\""
    }
  }

  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    return text.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      // The joiners belong to emoji and to Persian.
      case .format where scalar.value != 0x200C && scalar.value != 0x200D:
        scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
