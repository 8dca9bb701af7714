import CJansson

/// Passes values of a text that is known to be JSON.
struct ValueSkipper {
  let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  init(bytes: UnsafeRawBufferPointer, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// The byte at the position; 0 at the end.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func skipSpace() {
    while [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }

  /// Passes a value, and the white space before it.
  mutating func skipValue() {
    skipSpace()
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        position += 1
      case UInt8(ascii: "\""):
        skipString()
      default:
        skipToken(isInside: depth > 0)
      }
    } while depth > 0 && position < bytes.count
  }

  /// Calls a function at each element of the array at the position; it must
  /// pass the element.
  mutating func forEachElement(_ body: (Int, inout ValueSkipper) -> Void) {
    enter()
    var index = 0
    while nextElement() {
      body(index, &self)
      index += 1
    }
  }

  /// Calls a function at each value of the object at the position; it must pass
  /// the value.
  mutating func forEachMember(_ body: (String, inout ValueSkipper) -> Void) {
    enter()
    while let key = nextMember() { body(key, &self) }
  }

  /// Passes the bracket of the array or object at the position.
  mutating func enter() { position += 1 }

  /// Goes to the next element of the array that was entered; false at its end.
  mutating func nextElement() -> Bool { !isAtEnd(UInt8(ascii: "]")) }

  /// Goes to the value of the next member of the object that was entered, and
  /// returns its key; nil at the end.
  mutating func nextMember() -> String? {
    guard !isAtEnd(UInt8(ascii: "}")) else { return nil }
    let start = position
    skipString()
    let key = text(start..<position)
    skipSpace()
    position += 1
    return key
  }

  /// The text of the number at the position.
  var numberText: String {
    var skipper = self
    skipper.skipSpace()
    let start = skipper.position
    skipper.skipToken(isInside: false)
    return String(decoding: bytes[start..<skipper.position], as: UTF8.self)
  }

  /// The text of a string in quotes.
  private func text(_ range: Range<Int>) -> String {
    let inside = bytes[range].dropFirst().dropLast()
    guard inside.contains(UInt8(ascii: "\\")) else {
      return String(decoding: inside, as: UTF8.self)
    }
    let string = UnsafeRawBufferPointer(rebasing: bytes[range])
    let flags = JSON_DECODE_ANY | JSON_ALLOW_NUL
    guard let value = json_loadb(string.baseAddress, string.count, Int(flags), nil) else {
      return ""
    }
    defer { json_decref(value) }
    return JSONNode(value).string
  }

  /// Passes what separates members and elements, and the end of what holds
  /// them.
  private mutating func isAtEnd(_ bracket: UInt8) -> Bool {
    skipSpace()
    if byte == UInt8(ascii: ",") {
      position += 1
      skipSpace()
    }
    guard byte == bracket || position >= bytes.count else { return false }
    position += 1
    return true
  }

  private mutating func skipString() {
    position += 1
    while position < bytes.count, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }

  /// Passes a number or a name, or inside others also what separates them.
  private mutating func skipToken(isInside: Bool) {
    while position < bytes.count {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "}"),
        UInt8(ascii: "\""):
        return
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09:
        if !isInside { return }
      default: break
      }
      position += 1
    }
  }
}
