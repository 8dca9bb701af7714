extension ByteScanner {
  /// Passes a value that nobody wants.
  ///
  /// - Returns: Whether it is one that the parser accepts, too.
  mutating func passValue() -> Bool { pass(isKept: false) }

  /// Passes a value and puts it on the tape, with all inside it.
  mutating func keepValue() -> Bool { pass(isKept: true) }

  // Not recursive, so that it is one loop over local values. It is there twice,
  // with and without what is done to keep values.
  @inline(__always)
  private mutating func pass(isKept: Bool) -> Bool {
    var depth = 0
    while true {
      let start = position
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let kind = passText()
        guard kind != .none else { return false }
        if isKept { tape.append(Token(kind, start + 1, position - 1)) }
      case UInt8(ascii: "{"):
        guard depth < Self.greatestDepth else { return false }
        frames[depth] = Frame(isObject: true, firstKey: keys.count, token: tape.count)
        if isKept { tape.append(Token(.object, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "}") {
          guard passMemberKey(isKept: isKept) else { return false }
          continue
        }
        end(depth, isEmpty: true, isKept: isKept)
        depth -= 1
      case UInt8(ascii: "["):
        guard depth < Self.greatestDepth else { return false }
        frames[depth] = Frame(isObject: false, firstKey: keys.count, token: tape.count)
        if isKept { tape.append(Token(.array, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "]") { continue }
        end(depth, isEmpty: true, isKept: isKept)
        depth -= 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let kind = passNumber()
        guard kind != .none else { return false }
        if isKept { tape.append(Token(kind, start, position)) }
      default:
        let kind = passName()
        guard kind != .none else { return false }
        if isKept { tape.append(Token(kind, start, position)) }
      }
      // What is behind the value: the ends of what it is in, or the next one.
      while true {
        if depth == 0 { return true }
        skipSpace()
        let isObject = frames[depth - 1].isObject
        if skip(",") {
          if isKept { frames[depth - 1].count += 1 }
          skipSpace()
          if isObject { guard passMemberKey(isKept: isKept) else { return false } }
          break
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        if isObject {
          guard keys.endObject(from: frames[depth - 1].firstKey) else { return false }
        }
        end(depth, isEmpty: false, isKept: isKept)
        depth -= 1
      }
    }
  }

  /// Passes the bracket that closes the innermost array or object.
  @inline(__always)
  private mutating func end(_ depth: Int, isEmpty: Bool, isKept: Bool) {
    position += 1
    guard isKept else { return }
    let frame = frames[depth - 1]
    tape.close(frame.token, end: position, count: isEmpty ? 0 : frame.count + 1)
  }

  @inline(__always)
  private mutating func passMemberKey(isKept: Bool) -> Bool {
    guard skip("\"") else { return false }
    let start = position
    var hash: UInt64 = 0
    let kind = passKey(&hash)
    guard kind != .none else { return false }
    keys.append(hash)
    if isKept { tape.append(Token(key: kind, start, position - 1, hash: hash)) }
    return passColon()
  }
}
