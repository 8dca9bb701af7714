/// Finds the first error inside a string of a text.
package enum StringLiteralError {
  /// The first error in the string that begins at an offset, if there is one.
  package static func first(in bytes: UnsafeRawBufferPointer, stringAt start: Int) -> SyntaxFault? {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return nil
      case UInt8(ascii: "\\"):
        let length = bytes.lengthOfEscape(at: position)
        if length == 0 { return invalidEscape(at: position, in: bytes) }
        position += length
      case let byte where byte < 0x20:
        let digits = String(byte, radix: 16, uppercase: true)
        return SyntaxFault(
          code: byte == 0 ? .nullCharacter : .syntax, offset: position,
          message: "control character U+00\(byte < 16 ? "0" : "")\(digits) in a string")
      default:
        position += 1
      }
    }
    return endOfInput(bytes)
  }

  private static func endOfInput(_ bytes: UnsafeRawBufferPointer) -> SyntaxFault {
    SyntaxFault(
      code: .unexpectedEnd, offset: bytes.count, message: "unexpected end of input in a string")
  }

  private static func invalidEscape(
    at start: Int, in bytes: UnsafeRawBufferPointer
  ) -> SyntaxFault {
    func fault(_ code: JSONError.Code, _ problem: String, upTo end: Int) -> SyntaxFault {
      let text = UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)])
      return SyntaxFault(
        code: code, offset: start,
        message: "\(problem) \(quoted(String(decoding: text, as: UTF8.self)))")
    }

    guard start + 1 < bytes.count else { return endOfInput(bytes) }
    if bytes.codeUnit(at: start) != nil {
      return fault(.invalidUTF8, "lone surrogate", upTo: start + 6)
    }
    guard bytes[start + 1] == UInt8(ascii: "u") else {
      // The message quotes a whole character.
      let next = bytes[(start + 2)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      return fault(.syntax, "invalid escape", upTo: next)
    }
    let end = bytes[(start + 2)...].firstIndex { $0.hexadecimalDigit == nil }
    return end.map { fault(.syntax, "invalid escape", upTo: $0 + 1) } ?? endOfInput(bytes)
  }
}
