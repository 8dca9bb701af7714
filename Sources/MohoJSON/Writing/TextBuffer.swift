/// JSON text in the making.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  /// Takes back what was appended since the text had a length.
  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  /// Appends a literal of more than one character.
  mutating func append(literal text: StaticString) {
    // SAFETY: Such a literal is stored as UTF-8, for the life of the process.
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(raw text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  mutating func append(_ value: UInt64, isNegative: Bool = false) {
    if isNegative { append("-") }
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  mutating func append(_ value: Int64) {
    append(value.magnitude, isNegative: value < 0)
  }

  /// Appends the shortest text that reads back as the same double, an integer
  /// without fraction where integers hold it. The double must be finite.
  mutating func append(_ value: Double) {
    if abs(value) < 1e15, value == value.rounded(.towardZero), value != 0 || value.sign == .plus {
      append(Int64(value))
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  /// Appends text in quotes. Only what RFC 8259 requires is escaped: quotes,
  /// backslashes and control characters.
  mutating func append(string: String) {
    append("\"")
    // SAFETY: The bytes are used inside the call that lends them only.
    if string.utf8.withContiguousStorageIfAvailable({ append(escaping: $0) }) == nil {
      var native = string
      native.withUTF8 { append(escaping: $0) }
    }
    append("\"")
  }

  private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for (position, byte) in text.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      bytes.append(contentsOf: text[start..<position])
      append(escape: byte)
      start = position + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  private mutating func append(escape byte: UInt8) {
    append("\\")
    switch byte {
    case 0x08: append("b")
    case 0x09: append("t")
    case 0x0A: append("n")
    case 0x0C: append("f")
    case 0x0D: append("r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      append(literal: "u00")
      let digits: StaticString = "0123456789abcdef"
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }
}
