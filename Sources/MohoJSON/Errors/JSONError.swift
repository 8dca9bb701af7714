import MohoMapping

/// Why a text is not a JSON document, and where.
///
/// ```
/// invalid JSON: unexpected "}", expected ":" at line 3, column 14
/// ```
public struct JSONError: Error, Hashable, Sendable {
  /// What kind of mistake it is.
  public struct Code: Hashable, Sendable {
    let name: String

    /// Something stands where JSON allows something else.
    public static let syntax = Code(name: "syntax")
    /// There is no text, or only white space.
    public static let emptyInput = Code(name: "emptyInput")
    /// The text ends inside the document.
    public static let unexpectedEnd = Code(name: "unexpectedEnd")
    /// An object has two members of one key.
    public static let duplicateKey = Code(name: "duplicateKey")
    /// Arrays and objects are nested more than 2,048 levels deep.
    public static let tooDeep = Code(name: "tooDeep")
    /// The bytes are not UTF-8, or an escape spells half a surrogate pair.
    public static let invalidUTF8 = Code(name: "invalidUTF8")
    /// A string or a key contains a NUL byte. JSON text spells U+0000 as `\u0000`.
    public static let nullCharacter = Code(name: "nullCharacter")
    /// A number lies outside the range of doubles.
    public static let numberOutOfRange = Code(name: "numberOutOfRange")
    /// An element of a stream has more bytes than the stream's limit.
    public static let elementTooLarge = Code(name: "elementTooLarge")
    /// The document does not fit in memory.
    public static let outOfMemory = Code(name: "outOfMemory")
  }

  /// What kind of mistake it is.
  public let code: Code
  /// The line of the mistake, from 1. Lines end with a line feed.
  public let line: Int
  /// The column of the mistake, from 1, in characters (grapheme clusters). A
  /// byte order mark has no column.
  public let column: Int
  /// The number of bytes before the mistake.
  public let offset: Int
  /// What is wrong there.
  public let message: String
}

extension JSONError: CustomStringConvertible {
  /// The message and the place, on one line.
  public var description: String {
    let place = code == .emptyInput ? "" : " at line \(line), column \(column)"
    return "invalid JSON: \(message)\(place)".escapedForMessages
  }
}
