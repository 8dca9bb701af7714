/// A valid string of a text.
package struct StringToken {
  /// The offset of the opening quote.
  package let start: Int
  /// The offset after the closing quote.
  package let end: Int
  package let hasEscapes: Bool

  package var content: Range<Int> { (start + 1)..<(end - 1) }
}

/// Strings, numbers and names.
extension JSONCursor {
  package enum Scalar {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number with a fraction or an exponent, or beyond 64 bits.
    case double(Double)
    case string(StringToken)
  }

  /// Scans the value at the position, which is not an array or object.
  package mutating func scanScalar() throws(CursorStop) -> Scalar {
    switch bytes[position] {
    case UInt8(ascii: "\""):
      return .string(try scanString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = position
      if let number = try scanNumber() { return number }
      position = start
      throw unexpectedToken()
    case UInt8(ascii: "n"): return try scanName("null", .null)
    case UInt8(ascii: "t"): return try scanName("true", .bool(true))
    case UInt8(ascii: "f"): return try scanName("false", .bool(false))
    default:
      throw unexpectedToken()
    }
  }

  /// Scans the string at the position.
  package mutating func scanString() throws(CursorStop) -> StringToken {
    let start = position
    var position = start + 1
    var (hasEscapes, hasSurrogates) = (false, false)
    while true {
      if let base = bytes.baseAddress {
        while bytes.count - position >= ByteBlock.size {
          let length = ByteBlock(at: base + position).plainLength
          position += length
          if length < ByteBlock.size { break }
        }
      }
      guard position < bytes.count else { throw endOfInput }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        if hasSurrogates { try checkEscapes(from: start) }
        self.position = position + 1
        return StringToken(start: start, end: position + 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        if bytes.lengthOfEscape(at: position) == 0 {
          if bytes.codeUnit(at: position) == nil {
            try checkNearEnd(position)
            try checkCharacter(at: endOfInvalidEscape(at: position))
            try checkEscapes(from: start)
          }
          // Half a surrogate pair: the rest of the string is scanned first.
          hasSurrogates = true
          position += 6
        } else {
          position += bytes.lengthOfEscape(at: position)
        }
      case 0x80...:
        try checkCharacter(at: position)
        position += bytes.lengthOfCharacter(at: position)
      case 0x20...:
        position += 1
      default:
        try checkEscapes(from: start)
        position += 1
      }
    }
  }

  /// Scans the number at the position.
  ///
  /// - Returns: Nil if the number is malformed.
  package mutating func scanNumber() throws(CursorStop) -> Scalar? {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var (digits, digitCount, exponent) = (UInt64(0), 0, 0)
    var isInteger = true
    var isWellFormed: Bool
    if bytes.byte(at: position) == UInt8(ascii: "0") {
      position += 1
      digitCount = 1
      isWellFormed = !bytes.byte(at: position).isDigit
    } else {
      isWellFormed = scanDigits(&digits, &digitCount)
    }
    if isWellFormed, bytes.byte(at: position) == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      let wholeCount = digitCount
      isWellFormed = scanDigits(&digits, &digitCount)
      exponent = wholeCount - digitCount
    }
    if isWellFormed, bytes.byte(at: position) | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      let sign = bytes.byte(at: position)
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
      var (power, powerCount) = (UInt64(0), 0)
      isWellFormed = scanDigits(&power, &powerCount)
      let magnitude = powerCount < 6 ? Int(power) : 100_000
      exponent += sign == UInt8(ascii: "-") ? -magnitude : magnitude
    }
    // The next character ends the number, and is checked with it.
    try checkCharacter(at: position)
    guard isWellFormed else { return nil }
    if isInteger, digitCount <= 18 {
      return .integer(isNegative ? -Int64(digits) : Int64(digits))
    }
    let text = text(start..<position)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    if digitCount <= 19, digits > 0, let magnitude = PowersOfTen.tables.double(digits, exponent) {
      return .double(isNegative ? -magnitude : magnitude)
    }
    guard let double = Double(text), double.isFinite else {
      throw .invalid(numberOutOfRange(token(at: start)))
    }
    return .double(double)
  }

  /// Skips the token at the position, whatever it is.
  package mutating func skipToken() throws(CursorStop) {
    switch bytes[position] {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber()
    case 0x80...: try checkCharacter(at: position)
    case let byte where byte.isLetter:
      skipLetters()
      try checkCharacter(at: position)
    default: position += 1
    }
  }

  private mutating func scanName(
    _ name: StaticString, _ value: Scalar
  ) throws(CursorStop) -> Scalar {
    let start = position
    skipLetters()
    let isName = bytes[start..<position].elementsEqual(
      UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    guard isName else {
      position = start
      throw unexpectedToken()
    }
    try checkCharacter(at: position)
    return value
  }

  private mutating func skipLetters() {
    while bytes.byte(at: position).isLetter { position += 1 }
  }

  /// - Returns: Whether there is a digit.
  private mutating func scanDigits(_ digits: inout UInt64, _ count: inout Int) -> Bool {
    let start = position
    while bytes.byte(at: position).isDigit {
      digits = digits &* 10 &+ UInt64(bytes[position] - 0x30)
      position += 1
    }
    count += position - start
    return position > start
  }

  /// Throws if the character at an offset is not UTF-8, or not known yet.
  private func checkCharacter(at offset: Int) throws(CursorStop) {
    guard offset < bytes.count else {
      if isComplete { return }
      throw .incomplete
    }
    guard bytes[offset] >= 0x80, bytes.lengthOfCharacter(at: offset) == 0 else { return }
    try checkNearEnd(offset)
    throw .invalid(invalidUTF8(at: offset))
  }

  /// Throws the first error inside a string, if there is one.
  private func checkEscapes(from start: Int) throws(CursorStop) {
    if let fault = StringLiteralError.first(in: bytes, stringAt: start) { throw .invalid(fault) }
  }

  /// The offset of the character that makes an escape sequence invalid.
  private func endOfInvalidEscape(at offset: Int) -> Int {
    guard bytes.byte(at: offset + 1) == UInt8(ascii: "u") else { return offset + 1 }
    return bytes[(offset + 2)...].firstIndex { $0.hexadecimalDigit == nil } ?? bytes.count
  }

  /// Throws if bytes that are still missing may complete an escape sequence or a
  /// character.
  private func checkNearEnd(_ offset: Int) throws(CursorStop) {
    if !isComplete, bytes.count - offset < 12 { throw .incomplete }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
