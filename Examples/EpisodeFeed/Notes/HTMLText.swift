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
    var converter = Converter(HTMLScanner(html, limit: limit))
    return converter.convert()
  }

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
  private struct Converter {
    private var scanner: HTMLScanner
    private var text: [UInt8] = []
    /// The number of line breaks at the end of the text.
    private var breakCount = 0
    private var needsSpace = false
    private var preformattedDepth = 0
    /// The numbers of the last items of open lists; nil for bullets.
    private var lists: [Int?] = []
    /// The address of the open link, and the start of its text.
    private var link: (address: String, start: Int)?

    init(_ scanner: HTMLScanner) { self.scanner = scanner }

    mutating func convert() -> String {
      while let token = scanner.next() {
        switch token {
        case .text(let bytes): for byte in bytes { append(byte) }
        case .reference(let characters): append(characters)
        case .tag(let tag): handle(tag)
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

    private mutating func handle(_ tag: HTMLScanner.Tag) {
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
      default: break
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

    private mutating func append(_ characters: [UInt8]) {
      // A space from a reference is like other space.
      if characters.count == 1, characters[0] <= 0x20 {
        append(characters[0])
      } else {
        appendVisible(characters)
      }
    }
  }
}
