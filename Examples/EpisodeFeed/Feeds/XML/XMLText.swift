import Foundation
import Moho

/// The text of an XML document in UTF-8, without the XML declaration.
struct XMLText {
  /// The maximum size of a document in bytes.
  static let maximumSize = 32 << 20

  /// The text. Spaces replace the declaration, whose encoding no longer applies:
  /// the parser must not decode the text again.
  let bytes: [UInt8]

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
    self.bytes = bytes
    if let start { throw invalid("unexpected end of the document", at: start) }
    // The parser would take such text for UTF-16 or UTF-32.
    if let zero = bytes.firstIndex(of: 0) { throw invalid("invalid character", at: zero) }
  }

  /// The text after a repair, and the messages about it.
  func repaired() -> (XMLText, messages: [String]) {
    let repair = XMLRepair(self)
    return repair.messages.isEmpty ? (self, []) : (XMLText(bytes: repair.bytes), repair.messages)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func invalid(_ reason: String, at offset: Int) -> FeedError {
    FeedError(.notXML, "invalid XML: \(reason) at \(lineAndColumn(of: offset))")
  }

  /// The position of a byte. Columns count characters.
  ///
  /// - Complexity: Linear in the number of bytes before the position.
  func position(of offset: Int) -> TextPosition {
    let offset = min(offset, bytes.count)
    let lineFeed = UInt8(ascii: "\n")
    let start = bytes[..<offset].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    return TextPosition(
      line: bytes[..<start].count { $0 == lineFeed } + 1,
      column: String(decoding: bytes[start..<offset], as: UTF8.self).count + 1, offset: offset)
  }

  /// The line and the column of a byte, for messages.
  func lineAndColumn(of offset: Int) -> String {
    let position = position(of: offset)
    return "line \(position.line), column \(position.column)"
  }
}
