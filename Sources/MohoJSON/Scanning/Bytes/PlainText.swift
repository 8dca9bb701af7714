/// Memory for a text without its escapes.
struct PlainText: ~Copyable {
  fileprivate var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
  private var capacity = 64

  deinit { bytes.deallocate() }

  fileprivate mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    bytes.deallocate()
    capacity = count * 2
    bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  }
}

extension ByteScanner {
  /// The bytes of a text that was passed, without its escapes: valid until the
  /// next text is asked for.
  @inline(__always)
  mutating func text(_ token: Token) -> UnsafeBufferPointer<UInt8> {
    token.kind == .escaped ? unescaped(token.range) : bytes(token.range)
  }

  // SAFETY: No text is longer than it is with its escapes: one of two bytes is
  // one byte, one of six at most three, a pair of twelve is four. Blocks are
  // copied whole, of which the last may go on behind the text by less than a block.
  @inline(never)
  private mutating func unescaped(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    plain.reserve(range.count + Block.size)
    var out = plain.bytes
    var position = range.lowerBound
    while position < range.upperBound {
      while count - position >= Block.size, position < range.upperBound {
        let block = block(at: position)
        block.store(at: out)
        let length = min(block.unescapedLength, range.upperBound - position)
        position += length
        out += length
        if length < Block.size { break }
      }
      guard position < range.upperBound else { break }
      let byte = byte(at: position)
      if byte == UInt8(ascii: "\\") {
        position += appendEscape(at: position, to: &out)
      } else {
        out.pointee = byte
        out += 1
        position += 1
      }
    }
    return UnsafeBufferPointer(start: plain.bytes, count: out - plain.bytes)
  }

  /// Appends the character of an escape, and returns the length of the escape.
  private mutating func appendEscape(
    at position: Int, to out: inout UnsafeMutablePointer<UInt8>
  ) -> Int {
    func append(_ byte: UInt32) {
      out.pointee = UInt8(truncatingIfNeeded: byte)
      out += 1
    }
    switch byte(at: position + 1) {
    case UInt8(ascii: "b"): append(0x08)
    case UInt8(ascii: "f"): append(0x0C)
    case UInt8(ascii: "n"): append(0x0A)
    case UInt8(ascii: "r"): append(0x0D)
    case UInt8(ascii: "t"): append(0x09)
    case UInt8(ascii: "u"):
      let unit = codeUnit(at: position)
      if 0xD800..<0xDC00 ~= unit {
        let scalar = 0x10000 + (unit - 0xD800) << 10 + (codeUnit(at: position + 6) - 0xDC00)
        append(0xF0 | scalar >> 18)
        append(0x80 | scalar >> 12 & 0x3F)
        append(0x80 | scalar >> 6 & 0x3F)
        append(0x80 | scalar & 0x3F)
        return 12
      }
      if unit >= 0x800 {
        append(0xE0 | unit >> 12)
        append(0x80 | unit >> 6 & 0x3F)
        append(0x80 | unit & 0x3F)
      } else if unit >= 0x80 {
        append(0xC0 | unit >> 6)
        append(0x80 | unit & 0x3F)
      } else {
        append(unit)
      }
      return 6
    case let other: append(UInt32(other))
    }
    return 2
  }
}
