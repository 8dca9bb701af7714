public import Foundation

/// Why a text is not valid JSON, and where.
///
/// ```
/// invalid JSON: unexpected "}", expected ":" at line 3, column 14
/// ```
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// The message and the position, on one line.
    public var description: String { name }

    /// A token is not allowed at its position.
    public static let syntax = Code(name: "invalid syntax")
    /// The text is empty or only whitespace.
    public static let emptyInput = Code(name: "empty input")
    /// The text ends inside the document.
    public static let unexpectedEnd = Code(name: "unexpected end")
    /// An object has two members with the same key.
    public static let duplicateKey = Code(name: "duplicate key")
    /// Arrays and objects are nested more than 2,048 levels deep.
    public static let tooDeep = Code(name: "too deep")
    /// The bytes are not UTF-8, or an escape sequence is half a surrogate pair.
    public static let invalidUTF8 = Code(name: "invalid UTF-8")
    /// A string or a key contains a NUL byte. JSON text spells U+0000 as `\u0000`.
    public static let nullCharacter = Code(name: "null character")
    /// A number is outside the range of doubles.
    public static let numberOutOfRange = Code(name: "number out of range")
    /// An element of a stream has more bytes than the stream's limit.
    public static let elementTooLarge = Code(name: "element too large")
    /// Memory is exhausted.
    public static let outOfMemory = Code(name: "out of memory")
  }

  /// The kind of the error.
  public let code: Code
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The column, from 1, in characters (grapheme clusters). A byte order mark occupies no
  /// column.
  public let column: Int
  /// The number of bytes before the error.
  public let offset: Int
  /// What is wrong.
  public let message: String
}

extension JSONError {
  package init(_ fault: SyntaxFault, at position: TextPosition) {
    self.init(
      code: fault.code, line: position.line, column: position.column, offset: position.offset,
      message: fault.message)
  }
}

extension JSONError: CustomStringConvertible {
  /// The message and the position, on one line.
  public var description: String {
    let position = code == .emptyInput ? "" : " at line \(line), column \(column)"
    return "invalid JSON: \(message)\(position)".escapedForMessages
  }
}

extension JSONError: LocalizedError {
  /// The error's description, untranslated, for `localizedDescription`.
  public var errorDescription: String? { description }
}
