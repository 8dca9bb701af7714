/// U+FEFF in UTF-8.
package let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

extension UInt8 {
  @inline(__always)
  package var isJSONWhitespace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
  }

  @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }
}

/// The parts of strings that the fast path and the diagnostic path both validate.
extension UnsafeRawBufferPointer {
  /// The byte at an offset, or 0 past the end.
  @inline(__always)
  package func byte(at offset: Int) -> UInt8 { offset < count ? self[offset] : 0 }

  /// The length of a leading byte order mark.
  package var byteOrderMarkLength: Int { starts(with: byteOrderMark) ? byteOrderMark.count : 0 }

  /// The length of the escape sequence at an offset, where a surrogate pair is
  /// one sequence, or 0 if the sequence is invalid.
  @inline(__always)
  package func lengthOfEscape(at offset: Int) -> Int {
    let byte = byte(at: offset + 1)
    // Bit sets: `"` and `/` below 64; `\`, b, f, n, r and t from 64 on.
    let known: UInt64 = byte < 64 ? 0x8004_0000_0000 : 0x0014_4044_1000_0000
    if byte < 128, known >> UInt64(byte & 63) & 1 == 1 { return 2 }
    return lengthOfCodeUnits(at: offset)
  }

  @inline(never)
  private func lengthOfCodeUnits(at offset: Int) -> Int {
    switch codeUnit(at: offset) {
    case nil: 0
    case let unit? where 0xDC00..<0xE000 ~= unit: 0
    case let unit? where 0xD800..<0xDC00 ~= unit:
      codeUnit(at: offset + 6).map { 0xDC00..<0xE000 ~= $0 } == true ? 12 : 0
    default: 6
    }
  }

  /// The UTF-16 code unit of the escape sequence `\uXXXX` at an offset.
  package func codeUnit(at offset: Int) -> UInt32? {
    guard byte(at: offset) == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for position in (offset + 2)..<(offset + 6) {
      guard let digit = byte(at: position).hexadecimalDigit else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// The length of the UTF-8 sequence that begins at an offset with a byte of
  /// 0x80 or more, or 0 if the sequence is invalid (RFC 3629, section 4).
  @inline(__always)
  package func lengthOfCharacter(at offset: Int) -> Int {
    let (first, second) = (byte(at: offset), byte(at: offset + 1))
    switch first {
    case 0xC2...0xDF:
      return second.isContinuation ? 2 : 0
    case 0xE0...0xEF:
      // Neither overlong sequences nor surrogates.
      let isValid =
        first == 0xE0 ? second >= 0xA0 : first == 0xED ? second < 0xA0 : true
      return isValid && second.isContinuation && byte(at: offset + 2).isContinuation ? 3 : 0
    case 0xF0...0xF4:
      let isValid =
        first == 0xF0 ? second >= 0x90 : first == 0xF4 ? second < 0x90 : true
      return isValid && second.isContinuation && byte(at: offset + 2).isContinuation
        && byte(at: offset + 3).isContinuation ? 4 : 0
    default:
      return 0
    }
  }
}

extension UInt8 {
  package var hexadecimalDigit: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - 0x30)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - 0x37)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - 0x57)
    default: nil
    }
  }

  @inline(__always)
  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
