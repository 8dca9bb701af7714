#if canImport(CJansson)
  import CJansson
  import MohoMapping

  /// libjansson's verdict on a text that the cursor refuses.
  ///
  /// libjansson is the reference: where it is available, errors are worded by what
  /// it reports. Without it, the cursor's own errors are the same.
  enum JanssonVerdict {
    /// The error that libjansson reports about a document.
    ///
    /// - Returns: Nil if libjansson accepts the text, and if the text has NUL bytes
    ///   or keys with U+0000, which libjansson does not read as JSON does.
    static func fault(in text: UnsafeRawBufferPointer) -> SyntaxFault? {
      let mark = text.byteOrderMarkLength
      let document = UnsafeRawBufferPointer(rebasing: text[mark...])
      guard document.firstOffset(of: 0) == nil,
        !document.allSatisfy(\.isJSONWhitespace),
        var error = error(in: document, flags: JSON_ALLOW_NUL)
      else { return nil }
      if json_error_code(&error) == json_error_numeric_overflow {
        // Integers beyond 64 bits are valid.
        let flags = JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL
        guard let second = Self.error(in: document, flags: flags) else { return nil }
        error = second
      }
      let code = json_error_code(&error)
      guard code != json_error_null_byte_in_key else { return nil }
      let stop = min(max(Int(error.position) + mark, 0), text.count)
      return fault(code, error, at: stop, JSONCursor(text))
    }

    private static func error(
      in document: UnsafeRawBufferPointer, flags: Int32
    ) -> json_error_t? {
      var error = json_error_t()
      let flags = flags | JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
      // SAFETY: libjansson reads `count` bytes, and the tree is released once.
      guard let root = json_loadb(document.baseAddress, document.count, Int(flags), &error) else {
        return error
      }
      json_decref(root)
      return nil
    }

    /// - Parameter stop: The offset after the last byte that libjansson read.
    private static func fault(
      _ code: json_error_code, _ error: json_error_t, at stop: Int, _ cursor: JSONCursor
    ) -> SyntaxFault {
      let bytes = cursor.bytes
      switch code {
      case json_error_invalid_utf8 where stop < bytes.count: return cursor.invalidUTF8(at: stop)
      case json_error_out_of_memory:
        return SyntaxFault(code: .outOfMemory, offset: stop, message: "out of memory")
      case json_error_premature_end_of_input: return cursor.unexpectedEnd
      default: break
      }
      guard let token = token(endingAt: stop, cursor) else {
        return SyntaxFault(code: .syntax, offset: stop, message: "unexpected text")
      }
      if bytes[token.lowerBound] == UInt8(ascii: "\""),
        let fault = StringLiteralError.first(in: bytes, stringAt: token.lowerBound)
      {
        return fault
      }
      switch code {
      case json_error_duplicate_key: return cursor.duplicateKey(token)
      case json_error_stack_overflow: return cursor.tooDeep(token)
      case json_error_numeric_overflow: return cursor.numberOutOfRange(token)
      case json_error_end_of_input_expected:
        return cursor.unexpected(token, expected: "end of input")
      default: return cursor.unexpected(token, expected: expectation(error))
      }
    }

    private static func token(endingAt stop: Int, _ cursor: JSONCursor) -> Range<Int>? {
      var cursor = cursor
      cursor.position = cursor.bytes.byteOrderMarkLength
      while cursor.skipWhitespace(), cursor.position < stop {
        let token = cursor.token(at: cursor.position)
        if token.upperBound >= stop { return token }
        cursor.position = token.upperBound
      }
      return nil
    }

    /// What libjansson's message says that it expected.
    private static func expectation(_ error: json_error_t) -> String? {
      let text = withUnsafeBytes(of: error.text) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let expectations = [
        ("':' expected", #"":""#),
        ("']' expected", #""," or "]""#),
        ("'}' expected", #""," or "}""#),
        ("string or '}' expected", #"string or "}""#),
      ]
      return expectations.first { text.hasPrefix($0.0) }?.1
    }
  }
#endif
