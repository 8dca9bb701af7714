/// Converts HTML to plain text with line breaks.
///
/// The conversion is for reading show notes in a terminal. It accepts any text,
/// and never fails: tags are removed, blocks and list items begin a line,
/// addresses follow the text of their links, and scripts and styles are
/// omitted. Its time is linear in the length of the text. The result may have
/// unsafe characters, like other data.
enum HTMLText {
  /// The default number of bytes of UTF-8 that are converted.
  static let limit = 200_000

  /// The text of an HTML document or fragment.
  ///
  /// - Parameter limit: The number of bytes of UTF-8 that are converted.
  static func plain(_ html: String, limit: Int = limit) -> String {
    var converter = Converter(Array(html.utf8.prefix(limit)))
    return converter.convert()
  }

  /// Elements whose content is not text.
  fileprivate static let hidden: Set<String> = [
    "script", "style", "head", "template", "svg", "iframe", "object", "select", "title",
  ]
  /// Elements that are surrounded by empty lines.
  fileprivate static let paragraphs: Set<String> = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "table",
    "figure", "hr",
  ]
  /// Elements that begin and end a line.
  fileprivate static let lines: Set<String> = [
    "div", "section", "article", "header", "footer", "main", "aside", "nav", "li", "dt", "dd",
    "tr", "figcaption", "details", "summary", "address", "form",
  ]
}

extension HTMLText {
  private struct Tag {
    var name: String
    var isEnd: Bool
    var address: String?
    /// The text that replaces a picture.
    var alternative: String?
  }

  private struct Converter {
    private let bytes: [UInt8]
    private var position = 0
    private var text: [UInt8] = []
    /// The number of line breaks at the end of the text.
    private var breakCount = 0
    private var needsSpace = false
    private var preformattedDepth = 0
    /// The numbers of the last items of open lists; nil for bullets.
    private var lists: [Int?] = []
    /// The address of the open link, and the start of its text.
    private var link: (address: String, start: Int)?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func convert() -> String {
      while position < bytes.count {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "<"):
          if let tag = readTag() { handle(tag) }
        case UInt8(ascii: "&"): appendReference()
        default:
          position += 1
          append(byte)
        }
      }
      endLink()
      while let last = text.last, last == 0x0A || last == 0x20 { text.removeLast() }
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func append(_ byte: UInt8) {
      if preformattedDepth > 0 {
        if byte == 0x0A { breakLine(maximum: .max) } else { appendVisible([byte]) }
      } else if byte.isASCIISpace {
        needsSpace = true
      } else {
        appendVisible([byte])
      }
    }

    private mutating func appendVisible(_ new: some Sequence<UInt8>) {
      if needsSpace, breakCount == 0, !text.isEmpty { text.append(0x20) }
      needsSpace = false
      breakCount = 0
      text += new
    }

    /// Ends lines until the text ends with a number of line breaks.
    private mutating func endLine(_ count: Int = 1) {
      needsSpace = false
      while breakCount < count, !text.isEmpty { breakLine(maximum: count) }
    }

    private mutating func breakLine(maximum: Int) {
      needsSpace = false
      guard !text.isEmpty, breakCount < maximum else { return }
      text.append(0x0A)
      breakCount += 1
    }

    private mutating func handle(_ tag: Tag) {
      if HTMLText.paragraphs.contains(tag.name) {
        // A list in a list has no empty lines.
        endLine(["ul", "ol"].contains(tag.name) && lists.count > (tag.isEnd ? 1 : 0) ? 1 : 2)
      } else if HTMLText.lines.contains(tag.name) {
        endLine()
      }
      switch tag.name {
      case "br": breakLine(maximum: 2)
      case "td", "th": needsSpace = true
      case "hr": if !tag.isEnd { appendVisible("---".utf8); endLine(2) }
      case "pre": preformattedDepth = max(0, preformattedDepth + (tag.isEnd ? -1 : 1))
      case "ul", "ol":
        // Lists in lists are indented, but not without limit.
        if tag.isEnd {
          _ = lists.popLast()
        } else if lists.count < 16 {
          lists.append(tag.name == "ol" ? 0 : nil)
        }
      case "li": if !tag.isEnd { beginItem() }
      case "a": if tag.isEnd { endLink() } else { beginLink(tag.address) }
      case "img":
        if let alternative = tag.alternative, !alternative.isEmpty {
          appendVisible("[\(alternative)]".utf8)
        }
      default: if !tag.isEnd, HTMLText.hidden.contains(tag.name) { skipContent(of: tag.name) }
      }
    }

    private mutating func beginItem() {
      let indentation = String(repeating: "  ", count: max(0, lists.count - 1))
      var mark = "•"
      if let last = lists.indices.last, let number = lists[last] {
        lists[last] = number + 1
        mark = "\(number + 1)."
      }
      appendVisible("\(indentation)\(mark) ".utf8)
    }

    private mutating func beginLink(_ address: String?) {
      endLink()
      if let address { link = (address, text.count) }
    }

    /// Appends the address of a link to a page, unless the text shows it.
    private mutating func endLink() {
      guard let (address, start) = link else { return }
      link = nil
      guard address.hasPrefix("http://") || address.hasPrefix("https://") else { return }
      let shown = String(decoding: text[min(start, text.count)...], as: UTF8.self)
      if shown.contains(address) { return }
      let hadSpace = needsSpace
      needsSpace = true
      appendVisible("(\(address))".utf8)
      needsSpace = hadSpace
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

    /// Reads a tag. Nil for comments and declarations, and for a `<` that is
    /// text.
    private mutating func readTag() -> Tag? {
      position += 1
      guard position < bytes.count else { return text("<") }
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
      guard let first = name.first, isLetter(first) else { return text("<") }
      position = name.endIndex
      var tag = Tag(name: String(decoding: name.map(lowercased), as: UTF8.self), isEnd: isEnd)
      while let (name, value) = readAttribute() {
        if name == "href" { tag.address = value }
        if name == "alt" { tag.alternative = value }
      }
      return tag
    }

    private mutating func text(_ text: String) -> Tag? {
      appendVisible(text.utf8)
      return nil
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

    private mutating func appendReference() {
      let (decoded, length) = HTMLReference.decoded(at: position, in: bytes)
      position += length
      // A space from a reference is like other space.
      if decoded.count == 1, decoded[0] <= 0x20 {
        append(decoded[0])
      } else {
        appendVisible(decoded)
      }
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
private func lowercased(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte | 0x20 : byte }

extension UInt8 {
  /// Whether the byte is white space in HTML or XML.
  var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
