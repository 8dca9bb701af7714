import Foundation

/// The text of a document in UTF-8, without a byte order mark.
///
/// The encoding is found as RFC 7303 demands: a byte order mark decides, then the
/// `charset` of the response, then the XML declaration; the default is UTF-8. A
/// document without a mark in UTF-16, UTF-32 or EBCDIC is recognized by its first
/// bytes. If the text is not valid in an encoding, the next one is tried.
struct DocumentText {
  /// The text. JSON without a mark is not checked: its parser does that.
  let bytes: [UInt8]
  /// Whether bytes that are not UTF-8 were read as Windows-1252.
  private(set) var hasForeignBytes = false

  /// Whether the document is XML or HTML.
  var isXML: Bool { Self.beginsWithTag(bytes[...]) }

  /// Converts a document to UTF-8.
  ///
  /// - Parameter charset: The encoding that the server has sent, if any.
  /// - Throws: ``FeedError``.
  init(_ data: Data, charset: String? = nil) throws {
    let all = Array(data)
    let (form, markLength) = Self.form(of: all)
    let bytes = all.dropFirst(markLength)
    switch form {
    case .utf8? where markLength > 0, nil where !Self.beginsWithTag(bytes):
      let isXML = Self.beginsWithTag(bytes)
      hasForeignBytes = isXML && TextEncoding.utf8.utf8(bytes) == nil
      self.bytes = hasForeignBytes ? Windows1252.repaired(bytes) : Array(bytes)
    case .named(let name)?:
      guard let start = TextEncoding.named(name).utf8(bytes.prefix(1_000)),
        let declared = XMLDeclaration(start[...])?.encoding,
        let text = TextEncoding(declared)?.utf8(bytes)
      else { throw Self.invalid("EBCDIC") }
      self.bytes = text
    case let encoding?:
      guard let text = encoding.utf8(bytes) else { throw Self.invalid(encoding.family) }
      self.bytes = text
    case nil: (self.bytes, hasForeignBytes) = try Self.text(bytes, charset)
    }
  }

  /// Converts XML whose first bytes do not show its encoding.
  private static func text(
    _ bytes: ArraySlice<UInt8>, _ charset: String?
  ) throws -> ([UInt8], hasForeignBytes: Bool) {
    let names = [charset, XMLDeclaration(bytes)?.encoding].compactMap { $0 }
    var encodings = names.compactMap { TextEncoding($0) }
    if encodings.count == names.count { encodings.append(.utf8) }
    for encoding in encodings {
      if let text = encoding.utf8(bytes), beginsWithTag(text[...]) { return (text, false) }
    }
    if let text = TextEncoding.utf8.utf8(bytes) { return (text, false) }
    if let name = names.first(where: { TextEncoding($0) == nil }) {
      throw FeedError(.notXML, "invalid XML: the encoding \"\(name)\" is not supported")
    }
    if encodings.first == .utf8 { return (Windows1252.repaired(bytes), true) }
    throw invalid(names.first ?? "UTF-8")
  }

  private static func invalid(_ name: String) -> FeedError {
    FeedError(.notXML, "invalid XML: the document is not valid \(name) text")
  }

  private static func beginsWithTag(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first { !$0.isASCIISpace } == UInt8(ascii: "<")
  }

  /// The encoding that the first bytes show, and the length of the mark.
  private static func form(of bytes: [UInt8]) -> (TextEncoding?, markLength: Int) {
    let start = Array(bytes.prefix(4))
    let marks: [([UInt8], TextEncoding)] = [
      ([0, 0, 0xFE, 0xFF], .utf32(isBigEndian: true)),
      ([0xFF, 0xFE, 0, 0], .utf32(isBigEndian: false)),
      ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16(isBigEndian: true)),
      ([0xFF, 0xFE], .utf16(isBigEndian: false)),
    ]
    if let (mark, encoding) = marks.first(where: { start.starts(with: $0.0) }) {
      return (encoding, mark.count)
    }
    if start == [0x4C, 0x6F, 0xA7, 0x94] { return (.named("cp037"), 0) }
    // The document begins with a character of ASCII.
    switch start.map({ $0 == 0 }) {
    case [true, true, true, false]: return (.utf32(isBigEndian: true), 0)
    case [false, true, true, true]: return (.utf32(isBigEndian: false), 0)
    case [true, false, true, false]: return (.utf16(isBigEndian: true), 0)
    case [false, true, false, true]: return (.utf16(isBigEndian: false), 0)
    default: return (nil, 0)
    }
  }
}

extension TextEncoding {
  /// The name in messages.
  fileprivate var family: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16: "UTF-16"
    case .utf32: "UTF-32"
    case .windows1252: "Windows-1252"
    case .named(let name): name
    }
  }
}

/// The XML declaration at the beginning of a document.
struct XMLDeclaration {
  /// The bytes of the declaration.
  let range: Range<Int>
  /// The name of the encoding, if the declaration has one.
  let encoding: String?

  /// - Returns: Nil for a document without a complete declaration.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let start = Self.start(in: bytes) else { return nil }
    var end = start
    while end < bytes.endIndex, !bytes[end...].starts(with: "?>".utf8) { end += 1 }
    guard end < bytes.endIndex else { return nil }
    range = start..<end + 2
    let text = String(decoding: bytes[range].prefix(4_000), as: UTF8.self)
    let pattern = /\sencoding\s*=\s*["']([^"'\s]+)["']/.matchingSemantics(.unicodeScalar)
    encoding = text.firstMatch(of: pattern).map { String($0.1) }
  }

  /// The position of a declaration, which may be incomplete.
  static func start(in bytes: ArraySlice<UInt8>) -> Int? {
    guard let start = bytes.firstIndex(where: { !$0.isASCIISpace }),
      bytes[start...].starts(with: "<?xml".utf8), start + 5 < bytes.endIndex,
      bytes[start + 5].isASCIISpace
    else { return nil }
    return start
  }
}
