extension ByteScanner {
  /// The double that is nearest to a number; of two, the even one.
  ///
  /// Numbers of up to 19 digits that are no tiny or huge ones are made of two
  /// multiplications, by the algorithm of Daniel Lemire, *Number Parsing at a
  /// Gigabyte per Second* (2021).
  @inline(__always)
  mutating func double(_ token: Token) -> Double? {
    if token.kind == .double { return token.double }
    return token.kind == .int64 ? Double(token.integer) : otherDouble(token)
  }

  @inline(never)
  private mutating func otherDouble(_ token: Token) -> Double? {
    guard token.kind == .integer || token.kind == .number else { return nil }
    let end = Int(token.end)
    var position = Int(token.start)
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var digits: UInt64 = 0
    takeDigits(&position, end, &digits)
    var count = position - first
    var exponent = 0
    if position < end, byte(at: position) == UInt8(ascii: ".") {
      position += 1
      let first = position
      takeDigits(&position, end, &digits)
      exponent = first - position
      count -= exponent
    }
    if position < end { exponent += power(at: position + 1, end) }
    // As many digits as 64 bits hold, whichever they are.
    guard count <= 19 else { return slowDouble(token) }
    // An integer has no sign where it is zero.
    if digits == 0 { return isNegative && token.kind == .number ? -0.0 : 0 }
    guard let magnitude = powersOfTen.double(digits, exponent) else { return slowDouble(token) }
    return isNegative ? -magnitude : magnitude
  }

  /// Passes a number, and makes a token of it that has its value at hand where it
  /// is told at once.
  mutating func keepNumber() -> Token {
    let start = position
    var position = position
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var digits: UInt64 = 0
    takeDigits(&position, count, &digits)
    let wholeCount = position - first
    // Exponents and mistakes are for others, and what is long.
    guard 1...18 ~= wholeCount, wholeCount == 1 || byte(at: first) != UInt8(ascii: "0") else {
      return Token(passNumber(), start, self.position)
    }
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      takeDigits(&position, count, &digits)
      let fractionCount = position - fraction
      guard fractionCount > 0, byte(at: position) | 0x20 != UInt8(ascii: "e"),
        wholeCount + fractionCount <= 19,
        let magnitude = digits == 0 ? 0 : powersOfTen.double(digits, -fractionCount)
      else { return Token(passNumber(), start, self.position) }
      self.position = position
      return Token(isNegative ? -magnitude : magnitude, start, position)
    }
    guard byte(at: position) | 0x20 != UInt8(ascii: "e") else {
      return Token(passNumber(), start, self.position)
    }
    self.position = position
    let magnitude = Int64(truncatingIfNeeded: digits)
    return Token(integer: isNegative ? -magnitude : magnitude, start, position)
  }

  /// Takes the digits from a position on, up to an end of the text or of a token.
  @inline(__always)
  private func takeDigits(_ position: inout Int, _ end: Int, _ digits: inout UInt64) {
    while end - position >= 8 {
      let word = word(at: position)
      let others = Self.otherBytes(word)
      if others == 0 {
        digits = digits &* 100_000_000 &+ Self.value(ofDigits: word)
        position += 8
        continue
      }
      let count = others.trailingZeroBitCount >> 3
      if count == 0 { return }
      // The digits move up, behind as many zeros as there are other bytes.
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

  /// The highest bits of the bytes of a word that are no digits. Bits above the
  /// lowest one that is set may be set for nothing.
  @inline(__always)
  private static func otherBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let digits = word ^ (ones &* 0x30)
    return ((digits &+ ones &* 0x76) | digits) & (ones &* 0x80)
  }

  /// The number that the 8 digits of a word spell: pairs are made of them, fours
  /// of these, and the eight of those.
  @inline(__always)
  private static func value(ofDigits word: UInt64) -> UInt64 {
    let digits = word & 0x0F0F_0F0F_0F0F_0F0F
    let pairs = (digits &* (10 << 8 + 1)) >> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* (100 << 16 + 1)) >> 16 & 0x0000_FFFF_0000_FFFF
    return (fours &* (10_000 << 32 + 1)) >> 32
  }

  /// The power of ten behind the letter, no larger than any that matters.
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
  private mutating func slowDouble(_ token: Token) -> Double? {
    Double(String(decoding: bytes(token.range), as: UTF8.self))
  }
}
