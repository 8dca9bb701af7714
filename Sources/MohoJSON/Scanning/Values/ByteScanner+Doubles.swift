extension ByteScanner {
  /// The double that is nearest to a number; of two, the even one.
  ///
  /// Numbers of up to 19 digits that are no tiny or huge ones are made of two
  /// multiplications, by the algorithm of Daniel Lemire, *Number Parsing at a
  /// Gigabyte per Second* (2021).
  func double(_ token: Token) -> Double? {
    guard token.kind == .integer || token.kind == .number else { return nil }
    var position = Int(token.start)
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var digits: UInt64 = 0
    var count = 0
    var exponent = 0
    func take(_ byte: UInt8) {
      digits = digits &* 10 &+ UInt64(byte &- 0x30)
      // Zeros in front are no digits.
      if digits != 0 || count != 0 { count += 1 }
    }
    while position < Int(token.end), byte(at: position) >= 0x30, byte(at: position) <= 0x39 {
      take(byte(at: position))
      position += 1
    }
    if position < Int(token.end), byte(at: position) == UInt8(ascii: ".") {
      position += 1
      let first = position
      while position < Int(token.end), byte(at: position) <= 0x39 {
        take(byte(at: position))
        position += 1
      }
      exponent = first - position
    }
    if position < Int(token.end) {
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
      var power = 0
      while position < Int(token.end) {
        power = min(power * 10 + Int(byte(at: position) - 0x30), 10_000)
        position += 1
      }
      exponent += sign == UInt8(ascii: "-") ? -power : power
    }
    // An integer has no sign where it is zero.
    if digits == 0, count == 0 { return isNegative && token.kind == .number ? -0.0 : 0 }
    if count <= 19, let magnitude = PowersOfTen.double(digits, exponent) {
      return isNegative ? -magnitude : magnitude
    }
    return Double(String(decoding: bytes(token.range), as: UTF8.self))
  }
}
