import Foundation
import MohoMapping

/// Counts lines and columns from the beginning of a text on.
struct PlaceCounter {
  private(set) var offset = 0
  private var line = 1
  private var column = 1

  var position: TextPosition { TextPosition(line: line, column: column, offset: offset) }

  /// Counts what comes next. It must end where a character does.
  mutating func count(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    // A byte order mark has no column.
    if offset == 0, rest.starts(with: byteOrderMark) {
      rest = UnsafeRawBufferPointer(rebasing: rest[byteOrderMark.count...])
    }
    offset += bytes.count
    while let lineFeed = rest.firstOffset(of: UInt8(ascii: "\n")) {
      line += 1
      column = 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(lineFeed + 1)...])
    }
    column += rest.characterCount
  }
}

extension UnsafeRawBufferPointer {
  /// The characters of a text in UTF-8 without line feeds.
  // ASCII characters are a byte each, and two of them never one, but for
  // carriage return and line feed. So only where others are between them must
  // be looked for what belongs together.
  fileprivate var characterCount: Int {
    var characters = 0
    var position = 0
    while let other = firstOther(from: position) {
      let start = Swift.max(position, other - 1)
      var end = other
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

  /// The offset of the first byte from a position on that is not ASCII.
  private func firstOther(from start: Int) -> Int? {
    var position = start
    while position + 8 <= count,
      loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
    }
    while position < count, self[position] < 0x80 { position += 1 }
    return position < count ? position : nil
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first byte of a value.
  func firstOffset(of byte: UInt8) -> Int? {
    // SAFETY: The bytes are as many as the buffer says, and begin where it does.
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
