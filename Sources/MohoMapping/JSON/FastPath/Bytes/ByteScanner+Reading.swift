import Foundation

extension ByteScanner {
  /// The double nearest to a number, rounding ties to even.
  ///
  /// Most numbers of up to 19 digits take two multiplications, by the algorithm of
  /// Daniel Lemire, *Number Parsing at a Gigabyte per Second* (2021).
  @inline(__always)
  mutating func double(_ token: Token) -> Double? {
    if token.kind == .double { return token.double }
    return token.kind == .int64 ? Double(token.integer) : doubleFromText(token)
  }

  @inline(never)
  private mutating func doubleFromText(_ token: Token) -> Double? {
    guard token.kind == .integer || token.kind == .number else { return nil }
    let end = Int(token.end)
    var position = Int(token.start)
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var digits: UInt64 = 0
    readDigits(&position, end, &digits)
    var count = position - first
    var exponent = 0
    if position < end, byte(at: position) == UInt8(ascii: ".") {
      position += 1
      let first = position
      readDigits(&position, end, &digits)
      exponent = first - position
      count -= exponent
    }
    if position < end { exponent += power(at: position + 1, end) }
    // Any 19 digits fit in 64 bits.
    guard count <= 19 else { return doubleFromString(token) }
    // The integer `-0` is 0.
    if digits == 0 { return isNegative && token.kind == .number ? -0.0 : 0 }
    guard let magnitude = powersOfTen.double(digits, exponent) else {
      return doubleFromString(token)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Scans a number. The token of a common number contains its value.
  mutating func recordNumber() -> Token {
    let start = position
    var position = position
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var digits: UInt64 = 0
    readDigits(&position, count, &digits)
    let wholeCount = position - first
    // Exponents, long numbers and errors take the general scan.
    guard 1...18 ~= wholeCount, wholeCount == 1 || byte(at: first) != UInt8(ascii: "0") else {
      return Token(scanNumber(), start, self.position)
    }
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      readDigits(&position, count, &digits)
      let fractionCount = position - fraction
      guard fractionCount > 0, byte(at: position) | 0x20 != UInt8(ascii: "e"),
        wholeCount + fractionCount <= 19,
        let magnitude = digits == 0 ? 0 : powersOfTen.double(digits, -fractionCount)
      else { return Token(scanNumber(), start, self.position) }
      self.position = position
      return Token(isNegative ? -magnitude : magnitude, start, position)
    }
    guard byte(at: position) | 0x20 != UInt8(ascii: "e") else {
      return Token(scanNumber(), start, self.position)
    }
    self.position = position
    let magnitude = Int64(truncatingIfNeeded: digits)
    return Token(integer: isNegative ? -magnitude : magnitude, start, position)
  }

  /// Reads the digits from a position on, up to an end.
  @inline(__always)
  private func readDigits(_ position: inout Int, _ end: Int, _ digits: inout UInt64) {
    while end - position >= 8 {
      let word = word(at: position)
      let unmapped = Self.nonDigits(word)
      if unmapped == 0 {
        digits = digits &* 100_000_000 &+ Self.value(ofDigits: word)
        position += 8
        continue
      }
      let count = unmapped.trailingZeroBitCount >> 3
      if count == 0 { return }
      // Shifts the digits, with leading zeros.
      let moved = word << UInt64(64 - count * 8)
      digits = digits &* powersOfTen[count] &+ Self.value(ofDigits: moved)
      position += count
      return
    }
    // SAFETY: The end is one of the text, or of a token in it.
    while position < end {
      let digit = start.load(fromByteOffset: position, as: UInt8.self) &- 0x30
      guard digit < 10 else { return }
      digits = digits &* 10 &+ UInt64(digit)
      position += 1
    }
  }

  /// The high bits of the bytes of a word that are not digits. Only the lowest set bit
  /// is exact.
  @inline(__always)
  private static func nonDigits(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let digits = word ^ (ones &* 0x30)
    return ((digits &+ ones &* 0x76) | digits) & (ones &* 0x80)
  }

  /// The number of the 8 digits of a word, combined to pairs, fours and eight.
  @inline(__always)
  private static func value(ofDigits word: UInt64) -> UInt64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F
    let pairs = (digits &* (10 << 8 + 1)) >> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* (100 << 16 + 1)) >> 16 & 0x0000_FFFF_0000_FFFF
    return (fours &* (10_000 << 32 + 1)) >> 32
  }

  /// The exponent after the letter, limited to 10,000.
  private mutating func power(at start: Int, _ end: Int) -> Int {
    var position = start
    let sign = byte(at: position)
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    var power = 0
    while position < end {
      power = min(power * 10 + Int(byte(at: position) - 0x30), 10_000)
      position += 1
    }
    return sign == UInt8(ascii: "-") ? -power : power
  }

  @inline(never)
  private mutating func doubleFromString(_ token: Token) -> Double? {
    Double(String(decoding: bytes(token.range), as: UTF8.self))
  }
}

/// The values of tokens, by the rules of `TreeFieldDecoder`.
extension ByteScanner {
  /// The string of a token.
  @inline(__always)
  mutating func string(_ token: Token) -> String {
    let bytes = text(token)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // SAFETY: The scan has validated the UTF-8.
      return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: token.kind == .ascii))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  mutating func int64(_ token: Token) -> Int64? {
    token.kind == .int64 ? token.integer : integer(token)
  }

  @inline(__always)
  mutating func uint64(_ token: Token) -> UInt64? {
    token.kind == .int64 ? UInt64(exactly: token.integer) : integer(token)
  }

  @inline(never)
  private mutating func integer<Integer: FixedWidthInteger>(_ token: Token) -> Integer? {
    guard token.kind.isNumber, let number = number(token), number.isWhole
    else { return nil }
    return number.integer()
  }

  mutating func decimal(_ token: Token) -> Decimal? {
    if token.kind == .int64 { return Decimal(token.integer) }
    guard token.kind.isNumber else { return nil }
    return number(token)?.decimal
  }

  private mutating func number(_ token: Token) -> NumberText? {
    NumberText(String(decoding: bytes(token.range), as: UTF8.self))
  }
}
