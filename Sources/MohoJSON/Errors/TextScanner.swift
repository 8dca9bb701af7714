/// Finds the token that a parser stopped at, to say where it begins and what is
/// wrong with it.
///
/// - Complexity: Linear in the bytes before the token; used for messages only.
struct TextScanner {
  let bytes: UnsafeRawBufferPointer

  /// The token that holds the byte before `end`, which need not be valid, or
  /// nil where there is none.
  func token(endingAt end: Int) -> Range<Int>? {
    var position = 0
    while position < min(end, bytes.count) {
      let next = endOfToken(at: position)
      if next >= end { return isSpace(bytes[position]) ? nil : position..<next }
      position = next
    }
    return nil
  }

  /// The token's text, as it stands in the document.
  func text(_ token: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[token]), as: UTF8.self)
  }

  /// The line and the column of a byte, both from 1.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let before = bytes[..<min(max(offset, 0), bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") }
    var start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if line == 0, before.starts(with: byteOrderMark) { start = byteOrderMark.count }
    let text = UnsafeRawBufferPointer(rebasing: before[start...])
    return (line + 1, String(decoding: text, as: UTF8.self).count + 1)
  }

  private func endOfToken(at start: Int) -> Int {
    switch bytes[start] {
    case let byte where isSpace(byte) || isStructural(byte):
      return start + 1
    case UInt8(ascii: "\""):
      return endOfString(at: start)
    default:
      return bytes[start...].firstIndex { isSpace($0) || isStructural($0) || $0 == quote }
        ?? bytes.count
    }
  }

  private func endOfString(at start: Int) -> Int {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case quote: return position + 1
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return bytes.count
  }

  private var quote: UInt8 { UInt8(ascii: "\"") }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private func isStructural(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: ","), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

/// U+FEFF in UTF-8.
let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
