import CJansson
import MohoMapping

extension JSONError {
  /// The error that Jansson reports, in our words.
  ///
  /// Jansson says at which byte it stopped, behind the offending token; where
  /// the token begins and what is wrong inside a string is read again from the
  /// text.
  init(_ error: json_error_t, in bytes: UnsafeRawBufferPointer) {
    let scanner = TextScanner(bytes: bytes)
    let stop = min(max(Int(error.position), 0), bytes.count)
    let fault = Self.fault(error, stop: stop, scanner: scanner)
    let place = scanner.place(of: fault.offset)
    self.init(
      code: fault.code, line: place.line, column: place.column, offset: fault.offset,
      message: fault.message)
  }

  private static func fault(
    _ error: json_error_t, stop: Int, scanner: TextScanner
  ) -> (code: Code, offset: Int, message: String) {
    let bytes = scanner.bytes
    let code = withUnsafePointer(to: error) { json_error_code($0) }
    if code == json_error_invalid_utf8 {
      let byte = stop < bytes.count ? " \(hexadecimal(bytes[stop]))" : ""
      return (.invalidUTF8, stop, "byte\(byte) is not UTF-8")
    }
    if code == json_error_out_of_memory {
      return (.outOfMemory, stop, "out of memory")
    }
    // Jansson takes a NUL byte for the end.
    let isAtNull = stop > 0 && bytes[stop - 1] == 0
    if code == json_error_premature_end_of_input, !isAtNull {
      return (.unexpectedEnd, bytes.count, "unexpected end of input")
    }
    guard let token = scanner.token(endingAt: stop) else {
      return (.syntax, stop, "unexpected text")
    }
    if bytes[token.lowerBound] == UInt8(ascii: "\""),
      let fault = StringFault.first(in: bytes, stringAt: token.lowerBound)
    {
      return (fault.code, fault.offset, fault.message)
    }
    let (name, message) = description(code, error, scanner.text(token))
    return (name, token.lowerBound, message)
  }

  private static func description(
    _ code: json_error_code, _ error: json_error_t, _ token: String
  ) -> (Code, String) {
    switch code {
    case json_error_duplicate_key:
      (.duplicateKey, "duplicate key \(quoted(String(token.dropFirst().dropLast())))")
    case json_error_stack_overflow:
      (.tooDeep, "more than 2048 levels of nesting")
    case json_error_numeric_overflow:
      (.numberOutOfRange, "number out of range \(shown(token))")
    case json_error_end_of_input_expected:
      (.syntax, "unexpected \(shown(token)), expected end of input")
    default:
      (.syntax, "unexpected \(shown(token))\(expectation(error))")
    }
  }

  /// What Jansson's message says it expected, if it does.
  private static func expectation(_ error: json_error_t) -> String {
    let text = withUnsafeBytes(of: error.text) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let expectations = [
      ("':' expected", #"":""#),
      ("']' expected", #""," or "]""#),
      ("'}' expected", #""," or "}""#),
      ("string or '}' expected", #"string or "}""#),
    ]
    for (beginning, expected) in expectations where text.hasPrefix(beginning) {
      return ", expected \(expected)"
    }
    return ""
  }
}

/// A token as messages show it, which has quotes of its own if it is a string.
func shown(_ token: String) -> String {
  guard token.count > 1, token.hasPrefix("\""), token.hasSuffix("\"") else { return quoted(token) }
  return "string \(quoted(String(token.dropFirst().dropLast())))"
}

/// A byte as `0xFF`.
private func hexadecimal(_ byte: UInt8) -> String {
  "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}
