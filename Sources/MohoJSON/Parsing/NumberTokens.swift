/// The numbers of a text that is known to be JSON, in its order, which is also
/// that of the leaves of its tree.
struct NumberTokens {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int

  /// - Parameter position: Where the value begins whose numbers are wanted.
  init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The bytes of the next number; nil behind the last one.
  mutating func next() -> UnsafeRawBufferPointer? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
      default: position += 1
      }
    }
    return nil
  }

  private mutating func number() -> UnsafeRawBufferPointer {
    let start = position
    while position < bytes.count, isPartOfNumber(bytes[position]) { position += 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func skipString() {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }

  private func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
