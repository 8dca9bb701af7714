import MohoMapping

/// Counts lines and columns from the beginning of a text on.
struct PlaceCounter {
  private(set) var offset = 0
  private var line = 1
  private var column = 1

  var position: TextPosition { TextPosition(line: line, column: column, offset: offset) }

  /// Counts what comes next. It must end where a character does.
  mutating func count(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    // A byte order mark has no column.
    if offset == 0, rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
    offset += bytes.count
    let breaks = rest.count { $0 == UInt8(ascii: "\n") }
    if breaks > 0, let last = rest.lastIndex(of: UInt8(ascii: "\n")) {
      line += breaks
      column = 1
      rest = rest[(last + 1)...]
    }
    // Such characters are one byte each; the pair of carriage return and line
    // feed is not among them, as there is no line feed left.
    if rest.allSatisfy({ $0 < 0x80 }) {
      column += rest.count
    } else {
      column += String(decoding: UnsafeRawBufferPointer(rebasing: rest), as: UTF8.self).count
    }
  }
}
