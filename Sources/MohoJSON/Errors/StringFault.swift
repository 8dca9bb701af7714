import MohoMapping

/// What is wrong inside a string of a document, and at which byte.
struct StringFault {
  let code: JSONError.Code
  let offset: Int
  let message: String

  /// The first fault of the string that begins at `start`, or nil.
  static func first(in bytes: UnsafeRawBufferPointer, stringAt start: Int) -> StringFault? {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return nil
      case UInt8(ascii: "\\"):
        let escape = Escape(bytes: bytes, start: position)
        if let fault = escape.fault { return fault }
        position = escape.end
      case let byte where byte < 0x20:
        return StringFault(
          code: byte == 0 ? .nullCharacter : .syntax, offset: position,
          message: "control character \(hexadecimal(Int(byte))) in a string")
      default:
        position += 1
      }
    }
    return .endOfInput(bytes)
  }

  fileprivate static func endOfInput(_ bytes: UnsafeRawBufferPointer) -> StringFault {
    StringFault(
      code: .unexpectedEnd, offset: bytes.count, message: "unexpected end of input in a string")
  }
}

/// An escape, or a pair of escapes that spells a surrogate pair.
private struct Escape {
  let end: Int
  let fault: StringFault?

  init(bytes: UnsafeRawBufferPointer, start: Int) {
    func fault(_ code: JSONError.Code, _ what: String, upTo end: Int) -> StringFault {
      let text = String(
        decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)]),
        as: UTF8.self)
      return StringFault(code: code, offset: start, message: "\(what) \(quoted(text))")
    }

    guard start + 1 < bytes.count else {
      (end, self.fault) = (bytes.count, .endOfInput(bytes))
      return
    }
    guard bytes[start + 1] == UInt8(ascii: "u") else {
      let isKnown = #"\"/bfnrt"#.utf8.contains(bytes[start + 1])
      // The whole character, where it is not ASCII.
      let next = bytes[(start + 2)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      end = start + 2
      self.fault = isKnown ? nil : fault(.syntax, "invalid escape", upTo: next)
      return
    }
    guard let unit = Self.unit(bytes, at: start) else {
      let digits = bytes[(start + 2)...].prefix { Self.digit($0) != nil }
      end = digits.endIndex
      self.fault =
        digits.endIndex == bytes.count
        ? .endOfInput(bytes) : fault(.syntax, "invalid escape", upTo: digits.endIndex + 1)
      return
    }
    switch unit {
    case 0xD800..<0xDC00:
      let low = Self.unit(bytes, at: start + 6) ?? 0
      end = start + 12
      self.fault =
        0xDC00..<0xE000 ~= low ? nil : fault(.invalidUTF8, "lone surrogate", upTo: start + 6)
    case 0xDC00..<0xE000:
      (end, self.fault) = (start + 6, fault(.invalidUTF8, "lone surrogate", upTo: start + 6))
    default:
      (end, self.fault) = (start + 6, nil)
    }
  }

  /// The code unit of the escape `\uXXXX` at a position, or nil.
  private static func unit(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit = 0
    for byte in bytes[(start + 2)..<(start + 6)] {
      guard let digit = digit(byte) else { return nil }
      unit = unit * 16 + digit
    }
    return unit
  }

  private static func digit(_ byte: UInt8) -> Int? {
    Character(Unicode.Scalar(byte)).hexDigitValue
  }
}

/// A code point as `U+0009`.
func hexadecimal(_ scalar: Int) -> String {
  let digits = String(scalar, radix: 16, uppercase: true)
  return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
