/// Values of any type.
extension ByteScanner {
  /// The value at a position of the tape.
  mutating func jsonValue(at start: Int) -> JSONValue {
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

extension JSONValue {
  /// Reads a text. Nil if it needs the diagnostic path.
  init?(scanning text: UnsafeRawBufferPointer) {
    var scanner = ByteScanner()
    scanner.begin(text)
    defer { scanner.end() }
    scanner.skipSpace()
    guard scanner.recordValue(at: -1) else { return nil }
    scanner.skipSpace()
    guard scanner.position == text.count else { return nil }
    self = scanner.jsonValue(at: 0)
  }
}
