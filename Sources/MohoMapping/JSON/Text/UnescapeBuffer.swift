/// Reusable memory for a string whose escape sequences are replaced.
package struct UnescapeBuffer: ~Copyable {
  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
  private(set) var capacity = 64

  deinit { bytes.deallocate() }

  /// The content of a string with its escape sequences replaced. The result is
  /// valid until the next call.
  ///
  /// - Parameters:
  ///   - range: The content in `text`, whose escape sequences are valid.
  // SAFETY: The result is never longer than the range: an escape sequence of two
  // bytes becomes one byte, one of six at most three, a pair of twelve four.
  // Whole blocks are copied, so the last one may end less than a block later.
  @inline(never)
  package mutating func unescape(
    _ text: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> UnsafeBufferPointer<UInt8> {
    guard let start = text.baseAddress else { return UnsafeBufferPointer(start: nil, count: 0) }
    reserve(range.count + ByteBlock.size)
    var out = bytes
    var position = range.lowerBound
    while position < range.upperBound {
      while text.count - position >= ByteBlock.size, position < range.upperBound {
        let block = ByteBlock(at: start + position)
        block.store(at: out)
        let length = min(block.unescapedLength, range.upperBound - position)
        position += length
        out += length
        if length < ByteBlock.size { break }
      }
      guard position < range.upperBound else { break }
      let byte = text[position]
      if byte == UInt8(ascii: "\\") {
        position += Self.append(escapeAt: position, in: text, to: &out)
      } else {
        out.pointee = byte
        out += 1
        position += 1
      }
    }
    return UnsafeBufferPointer(start: bytes, count: out - bytes)
  }

  private mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    bytes.deallocate()
    capacity = count * 2
    bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  }

  /// Appends the character of an escape sequence.
  ///
  /// - Returns: The length of the sequence.
  private static func append(
    escapeAt position: Int, in text: UnsafeRawBufferPointer,
    to out: inout UnsafeMutablePointer<UInt8>
  ) -> Int {
    func append(_ byte: UInt32) {
      out.pointee = UInt8(truncatingIfNeeded: byte)
      out += 1
    }
    switch text.byte(at: position + 1) {
    case UInt8(ascii: "b"): append(0x08)
    case UInt8(ascii: "f"): append(0x0C)
    case UInt8(ascii: "n"): append(0x0A)
    case UInt8(ascii: "r"): append(0x0D)
    case UInt8(ascii: "t"): append(0x09)
    case UInt8(ascii: "u"):
      let unit = text.codeUnit(at: position) ?? 0
      if 0xD800..<0xDC00 ~= unit {
        let low = text.codeUnit(at: position + 6) ?? 0xDC00
        let scalar = 0x10000 + (unit - 0xD800) << 10 + (low &- 0xDC00)
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
    case let character: append(UInt32(character))
    }
    return 2
  }
}

extension UnsafeRawBufferPointer {
  /// The string between two offsets, whose escape sequences are valid.
  package func string(_ content: Range<Int>, hasEscapes: Bool) -> String {
    guard hasEscapes else {
      return String(decoding: UnsafeRawBufferPointer(rebasing: self[content]), as: UTF8.self)
    }
    var buffer = UnescapeBuffer()
    return String(decoding: buffer.unescape(self, content), as: UTF8.self)
  }
}
