import Foundation
import Moho

/// The text of an XML document in UTF-8, without the XML declaration.
struct XMLText {
  /// The maximum size of a document in bytes.
  static let maximumSize = 32 << 20

  /// The text. Spaces replace the declaration, whose encoding no longer applies.
  let bytes: [UInt8]

  /// Converts a document to UTF-8. A byte order mark decides the encoding, then
  /// the declaration; the default is UTF-8.
  ///
  /// - Throws: ``FeedError``.
  init(_ data: Data) throws {
    guard data.count <= Self.maximumSize else {
      throw FeedError(
        .invalidFeed, "the document is larger than \(Self.maximumSize >> 20) MB")
    }
    var bytes: [UInt8]
    switch try Encoding(of: data) {
    case .utf8: bytes = Array(data)
    case .text(let name, let encodings):
      let text = encodings.lazy.compactMap { String(data: data, encoding: $0) }.first
      guard let text else {
        throw FeedError(.notXML, "invalid XML: the document is not valid \(name) text")
      }
      bytes = Array(text.utf8)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    Self.eraseDeclaration(&bytes)
    self.bytes = bytes
  }

  /// Whether a document begins with `<` in some encoding.
  static func isXML(_ data: Data) -> Bool {
    let start = data.prefix(4).filter { ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0].contains($0) }
    let rest = start.isEmpty ? data.dropFirst(4) : start + data.dropFirst(4)
    return rest.first { !$0.isASCIISpace && $0 != 0 } == UInt8(ascii: "<")
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

  private static func eraseDeclaration(_ bytes: inout [UInt8]) {
    guard let start = bytes.prefix(1_000).firstIndex(where: { !$0.isASCIISpace }),
      bytes[start...].starts(with: "<?xml ".utf8) || bytes[start...].starts(with: "<?xml\n".utf8),
      let end = bytes[start...].prefix(1_000).firstIndex(of: UInt8(ascii: ">"))
    else { return }
    for index in start...end where bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
  }
}

extension XMLText {
  /// How the bytes of a document represent its text.
  private enum Encoding {
    case utf8
    /// A name for messages, and the encodings to try in order.
    case text(String, [String.Encoding])

    init(of data: Data) throws {
      switch Array(data.prefix(2)) {
      case [0xFF, 0xFE]: self = .text("UTF-16", [.utf16])
      case [0xFE, 0xFF]: self = .text("UTF-16", [.utf16])
      case [0x3C, 0]: self = .text("UTF-16", [.utf16LittleEndian])
      case [0, 0x3C]: self = .text("UTF-16", [.utf16BigEndian])
      default: self = try Self.declared(in: data)
      }
    }

    private static func declared(in data: Data) throws -> Encoding {
      let start = String(decoding: data.prefix(1_000), as: UTF8.self)
      let declaration = /\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/
      let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
      guard !hasMark, let name = start.prefixMatch(of: declaration)?.1 else { return .utf8 }
      switch name.lowercased() {
      // A document that was found to be of bytes is not UTF-16.
      case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": return .utf8
      case "iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252":
        // Most documents that claim to be Latin-1 are Windows-1252, which has
        // characters instead of control characters.
        return .text("Latin-1", [.windowsCP1252, .isoLatin1])
      case "iso-8859-2", "latin2": return .text("Latin-2", [.isoLatin2])
      case "windows-1250": return .text("Windows-1250", [.windowsCP1250])
      case "windows-1251": return .text("Windows-1251", [.windowsCP1251])
      case "windows-1253": return .text("Windows-1253", [.windowsCP1253])
      case "windows-1254": return .text("Windows-1254", [.windowsCP1254])
      case "shift_jis", "sjis": return .text("Shift-JIS", [.shiftJIS])
      case "euc-jp": return .text("EUC-JP", [.japaneseEUC])
      default:
        throw FeedError(.notXML, "invalid XML: the encoding \"\(name)\" is not supported")
      }
    }
  }
}
