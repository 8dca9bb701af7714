/// Reads the tokens of an HTML document or fragment.
///
/// It accepts any text. Comments and declarations are omitted, and so is what is
/// inside of scripts, styles and other elements without text.
///
/// - Complexity: Linear in the length of the text.
struct HTMLScanner {
  /// A part of the text.
  enum Token {
    /// Text without character references.
    case text(ArraySlice<UInt8>)
    /// The characters of a character reference.
    case reference([UInt8])
    case tag(Tag)
  }

  /// A start tag or an end tag.
  struct Tag {
    /// The name in lowercase.
    var name: String
    var isEnd: Bool
    /// The address of a link.
    var address: String?
    /// The text that replaces a picture.
    var alternative: String?
  }

  /// Elements whose content is not text.
  private static let hidden: Set<String> = [
    "script", "style", "head", "template", "svg", "iframe", "object", "select", "title",
  ]

  private let bytes: [UInt8]
  private var position = 0

  /// Creates a scanner of the first bytes of a text, up to a limit.
  init(_ html: String, limit: Int) { bytes = Array(html.utf8.prefix(limit)) }

  /// Reads the next token. Nil at the end.
  mutating func next() -> Token? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "<"):
        if let token = readMarkup() { return token }
      case UInt8(ascii: "&"):
        let (decoded, length) = HTMLReference.decoded(at: position, in: bytes)
        position += length
        return .reference(decoded)
      default:
        let text = bytes[position...].prefix {
          $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
        }
        position = text.endIndex
        return .text(text)
      }
    }
    return nil
  }

  private mutating func skipContent(of name: String) {
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == end[0], bytes[position...].prefix(end.count).map(lowercased) == end {
        return
      }
      position += 1
    }
  }

  /// Reads a tag, or a `<` that is text. Nil for comments and declarations.
  private mutating func readMarkup() -> Token? {
    let begin = position
    position += 1
    guard position < bytes.count else { return .text(bytes[begin..<position]) }
    if bytes[position...].starts(with: "!--".utf8) {
      skip(past: Array("-->".utf8))
      return nil
    }
    if [UInt8(ascii: "!"), UInt8(ascii: "?")].contains(bytes[position]) {
      skip(past: [UInt8(ascii: ">")])
      return nil
    }
    let isEnd = bytes[position] == UInt8(ascii: "/")
    let start = position + (isEnd ? 1 : 0)
    let name = bytes[start...].prefix { isLetter($0) || isDigit($0) }
    guard let first = name.first, isLetter(first) else {
      return .text(bytes[begin..<position])
    }
    position = name.endIndex
    var tag = Tag(name: String(decoding: name.map(lowercased), as: UTF8.self), isEnd: isEnd)
    while let (name, value) = readAttribute() {
      if name == "href" { tag.address = value }
      if name == "alt" { tag.alternative = value }
    }
    if !isEnd, Self.hidden.contains(tag.name) { skipContent(of: tag.name) }
    return .tag(tag)
  }

  private mutating func skip(past end: [UInt8]) {
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    position = min(bytes.count, position + end.count)
  }

  /// Reads an attribute. Nil at the end of the tag.
  private mutating func readAttribute() -> (name: String, value: String)? {
    while position < bytes.count,
      bytes[position].isASCIISpace || bytes[position] == UInt8(ascii: "/")
    {
      position += 1
    }
    guard position < bytes.count, bytes[position] != UInt8(ascii: ">") else {
      position += 1
      return nil
    }
    let name = readWord(until: [UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/")])
    while position < bytes.count, bytes[position].isASCIISpace { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
      return (name.lowercased(), "")
    }
    position += 1
    while position < bytes.count, bytes[position].isASCIISpace { position += 1 }
    guard position < bytes.count else { return nil }
    let quote = bytes[position]
    if quote == UInt8(ascii: ">") { return (name.lowercased(), "") }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return (name.lowercased(), HTMLReference.decoded(readWord(until: [UInt8(ascii: ">")])))
    }
    let value = bytes[(position + 1)...].prefix { $0 != quote }
    position = value.endIndex + 1
    return (
      name.lowercased(), HTMLReference.decoded(String(decoding: value, as: UTF8.self))
    )
  }

  /// Reads at least one byte, up to white space or one of the given bytes.
  private mutating func readWord(until ends: [UInt8]) -> String {
    let word = bytes[position...].dropFirst().prefix { !$0.isASCIISpace && !ends.contains($0) }
    defer { position = word.endIndex }
    return String(decoding: bytes[position..<word.endIndex], as: UTF8.self)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func lowercased(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte | 0x20 : byte }

extension UInt8 {
  /// Whether the byte is white space in HTML or XML.
  var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
