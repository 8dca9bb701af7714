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
    // ASCII characters are a byte each: of carriage return and line feed, which
    // are one together, no line feed is left.
    column += rest.isASCII ? rest.count : String(decoding: rest, as: UTF8.self).count
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first byte of a value.
  func firstOffset(of byte: UInt8) -> Int? {
    // SAFETY: The bytes are as many as the buffer says, and begin where it does.
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - start
  }

  fileprivate var isASCII: Bool {
    var position = 0
    var bits: UInt64 = 0
    while position + 8 <= count {
      bits |= loadUnaligned(fromByteOffset: position, as: UInt64.self)
      position += 8
    }
    while position < count {
      bits |= UInt64(self[position])
      position += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
