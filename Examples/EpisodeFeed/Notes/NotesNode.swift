import Foundation
import Moho
import TextTables

/// A part of show notes that a page shows: an element or text.
///
/// The page builds its own elements and texts from these nodes, so that no HTML of
/// a feed reaches it: no scripts, styles, pictures or forms.
public struct NotesNode: MappedModel, Hashable {
  /// The kind of the element; nil for text.
  public var element: Element?
  /// The text; nil for elements.
  public var text: String?
  /// The address of a link.
  public var address: URL?
  /// The children of the element; nil if it has none.
  public var children: [NotesNode]?

  /// The elements of show notes. Their names are those of HTML.
  public enum Element: String, CaseIterable, FieldValue {
    /// Block elements.
    case div, p, blockquote, pre, h3, ul, ol, li, hr
    /// Inline elements.
    case a, strong, em, s, sub, sup, code, br

    /// Whether the element begins and ends a line.
    var isBlock: Bool {
      switch self {
      case .div, .p, .blockquote, .pre, .h3, .ul, .ol, .li, .hr: true
      case .a, .strong, .em, .s, .sub, .sup, .code, .br: false
      }
    }
  }

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Note", NotesNode.init,
    .key("element", \.element), .key("text", \.text), .key("address", \.address),
    .key("children", \.children))

  init(element: Element?, text: String?, address: URL?, children: [NotesNode]?) {
    self.element = element
    self.text = text
    self.address = address
    self.children = children
  }

  init(_ text: String) { self.init(element: nil, text: text, address: nil, children: nil) }

  init(_ element: Element, _ children: [NotesNode]? = nil, address: URL? = nil) {
    self.init(element: element, text: nil, address: address, children: children)
  }
}

extension NotesNode {
  /// The show notes of an episode, or its summary if it has no show notes.
  static func notes(of episode: Episode) -> [NotesNode] {
    let notes = nodes(ofHTML: episode.contentHTML ?? "", relativeTo: episode.url)
    if !notes.isEmpty { return notes }
    let text = nodes(ofText: episode.contentText ?? "")
    return text.isEmpty ? nodes(ofText: episode.summary ?? "") : text
  }

  /// The nodes of HTML. Elements other than those of ``Element`` are replaced by
  /// their children.
  ///
  /// - Parameters:
  ///   - base: The address that relative addresses refer to.
  ///   - limit: The number of bytes of UTF-8 that are read.
  /// - Complexity: Linear in the length of the text.
  static func nodes(
    ofHTML html: String, relativeTo base: URL? = nil, limit: Int = HTMLText.limit
  ) -> [NotesNode] {
    var scanner = HTMLScanner(html, limit: limit)
    var builder = NotesBuilder(base: base)
    while let token = scanner.next() {
      switch token {
      case .text(let bytes): builder.add(String(decoding: bytes, as: UTF8.self))
      case .reference(let characters): builder.add(String(decoding: characters, as: UTF8.self))
      case .tag(let tag): builder.add(tag)
      }
    }
    return builder.nodes()
  }

  /// The paragraphs of plain text, with links. Text beyond the limits is omitted.
  /// An ellipsis marks a paragraph that was cut at the limit of nodes.
  static func nodes(ofText text: String, limit: Int = HTMLText.limit) -> [NotesNode] {
    if VisibleText.isBlank(text) { return [] }
    let text = String(decoding: text.utf8.prefix(limit), as: UTF8.self)
      .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    var paragraphs: [NotesNode] = []
    var count = 0
    for paragraph in text.split(separator: /\n[ \t]*\n\s*/) {
      var children: [NotesNode] = []
      for line in paragraph.split(separator: "\n") {
        guard count < nodeLimit else {
          children.append(NotesNode("…"))
          break
        }
        let before = children.count
        if !children.isEmpty { children.append(NotesNode(.br)) }
        children += Self.line(line, upTo: nodeLimit - count)
        count += children.count - before
      }
      if !children.isEmpty { paragraphs.append(NotesNode(.p, children)) }
      if count >= nodeLimit { break }
    }
    return paragraphs
  }

  /// The nodes of a line of plain text, in which addresses become links. After
  /// `limit` nodes, the rest is text.
  private static func line(_ text: Substring, upTo limit: Int) -> [NotesNode] {
    var nodes: [NotesNode] = []
    var rest = text
    while nodes.count < limit,
      let match = rest.firstMatch(of: /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]]/)
    {
      if match.range.lowerBound > rest.startIndex {
        nodes.append(NotesNode(String(rest[..<match.range.lowerBound])))
      }
      let text = NotesNode(String(match.0))
      nodes.append(linkAddress(String(match.0)).map { NotesNode(.a, [text], address: $0) } ?? text)
      rest = rest[match.range.upperBound...]
    }
    return rest.isEmpty ? nodes : nodes + [NotesNode(String(rest))]
  }

  /// The maximum number of elements, roughly. What follows is text.
  fileprivate static let nodeLimit = 5_000

  /// The maximum size of an address in bytes.
  private static let addressLimit = 2_000

  /// The address of a link to a web page or for e-mail. Nil for other addresses,
  /// such as those of scripts.
  fileprivate static func linkAddress(_ text: String, relativeTo base: URL? = nil) -> URL? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= addressLimit,
      let url = URL(string: text, relativeTo: base)?.absoluteURL,
      url.isHTTP && url.host()?.isEmpty == false || url.scheme?.lowercased() == "mailto"
    else { return nil }
    return url
  }
}

