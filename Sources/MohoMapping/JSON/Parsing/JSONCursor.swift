/// Why a cursor stopped.
package enum CursorStop: Error {
  /// The bytes end before the next token does, and more bytes may follow.
  case incomplete
  /// The text is not JSON.
  case invalid(SyntaxFault)
  /// The value at an offset, after some steps of the path to an array, is of
  /// another type.
  case mismatch(found: String, offset: Int, steps: Int, expected: JSONValue.Kind)
  /// The path to an array does not exist.
  case missing
}

/// A syntax error before its line and column are known.
package struct SyntaxFault: Equatable {
  package var code: JSONError.Code
  package var offset: Int
  package var message: String

  package init(code: JSONError.Code, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

/// A position in a text from which tokens are scanned strictly: the first token
/// that JSON does not allow stops the cursor with an error.
///
/// Codes, offsets and messages are those of libjansson's verdict, in Moho's
/// words. The text may continue after the bytes.
package struct JSONCursor {
  /// The most levels of nesting, as in libjansson. A scalar is a level, too.
  package static let greatestDepth = 2048

  package let bytes: UnsafeRawBufferPointer
  /// Whether the text ends where the bytes end.
  package let isComplete: Bool
  package var position: Int

  package init(_ bytes: UnsafeRawBufferPointer, isComplete: Bool = true, position: Int = 0) {
    self.bytes = bytes
    self.isComplete = isComplete
    self.position = position
  }

  /// Skips whitespace.
  ///
  /// - Returns: Whether a byte follows.
  @inline(__always)
  package mutating func skipWhitespace() -> Bool {
    while position < bytes.count, bytes[position].isJSONWhitespace { position += 1 }
    return position < bytes.count
  }

  /// Skips whitespace, and returns the first byte of the next token.
  @inline(__always)
  package mutating func peek() throws(CursorStop) -> UInt8 {
    guard skipWhitespace() else { throw endOfInput }
    return bytes[position]
  }

  /// Skips a byte order mark at the beginning of a text.
  package mutating func skipByteOrderMark() throws(CursorStop) {
    let beginning = bytes[position...].prefix(byteOrderMark.count)
    if beginning.elementsEqual(byteOrderMark) {
      position += byteOrderMark.count
    } else if !isComplete, byteOrderMark.starts(with: beginning) {
      throw .incomplete
    }
  }

  /// Skips whitespace up to the end of the text.
  package mutating func skipToEnd() throws(CursorStop) {
    if skipWhitespace() { throw unexpectedToken(expected: "end of input") }
    if !isComplete { throw .incomplete }
  }

  /// Scans the key at the position.
  package mutating func scanKey() throws(CursorStop) -> StringToken {
    guard try peek() == UInt8(ascii: "\"") else {
      throw unexpectedToken(expected: #"string or "}""#)
    }
    return try scanString()
  }

  /// Skips the colon after a key.
  package mutating func skipColon() throws(CursorStop) {
    guard try peek() == UInt8(ascii: ":") else { throw unexpectedToken(expected: #"":""#) }
    position += 1
  }

  /// Skips what separates a part of an array or object from the one before, or
  /// the closing bracket.
  ///
  /// - Parameter count: The number of parts before.
  /// - Returns: Whether a part follows.
  package mutating func skipSeparator(after count: Int, isObject: Bool) throws(CursorStop) -> Bool {
    let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    switch try peek() {
    case closing:
      position += 1
      return false
    case UInt8(ascii: ",") where count > 0:
      position += 1
      _ = try peek()
      return true
    default:
      if count == 0 { return true }
      throw unexpectedToken(expected: isObject ? #""," or "}""# : #""," or "]""#)
    }
  }

  /// The end of the bytes, where a token is expected.
  package var endOfInput: CursorStop { isComplete ? .invalid(unexpectedEnd) : .incomplete }

  /// The error about the token at the position. An error inside the token takes
  /// precedence.
  package func unexpectedToken(expected: String? = nil) -> CursorStop {
    stop(atToken: { unexpected($0, expected: expected) })
  }

  /// The error about the token at the position, which is nested too deep.
  package var tooDeep: CursorStop { stop(atToken: { tooDeep($0) }) }

  private func stop(atToken fault: (Range<Int>) -> SyntaxFault) -> CursorStop {
    var cursor = self
    do {
      try cursor.skipToken()
    } catch {
      return error
    }
    let token = token(at: position)
    return isComplete || token.upperBound < bytes.count ? .invalid(fault(token)) : .incomplete
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// The token that contains an offset outside strings or at the beginning of
  /// one: a string, a bracket, a comma, a colon, or a run of other bytes.
  package func token(at offset: Int) -> Range<Int> {
    if bytes[offset] == UInt8(ascii: "\"") { return offset..<endOfString(at: offset) }
    guard !Self.isDelimiter(bytes[offset]) else { return offset..<(offset + 1) }
    let start = bytes[..<offset].lastIndex(where: Self.isDelimiter).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(where: Self.isDelimiter) ?? bytes.count
    return start..<end
  }

  /// The end of a string, which need not be valid.
  package func endOfString(at start: Int) -> Int {
    var position = start + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""):
      true
    default: byte.isJSONWhitespace
    }
  }

}

/// The errors about tokens.
extension JSONCursor {
  package var unexpectedEnd: SyntaxFault {
    SyntaxFault(code: .unexpectedEnd, offset: bytes.count, message: "unexpected end of input")
  }

  package func unexpected(_ token: Range<Int>, expected: String?) -> SyntaxFault {
    let expectation = expected.map { ", expected \($0)" } ?? ""
    return fault(.syntax, token, "unexpected \(shown(token))\(expectation)")
  }

  package func duplicateKey(_ token: Range<Int>) -> SyntaxFault {
    fault(
      .duplicateKey, token, "duplicate key \(quoted(String(text(token).dropFirst().dropLast())))")
  }

  package func tooDeep(_ token: Range<Int>) -> SyntaxFault {
    fault(.tooDeep, token, "more than \(Self.greatestDepth) levels of nesting")
  }

  package func numberOutOfRange(_ token: Range<Int>) -> SyntaxFault {
    fault(.numberOutOfRange, token, "number out of range \(shown(token))")
  }

  package func invalidUTF8(at offset: Int) -> SyntaxFault {
    let byte = String(bytes[offset], radix: 16, uppercase: true)
    return SyntaxFault(
      code: .invalidUTF8, offset: offset, message: "byte 0x\(byte) is not UTF-8")
  }

  private func fault(
    _ code: JSONError.Code, _ token: Range<Int>, _ message: String
  ) -> SyntaxFault {
    SyntaxFault(code: code, offset: token.lowerBound, message: message)
  }

  private func shown(_ token: Range<Int>) -> String {
    let text = text(token)
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return quoted(text) }
    return "string \(quoted(String(text.dropFirst().dropLast())))"
  }
}
