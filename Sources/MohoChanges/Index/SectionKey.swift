/// The value that the rows of one section have in common.
///
/// Keys hold the values of a database column unchanged. Two keys are equal if
/// SQLite calls them equal under its binary collation: numbers compare by
/// value, so that `1` and `1.0` are one section, and texts by their UTF-8
/// bytes, so that `"é"` in one code point and in two are two sections.
public enum SectionKey: Sendable {
  /// The key of the one section of an unsectioned list.
  case all
  /// The rows that have no value.
  case null
  /// An integer value.
  case integer(Int64)
  /// A floating-point value.
  case real(Double)
  /// A text value.
  case text(String)

  /// The plain value as text, for a section header; empty for ``all`` and
  /// ``null``.
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
  public var description: String {
    switch self {
    case .all: "all"
    case .null: "null"
    case .integer, .real: name
    case .text(let value): "\"\(value)\""
    }
  }
}
