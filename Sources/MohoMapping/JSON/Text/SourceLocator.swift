import Foundation

/// Converts byte offsets to lines and columns, in one pass from the beginning of
/// a text.
package struct SourceLocator {
  package private(set) var offset = 0
  private var line = 1
  private var column = 1

  package init() {}

  /// The position of the byte that follows the counted ones.
  package var position: TextPosition { TextPosition(line: line, column: column, offset: offset) }

  /// Counts the next bytes of the text. They must end at a character boundary.
  package mutating func count(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    // A byte order mark occupies no column.
    if offset == 0 {
      rest = UnsafeRawBufferPointer(rebasing: rest[bytes.byteOrderMarkLength...])
    }
    offset += bytes.count
    while let lineFeed = rest.firstOffset(of: UInt8(ascii: "\n")) {
      line += 1
      column = 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(lineFeed + 1)...])
    }
    column += rest.characterCount
  }

  /// The position of an offset in bytes that follow the counted ones.
  package func position(of offset: Int, in bytes: UnsafeRawBufferPointer) -> TextPosition {
    var locator = self
    locator.count(UnsafeRawBufferPointer(rebasing: bytes[..<offset]))
    return locator.position
  }

  /// The positions of offsets in bytes that follow the counted ones.
  ///
  /// - Complexity: Linear in the number of bytes before the last offset.
  package func positions(of offsets: [Int], in bytes: UnsafeRawBufferPointer) -> [Int: TextPosition]
  {
    var locator = self
    var positions: [Int: TextPosition] = [:]
    var counted = 0
    for offset in Set(offsets).sorted() {
      locator.count(UnsafeRawBufferPointer(rebasing: bytes[counted..<offset]))
      counted = offset
      positions[offset] = locator.position
    }
    return positions
  }
}

extension UnsafeRawBufferPointer {
  /// The number of characters of UTF-8 text without line feeds.
  // Two ASCII characters form one grapheme cluster only as CR and LF, so each is
  // a character of its own. Only runs with non-ASCII characters, with the ASCII
  // character before and after them, need grapheme breaking.
  fileprivate var characterCount: Int {
    var characters = 0
    var position = 0
    while let nonASCII = firstNonASCII(from: position) {
      let start = Swift.max(position, nonASCII - 1)
      var end = nonASCII
      while end < count, self[end] >= 0x80 || (end + 1 < count && self[end + 1] >= 0x80) {
        end += 1
      }
      end = Swift.min(end + 1, count)
      characters += start - position
      characters += String(decoding: self[start..<end], as: UTF8.self).count
      position = end
    }
    return characters + count - position
  }

  private func firstNonASCII(from start: Int) -> Int? {
    var position = start
    while position + 8 <= count,
      loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
    }
    while position < count, self[position] < 0x80 { position += 1 }
    return position < count ? position : nil
  }

  /// The offset of the first byte with a value.
  package func firstOffset(of byte: UInt8) -> Int? {
    // SAFETY: `memchr` reads `count` bytes from the buffer's start.
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
