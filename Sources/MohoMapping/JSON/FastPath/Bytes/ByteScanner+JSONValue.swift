/// Values of any type.
extension ByteScanner {
  /// The value at a position of the tape. An array or object is its text until it is
  /// accessed.
  mutating func jsonValue(at start: Int) -> JSONValue {
    let token = tape[start]
    switch token.kind {
    case .array where token.count > 0: return .array(JSONValue.Elements(compactJSON(at: start)))
    case .object where token.count > 0: return .object(JSONValue.Members(compactJSON(at: start)))
    default: return jsonTree(at: start)
    }
  }

  /// The value at a position of the tape, with all its parts.
  fileprivate mutating func jsonTree(at start: Int) -> JSONValue {
    var builder = JSONValueBuilder()
    for position in (start..<tape.position(after: start)).reversed() {
      let token = tape[position]
      switch token.kind {
      case .array: builder.appendArray(Int(token.count))
      case .object: builder.appendObject(Int(token.count))
      default: builder.append(scalar(token))
      }
    }
    return builder.value
  }

  /// The value of a token that is neither an array nor an object.
  mutating func scalar(_ token: Token) -> JSONValue {
    switch token.kind {
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .int64: return .integer(token.integer)
    case .integer, .number, .double:
      if token.kind == .integer, let integer = int64(token) { return .integer(integer) }
      return .number(double(token) ?? .nan, spelledBy: UnsafeRawBufferPointer(bytes(token.range)))
    case .ascii, .utf8, .escaped: return .string(string(token))
    case .none, .null, .obstacle, .array, .object: return .null
    }
  }
}

extension ByteScanner {
  /// The value of a text. Nil if it needs the diagnostic path. No part of the value refers to
  /// the text.
  ///
  /// - Parameter site: The site of the value in the key order predictor, or -1.
  mutating func value(of text: UnsafeRawBufferPointer, at site: Int) -> JSONValue? {
    defer { end() }
    guard record(text, at: site) else { return nil }
    return jsonValue(at: 0)
  }

  /// Begins a text and records its value. False if it needs the diagnostic path.
  fileprivate mutating func record(_ text: UnsafeRawBufferPointer, at site: Int) -> Bool {
    begin(text)
    skipSpace()
    guard recordValue(at: site) else { return false }
    skipSpace()
    return position == text.count
  }
}

extension JSONValue {
  /// Reads a text with all its parts. Nil if it needs the diagnostic path.
  init?(scanning text: UnsafeRawBufferPointer) {
    var scanner = ByteScanner()
    defer { scanner.end() }
    guard scanner.record(text, at: -1) else { return nil }
    self = scanner.jsonTree(at: 0)
  }
}
