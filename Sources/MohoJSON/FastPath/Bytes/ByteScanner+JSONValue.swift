/// Values of any type.
extension ByteScanner {
  /// The value at a position of the tape.
  // From the last token to the first, a container follows its parts, and the value of a
  // member follows its key.
  mutating func jsonValue(at start: Int) -> JSONValue {
    var values: [JSONValue] = []
    var position = tape.position(after: start)
    while position > start {
      position -= 1
      let token = tape[position]
      switch token.kind {
      case .array:
        let elements = Array(values.suffix(Int(token.count)).reversed())
        values.removeLast(elements.count)
        values.append(.array(elements))
      case .object:
        var members: JSONValue.Members = []
        members.reserveCapacity(Int(token.count))
        for _ in 0..<token.count {
          guard case .string(let key)? = values.popLast(), let value = values.popLast() else {
            break
          }
          members.append(JSONValue.Member(key, value))
        }
        values.append(.object(members))
      default: values.append(scalar(token))
      }
    }
    return values.last ?? .null
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
