import CJansson

/// A position in a text of which a part may be missing at the end.
struct TextCursor {
  let bytes: UnsafeRawBufferPointer
  /// Whether nothing comes behind the bytes.
  let isLast: Bool
  var position: Int

  /// Passes white space; something must follow.
  mutating func skipSpace() throws(WalkStop) {
    guard skipBlank() else { return }
    throw isLast ? .fault(.unexpectedEnd, offset: bytes.count) : .incomplete
  }

  /// Passes white space.
  ///
  /// - Returns: Whether nothing follows.
  mutating func skipBlank() -> Bool {
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    return position == bytes.count
  }

  /// Passes a byte order mark, if there is one.
  mutating func skipByteOrderMark() throws(WalkStop) {
    let beginning = bytes[position...].prefix(byteOrderMark.count)
    if beginning.elementsEqual(byteOrderMark) {
      position += byteOrderMark.count
    } else if !isLast, byteOrderMark.starts(with: beginning) {
      throw .incomplete
    }
  }

  /// Passes a character, if it is there.
  mutating func skip(_ character: Unicode.Scalar) throws(WalkStop) -> Bool {
    guard bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Passes the comma behind an element, or the end of what holds it.
  ///
  /// - Returns: Whether it is the end.
  mutating func isSeparated(
    from count: Int, closing: Unicode.Scalar
  ) throws(WalkStop) -> Bool {
    try skipSpace()
    if try skip(closing) { return true }
    guard count > 0 else { return false }
    guard try skip(",") else {
      throw .fault(.syntax, offset: position, expected: "\",\" or \"\(closing)\"")
    }
    try skipSpace()
    return false
  }

  /// Passes a key and its colon.
  mutating func key() throws(WalkStop) -> String {
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw .fault(.syntax, offset: position, expected: "string or \"}\"")
    }
    let value = try value(depth: 0)
    defer { json_decref(value) }
    try skipSpace()
    guard try skip(":") else { throw .fault(.syntax, offset: position, expected: "\":\"") }
    try skipSpace()
    return JSONNode(value).string
  }

  /// Passes a value that nobody wants.
  mutating func pass(depth: Int) throws(WalkStop) {
    json_decref(try value(depth: depth))
  }

  /// What the value at the position looks like in a message. Of an object or
  /// array, no more than the beginning need be there.
  mutating func summary(depth: Int) throws(WalkStop) -> String {
    switch bytes[position] {
    case UInt8(ascii: "{"): return "object"
    case UInt8(ascii: "["): return "array"
    default:
      let value = try value(depth: depth)
      defer { json_decref(value) }
      return JSONNode(value).summary
    }
  }

  /// Parses the value at the position, which the caller owns.
  ///
  /// - Parameter depth: How many containers hold the value.
  mutating func value(depth: Int) throws(WalkStop) -> UnsafeMutablePointer<json_t> {
    let start = position
    let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
    var error = json_error_t()
    let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK
    guard let value = JSONParser.parse(rest, flags, &error) else {
      // What the rest of a token would decide is found at most so many bytes
      // before the end.
      if !isLast, Int(error.position) > rest.count - 16 { throw .incomplete }
      throw .syntax(error, offset: start)
    }
    let end = start + Int(error.position)
    // A number may go on; strings, arrays and objects say where they end.
    if end == bytes.count, !isLast, JSONNode(value).isUndelimited {
      json_decref(value)
      throw .incomplete
    }
    if let null = UnsafeRawBufferPointer(rebasing: bytes[start..<end]).firstNull {
      json_decref(value)
      throw .fault(.syntax, offset: start + null)
    }
    // The parser knows of the levels inside the value only. A short value
    // has not many: each takes a byte.
    guard end - start < 2048 - depth || JSONNode(value).fits(levels: 2048 - depth) else {
      json_decref(value)
      throw .fault(.tooDeep, offset: start)
    }
    position = end
    return value
  }

  /// Passes white space up to the end of the text.
  mutating func finish() throws(WalkStop) {
    guard skipBlank() else {
      throw .fault(.syntax, offset: position, expected: "end of input")
    }
    if !isLast { throw .incomplete }
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first NUL byte. Jansson passes one that follows a number
  /// or a name.
  var firstNull: Int? { firstOffset(of: 0) }
}

extension JSONNode {
  /// Whether only what follows says where the value ends.
  fileprivate var isUndelimited: Bool {
    switch kind {
    case .string, .array, .object: false
    default: true
    }
  }
}
