/// The kind of a token.
enum TokenKind: UInt8 {
  /// No value, or one that needs the diagnostic path.
  case none
  case null
  case `false`
  case `true`
  /// A number without fraction and exponent.
  case integer
  /// An integer of up to 18 digits, with its value.
  case int64
  /// A number with a fraction or an exponent.
  case number
  /// A number with a fraction, with its value.
  case double
  /// A string of ASCII without escape sequences.
  case ascii
  /// Another string without escape sequences.
  case utf8
  /// A string with escape sequences.
  case escaped
  case array
  case object
  /// A value on a path that is neither an object nor an array as the path requires.
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
  /// The start; of a string, after the opening quote.
  var start: UInt32
  /// The end; of a string, before the closing quote.
  var end: UInt32
  /// The number of parts of an array or object. Of a key, the lower half of its hash;
  /// of a number, the lower half of its value.
  var count: UInt32 = 0
  /// The tape position after an array or object and everything in it. Of a key, the
  /// upper half of its hash; of a number, the upper half of its value.
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
    // SAFETY: Offsets of a scanned text fit in 32 bits.
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

  /// A number between two offsets of a text, with the nearest double.
  @inline(__always)
  init(_ double: Double, _ start: Int, _ end: Int) {
    self.init(key: .double, start, end, hash: double.bitPattern)
  }

  /// An integer between two offsets of a text, with its value.
  @inline(__always)
  init(integer: Int64, _ start: Int, _ end: Int) {
    self.init(key: .int64, start, end, hash: UInt64(bitPattern: integer))
  }

  /// The value of an `int64` token.
  @inline(__always)
  var integer: Int64 { Int64(bitPattern: hash) }

  /// The value of a `double` token.
  @inline(__always)
  var double: Double { Double(bitPattern: hash) }

  /// The hash of a key.
  @inline(__always)
  var hash: UInt64 { UInt64(next) << 32 | UInt64(count) }

  @inline(__always)
  var range: Range<Int> {
    // SAFETY: The start of a token precedes its end.
    Range(uncheckedBounds: (Int(start), Int(end)))
  }
}

/// The tokens of recorded values in the order of the text. A key precedes the value of
/// its member, and an array or object precedes its parts.
struct TokenTape: ~Copyable {
  private var tokens = TrivialArray<Token>(capacity: 16)

  var count: Int { tokens.count }
  var capacity: Int { tokens.capacity }

  mutating func removeAll() { tokens.removeAll(from: 0) }

  @inline(__always)
  mutating func append(_ token: Token) { tokens.append(token) }

  /// The token at a position, or none past the end.
  @inline(__always)
  subscript(position: Int) -> Token {
    position < count ? tokens[position] : .none
  }

  /// Completes the array or object at a position with the tokens after it.
  mutating func close(_ position: Int, end: Int, count parts: Int) {
    tokens[position].end = UInt32(truncatingIfNeeded: end)
    tokens[position].count = UInt32(truncatingIfNeeded: parts)
    tokens[position].next = UInt32(truncatingIfNeeded: count)
  }

  /// The position after a value and everything in it.
  @inline(__always)
  func position(after position: Int) -> Int {
    let token = self[position]
    let isContainer = token.kind == .array || token.kind == .object
    return isContainer ? Int(token.next) : position + 1
  }
}
