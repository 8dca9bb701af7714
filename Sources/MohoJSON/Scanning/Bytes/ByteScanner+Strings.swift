extension ByteScanner {
  /// Passes the rest of a text whose opening quote was passed, and its closing
  /// quote.
  ///
  /// - Returns: The kind of text, or none where it is not valid text.
  mutating func passText() -> TokenKind {
    var position = position
    var kind = TokenKind.ascii
    while true {
      while count - position >= Block.size {
        let length = block(at: position).plainLength
        position += length
        if length < Block.size { break }
      }
      let byte = byte(at: position)
      switch byte {
      case UInt8(ascii: "\""):
        self.position = position + 1
        return kind
      case UInt8(ascii: "\\"):
        let length = lengthOfEscape(at: position)
        if length == 0 { return .none }
        position += length
        kind = .escaped
      case 0x20..<0x80:
        // One of the last bytes, which make no word.
        position += 1
      case 0x80...:
        if kind == .ascii { kind = .utf8 }
        repeat {
          let length = lengthOfCharacter(at: position)
          if length == 0 { return .none }
          position += length
        } while self.byte(at: position) >= 0x80
      default:
        return .none
      }
    }
  }

  /// How many bytes the escape at a position has, both of a surrogate pair; 0
  /// where there is no valid escape.
  @inline(__always)
  mutating func lengthOfEscape(at position: Int) -> Int {
    let byte = byte(at: position + 1)
    // The bits of `"` and `/`, and behind 64 those of `\`, b, f, n, r and t.
    let known: UInt64 = byte < 64 ? 0x8004_0000_0000 : 0x0014_4044_1000_0000
    if byte < 128, known >> UInt64(byte & 63) & 1 == 1 { return 2 }
    return lengthOfCodeUnits(at: position)
  }

  @inline(never)
  private mutating func lengthOfCodeUnits(at position: Int) -> Int {
    switch codeUnit(at: position) {
    case Self.noCodeUnit, 0xDC00..<0xE000: return 0
    case 0xD800..<0xDC00: return 0xDC00..<0xE000 ~= codeUnit(at: position + 6) ? 12 : 0
    default: return 6
    }
  }

  /// What ``codeUnit(at:)`` returns where there is no escape.
  private static let noCodeUnit = UInt32.max

  /// The code unit of the escape `\uXXXX` at a position, or ``noCodeUnit``.
  mutating func codeUnit(at position: Int) -> UInt32 {
    guard byte(at: position) == UInt8(ascii: "\\"), byte(at: position + 1) == UInt8(ascii: "u")
    else { return Self.noCodeUnit }
    var unit: UInt32 = 0
    for offset in 2..<6 {
      let byte = byte(at: position + offset)
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - 0x37)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - 0x57)
      default: return Self.noCodeUnit
      }
    }
    return unit
  }

  /// How many bytes the character has that begins with a byte of 0x80 or more; 0
  /// where the bytes are not UTF-8 (RFC 3629, section 4).
  @inline(__always)
  private func lengthOfCharacter(at position: Int) -> Int {
    let (first, second) = (byte(at: position), byte(at: position + 1))
    switch first {
    case 0xC2...0xDF:
      return isContinuation(second) ? 2 : 0
    case 0xE0...0xEF:
      // No more bytes than needed, and no surrogates.
      let isValid =
        first == 0xE0 ? second >= 0xA0 : first == 0xED ? second < 0xA0 : true
      return isValid && isContinuation(second) && isContinuation(byte(at: position + 2)) ? 3 : 0
    case 0xF0...0xF4:
      let isValid =
        first == 0xF0 ? second >= 0x90 : first == 0xF4 ? second < 0x90 : true
      return isValid && isContinuation(second) && isContinuation(byte(at: position + 2))
        && isContinuation(byte(at: position + 3)) ? 4 : 0
    default:
      return 0
    }
  }

  @inline(__always)
  private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
