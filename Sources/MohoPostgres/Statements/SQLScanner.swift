/// Reads the tokens of an SQL text by the rules of PostgreSQL's scanner.
///
/// See `scan.l` of PostgreSQL. Only the tokens that ``AppStatements`` needs are
/// distinguished.
struct SQLScanner {
  enum Token: Equatable {
    /// A keyword or a name without quotation marks, with capital ASCII letters.
    case word(String)
    /// A parameter such as `$2`.
    case parameter(Int)
    case opening
    case closing
    case semicolon
    case other
  }

  private let bytes: [UInt8]
  private let escapesAllTexts: Bool
  /// The position after the last token.
  private(set) var position = 0

  /// - Parameter escapesAllTexts: Whether `\` escapes characters in all texts, and not only in
  ///   those with the prefix `E`.
  init(_ bytes: [UInt8], escapesAllTexts: Bool) {
    self.bytes = bytes
    self.escapesAllTexts = escapesAllTexts
  }

  /// Returns the next token, or nil at the end.
  mutating func next() -> Token? {
    skipSpace()
    guard let byte = peek() else { return nil }
    if Self.startsName(byte) { return word() }
    if Self.isDigit(byte) {
      skip { Self.continuesName($0) && $0 != UInt8(ascii: "$") }
      return .other
    }
    switch byte {
    case UInt8(ascii: "'"): skipText(escapes: escapesAllTexts)
    case UInt8(ascii: "\""): skipQuoted(byte, escapes: false)
    case UInt8(ascii: "$"): return dollar()
    default:
      position += 1
      switch byte {
      case UInt8(ascii: "("): return .opening
      case UInt8(ascii: ")"): return .closing
      case UInt8(ascii: ";"): return .semicolon
      default: break
      }
    }
    return .other
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = peek(), condition(byte) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func startsName(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  private static func continuesName(_ byte: UInt8) -> Bool {
    startsName(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }

  /// Skips white space and comments.
  private mutating func skipSpace() {
    while let byte = peek() {
      if Self.isSpace(byte) {
        position += 1
      } else if byte == UInt8(ascii: "-"), peek(1) == byte {
        skip { !Self.isLineEnd($0) }
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipComment()
      } else {
        return
      }
    }
  }

  /// Skips a comment, which can contain others.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      switch (peek(), peek(1)) {
      case (nil, _): return
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        position += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        position += 2
      default: position += 1
      }
    } while depth > 0
  }

  private mutating func word() -> Token {
    let start = position
    skip(while: Self.continuesName)
    let name = bytes[start..<position].map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
    if name == [UInt8(ascii: "E")], peek() == UInt8(ascii: "'") {
      skipText(escapes: true)
      return .other
    }
    return .word(String(decoding: name, as: UTF8.self))
  }

  /// Skips a text, and the texts that continue it on other lines.
  private mutating func skipText(escapes: Bool) {
    while true {
      skipQuoted(UInt8(ascii: "'"), escapes: escapes)
      let end = position
      skipSpace()
      guard peek() == UInt8(ascii: "'"), bytes[end..<position].contains(where: Self.isLineEnd)
      else {
        position = end
        return
      }
    }
  }

  /// Skips a text or a name in quotation marks. A double mark is part of it.
  private mutating func skipQuoted(_ mark: UInt8, escapes: Bool) {
    position += 1
    while let byte = peek() {
      position += 1
      if escapes, byte == UInt8(ascii: "\\") {
        position += 1
      } else if byte == mark {
        guard peek() == mark else { return }
        position += 1
      }
    }
    position = min(position, bytes.count)
  }

  /// Reads a parameter, or a text between dollar signs such as `$tag$ … $tag$`.
  private mutating func dollar() -> Token {
    let start = position
    position += 1
    if peek().map(Self.isDigit) ?? false {
      let first = position
      skip(while: Self.isDigit)
      let number = Int(String(decoding: bytes[first..<position], as: UTF8.self))
      return number.map { .parameter($0) } ?? .other
    }
    if peek().map(Self.startsName) ?? false {
      skip { Self.continuesName($0) && $0 != UInt8(ascii: "$") }
    }
    guard peek() == UInt8(ascii: "$") else {
      position = start + 1
      return .other
    }
    position += 1
    let quote = bytes[start..<position]
    while position < bytes.count, !bytes[position...].starts(with: quote) { position += 1 }
    position = min(position + quote.count, bytes.count)
    return .other
  }
}
