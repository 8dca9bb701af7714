/// What a value is.
enum TokenKind: UInt8 {
  /// No value, or one that the scanner does not accept.
  case none
  case null
  case `false`
  case `true`
  /// A number without fraction and exponent, of any size.
  case integer
  /// The same, of up to 18 digits and with its value at hand.
  case int64
  /// Any other number.
  case number
  /// Any other number, with its double at hand.
  case double
  /// Text of ASCII without escapes.
  case ascii
  /// Other text without escapes.
  case utf8
  /// Text with escapes.
  case escaped
  case array
  case object
  /// A value that a path does not lead through.
  case obstacle

  @inline(__always)
  var isNumber: Bool {
    self == .int64 || self == .double || self == .integer || self == .number
  }

  @inline(__always)
  var isText: Bool { self == .ascii || self == .utf8 || self == .escaped }
}

/// A value of a text, or the key of a member.
struct Token {
  var kind: TokenKind
  /// Where it begins; of text, behind the quote.
  var start: UInt32
  /// Where it ends; of text, before the quote.
  var end: UInt32
  /// The elements or members of an array or object. Of a key, the lower half of
  /// its hash; of a number, that of its value.
  var count: UInt32 = 0
  /// What follows on the tape behind an array or object and all inside it. Of a
  /// key, the upper half of its hash; of a number, that of its value.
  var next: UInt32 = 0

  static let none = Token(kind: .none, start: 0, end: 0)
  static let null = Token(kind: .null, start: 0, end: 0)
  static let obstacle = Token(kind: .obstacle, start: 0, end: 0)

  @inline(__always)
  init(kind: TokenKind, start: UInt32, end: UInt32) {
    self.kind = kind
    self.start = start
    self.end = end
  }

  /// A value between two offsets of a text.
  @inline(__always)
  init(_ kind: TokenKind, _ start: Int, _ end: Int) {
    // SAFETY: No text is longer than 32 bits count.
    self.init(
      kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
  }

  /// A key between two offsets of a text.
  @inline(__always)
  init(key kind: TokenKind, _ start: Int, _ end: Int, hash: UInt64) {
    self.init(kind, start, end)
    count = UInt32(truncatingIfNeeded: hash)
    next = UInt32(truncatingIfNeeded: hash >> 32)
  }

  /// A number between two offsets of a text, and the double that is nearest to it.
  @inline(__always)
  init(_ double: Double, _ start: Int, _ end: Int) {
    self.init(key: .double, start, end, hash: double.bitPattern)
  }

  /// An integer between two offsets of a text, and its value.
  @inline(__always)
  init(integer: Int64, _ start: Int, _ end: Int) {
    self.init(key: .int64, start, end, hash: UInt64(bitPattern: integer))
  }

  /// The value of an integer that has it at hand.
  @inline(__always)
  var integer: Int64 { Int64(bitPattern: hash) }

  /// The double of a number that has it at hand.
  @inline(__always)
  var double: Double { Double(bitPattern: hash) }

  /// The hash of a key.
  @inline(__always)
  var hash: UInt64 { UInt64(next) << 32 | UInt64(count) }

  @inline(__always)
  var range: Range<Int> {
    // SAFETY: Who makes a token passes the start first.
    Range(uncheckedBounds: (Int(start), Int(end)))
  }
}

/// The values of arrays and objects in the order of the text: each value, the
/// key of a member before it, an array or object before what is inside.
struct TokenTape: ~Copyable {
  private var tokens = PlainList<Token>(capacity: 16)

  var count: Int { tokens.count }

  mutating func removeAll() { tokens.removeAll(from: 0) }

  @inline(__always)
  mutating func append(_ token: Token) { tokens.append(token) }

  /// The token at a position; none behind the last one.
  @inline(__always)
  subscript(position: Int) -> Token {
    position < count ? tokens[position] : .none
  }

  /// Ends the array or object at a position, with what was appended since.
  mutating func close(_ position: Int, end: Int, count parts: Int) {
    tokens[position].end = UInt32(truncatingIfNeeded: end)
    tokens[position].count = UInt32(truncatingIfNeeded: parts)
    tokens[position].next = UInt32(truncatingIfNeeded: count)
  }

  /// The position behind a value and all inside it.
  @inline(__always)
  func position(behind position: Int) -> Int {
    let token = self[position]
    let isContainer = token.kind == .array || token.kind == .object
    return isContainer ? Int(token.next) : position + 1
  }
}
