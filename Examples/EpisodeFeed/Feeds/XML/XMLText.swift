import Foundation
import Moho

/// The text of an XML document in UTF-8, without the XML declaration.
struct XMLText {
  /// The maximum size of a document in bytes.
  static let maximumSize = 32 << 20

  /// The text. Spaces replace the declaration, whose encoding no longer applies:
  /// the parser must not decode the text again.
  let bytes: [UInt8]
  private let lines: LineTable

  /// - Throws: ``FeedError`` if the text is too large, has an incomplete
  ///   declaration, or has a character that no encoding of XML may have.
  init(_ text: DocumentText) throws {
    var bytes = text.bytes
    guard bytes.count <= Self.maximumSize else {
      throw FeedError(
        .invalidFeed, "the document is larger than \(Self.maximumSize >> 20) MB")
    }
    var start: Int?
    if let declaration = XMLDeclaration(bytes[...]) {
      for index in declaration.range where bytes[index] != UInt8(ascii: "\n") {
        bytes[index] = UInt8(ascii: " ")
      }
    } else {
      start = XMLDeclaration.start(in: bytes[...])
    }
    self.init(bytes: bytes)
    if let start { throw invalid("unexpected end of the document", at: start) }
    // The parser would take such text for UTF-16 or UTF-32.
    if let zero = bytes.firstIndex(of: 0) { throw invalid("invalid character", at: zero) }
  }

  /// The text after a repair, and the messages about it.
  func repaired() -> (XMLText, messages: [String]) {
    let repair = XMLRepair(self)
    return repair.messages.isEmpty ? (self, []) : (XMLText(bytes: repair.bytes), repair.messages)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    lines = LineTable(bytes)
  }

  private func invalid(_ reason: String, at offset: Int) -> FeedError {
    FeedError(.notXML, "invalid XML: \(reason) at \(lineAndColumn(of: offset))")
  }

  /// The number of bytes of a line whose characters are counted.
  private static let columnLimit = 10_000

  /// The position of a byte. Columns count characters, and bytes at the end of a
  /// very long line.
  ///
  /// - Complexity: Linear in the size of the document for the first position, then
  ///   logarithmic in the number of lines. A document can have a
  ///   mistake in every element.
  func position(of offset: Int) -> TextPosition {
    let offset = min(offset, bytes.count)
    let (line, start) = lines.line(of: offset)
    let counted = min(offset, start + Self.columnLimit)
    return TextPosition(
      line: line,
      column: String(decoding: bytes[start..<counted], as: UTF8.self).count + offset - counted + 1,
      offset: offset)
  }

  /// The line and the column of a byte, for messages.
  func lineAndColumn(of offset: Int) -> String {
    let position = position(of: offset)
    return "line \(position.line), column \(position.column)"
  }
}

/// The lines of a text, which are searched for only if a message names a position.
private final class LineTable {
  private let bytes: [UInt8]
  /// The offsets at which lines begin.
  private lazy var starts =
    [0]
    + bytes.indices.lazy.filter { self.bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of the line with a byte, from 1, and its start.
  func line(of offset: Int) -> (number: Int, start: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, starts[low])
  }
}
