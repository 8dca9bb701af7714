extension ByteScanner {
  /// Scans a number whose nearest double is certainly finite.
  ///
  /// - Returns: The kind of the number, or `none` if it is invalid or may be too large.
  mutating func scanNumber() -> TokenKind {
    var position = position
    let start = position
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
    } else {
      let digits = position
      while isDigit(at: position) { position += 1 }
      if position == digits { return .none }
    }
    let wholeCount = position - start
    var kind = TokenKind.integer
    if byte(at: position) == UInt8(ascii: ".") {
      kind = .number
      position += 1
      let digits = position
      while count - position >= 8, Self.areDigits(word(at: position)) { position += 8 }
      while isDigit(at: position) { position += 1 }
      if position == digits { return .none }
    }
    let mantissa = start..<position
    var exponent = 0
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      kind = .number
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
      let digits = position
      while isDigit(at: position) {
        exponent = min(exponent * 10 + Int(byte(at: position) - 0x30), Self.maxExponent)
        position += 1
      }
      if position == digits { return .none }
      if sign == UInt8(ascii: "-") { exponent = 0 }
    }
    // The greatest double is above 1e308.
    guard wholeCount + exponent <= 308 || isFinite(mantissa, exponent: exponent) else {
      return .none
    }
    self.position = position
    return kind
  }

  /// The limit of parsed exponents.
  private static let maxExponent = 1000

  /// Whether a number with a large exponent is finite: zero, or a number with enough
  /// zeros after the point.
  @inline(never)
  private mutating func isFinite(_ mantissa: Range<Int>, exponent: Int) -> Bool {
    var point = mantissa.upperBound
    for position in mantissa {
      switch byte(at: position) {
      case UInt8(ascii: "."): point = position
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        // The number of decimals up to the first digit other than 0.
        let decimals = position - point
        return decimals > 0 && exponent < Self.maxExponent && exponent - decimals < 308
      default: break
      }
    }
    return true
  }

  @inline(__always)
  private func isDigit(at position: Int) -> Bool { byte(at: position) &- 0x30 < 10 }

  /// Whether all bytes of a word are digits.
  @inline(__always)
  static func areDigits(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Digits are the bytes 0x3N that are still 0x3N after adding 6.
    return (word | (word &+ ones &* 6)) & (ones &* 0xF0) == ones &* 0x30
      && word & (ones &* 0xF0) == ones &* 0x30
  }

  /// Scans `null`, `true` or `false`.
  @inline(__always)
  mutating func scanName() -> TokenKind {
    guard count - position >= 4 else { return .none }
    let name = start.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    switch UInt32(littleEndian: name) {
    case 0x6C6C_756E:
      position += 4
      return .null
    case 0x6575_7274:
      position += 4
      return .true
    case 0x736C_6166 where byte(at: position + 4) == UInt8(ascii: "e"):
      position += 5
      return .false
    default:
      return .none
    }
  }
}