/// Makes nodes of the tags and texts of HTML, whose elements may be misnested or
/// unclosed.
private struct NotesBuilder {
  private struct Open {
    let element: NotesNode.Element
    var address: URL?
    var children: [NotesNode] = []
  }

  /// The maximum depth. Deeper tags are ignored.
  private static let depthLimit = 32

  private let base: URL?
  private var roots: [NotesNode] = []
  private var open: [Open] = []
  /// The text after the last node.
  private var text = ""
  /// The number of tags that were read as elements.
  private var count = 0

  init(base: URL?) { self.base = base }

  mutating func nodes() -> [NotesNode] {
    end(upTo: 0)
    endText()
    return roots
  }

  mutating func add(_ text: String) { self.text += text }

  private mutating func endText() {
    defer { text = "" }
    guard !text.isEmpty else { return }
    let isSpace = text.allSatisfy(\.isWhitespace)
    let last = (open.last?.children ?? roots).last
    // Space matters after text, not between blocks.
    guard
      !isSpace || open.last?.element == .pre || last.map({ $0.element?.isBlock != true }) == true
    else {
      return
    }
    append(NotesNode(text))
  }

  mutating func add(_ tag: HTMLScanner.Tag) {
    if tag.name == "img" {
      if let text = tag.alternative, !text.isEmpty { add("[\(text)]") }
      return
    }
    // Cells of a row are separated.
    if ["td", "th"].contains(tag.name), !tag.isEnd,
      !text.isEmpty || open.last?.children.isEmpty == false
    {
      add(" ")
    }
    guard count < NotesNode.nodeLimit, let element = Self.elements[tag.name] else { return }
    count += 1
    switch element {
    case .br, .hr:
      if element == .hr { endParagraph() }
      endText()
      if !tag.isEnd || element == .br { append(NotesNode(element)) }
    case _ where tag.isEnd:
      if let index = open.lastIndex(where: { $0.element == element }) { end(upTo: index) }
    default: start(element, address: tag.address)
    }
  }

  private mutating func start(_ element: NotesNode.Element, address: String?) {
    switch element {
    case .li:
      let list = open.lastIndex { [.ul, .ol].contains($0.element) } ?? -1
      if let item = open.lastIndex(where: { $0.element == .li }), item > list { end(upTo: item) }
    case .a:
      if let link = open.lastIndex(where: { $0.element == .a }) { end(upTo: link) }
    default: if element.isBlock { endParagraph() }
    }
    endText()
    guard open.count < Self.depthLimit else { return }
    let url = element == .a ? address.flatMap { NotesNode.linkAddress($0, relativeTo: base) } : nil
    open.append(Open(element: element, address: url))
  }

  /// Ends the open paragraph, which contains no blocks.
  private mutating func endParagraph() {
    if let paragraph = open.lastIndex(where: { $0.element == .p }) { end(upTo: paragraph) }
  }

  /// Ends elements from the innermost one.
  private mutating func end(upTo index: Int) {
    while open.count > index {
      endText()
      guard let ended = open.popLast() else { return }
      if ended.element == .a, ended.address == nil {
        // What is not a link is text.
        for child in ended.children { append(child) }
      } else if !ended.children.isEmpty {
        append(NotesNode(ended.element, ended.children, address: ended.address))
      }
    }
  }

  private mutating func append(_ node: NotesNode) {
    if let last = open.indices.last {
      open[last].children.append(node)
    } else {
      roots.append(node)
    }
  }

  /// The elements that stand for those of HTML.
  private static let elements: [String: NotesNode.Element] = {
    var elements = Dictionary(
      uniqueKeysWithValues: NotesNode.Element.allCases.map { ($0.rawValue, $0) })
    for name in [
      "section", "article", "header", "footer", "main", "aside", "nav", "dt", "dd", "tr",
      "table", "figure", "figcaption", "details", "summary", "address", "form",
    ] { elements[name] = .div }
    for name in ["h1", "h2", "h4", "h5", "h6"] { elements[name] = .h3 }
    for (name, element) in [
      ("b", NotesNode.Element.strong), ("i", .em), ("cite", .em), ("dl", .div), ("del", .s),
      ("strike", .s), ("tt", .code), ("kbd", .code), ("samp", .code),
    ] { elements[name] = element }
    return elements
  }()
}
