import Foundation
import Moho

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Parses an XML document to a tree of ``FeedElement``.
///
/// Documents with declarations of entities are refused, so that entities can
/// neither expand without limit nor refer to files. The number of elements and
/// their depth are limited.
final class FeedElementParser: NSObject, XMLParserDelegate {
  private static let maximumDepth = 100
  private static let maximumCount = 1_000_000

  private let text: XMLText
  private let baseURL: URL?
  private var tags: TagScanner
  private var stack: [FeedElement] = []
  private var root: FeedElement?
  private var count = 0
  /// The markup inside of an element whose content is XHTML.
  private var markup: MarkupText?
  private var failure: FeedError?

  private init(_ text: XMLText, baseURL: URL?) {
    self.text = text
    self.baseURL = baseURL
    tags = TagScanner(bytes: text.bytes)
  }

  /// Returns the root element.
  ///
  /// - Throws: ``FeedError``.
  static func root(of text: XMLText, baseURL: URL?) throws -> FeedElement {
    guard !text.isWebPage else {
      throw FeedError(.unknownFormat, "the document is a web page, not a feed")
    }
    if let offset = TagScanner.declarations(in: text.bytes) {
      throw FeedError(
        .notXML,
        "invalid XML: declarations of entities or elements are not supported"
          + " at \(text.lineAndColumn(of: offset))")
    }
    let delegate = FeedElementParser(text, baseURL: baseURL)
    let parser = XMLParser(data: Data(text.bytes))
    parser.shouldProcessNamespaces = true
    parser.shouldResolveExternalEntities = false
    parser.delegate = delegate
    // The result is not reliable: FoundationXML returns true for a document that
    // is cut off.
    let isValid = parser.parse()
    if let failure = delegate.failure { throw failure }
    guard isValid, parser.parserError == nil, delegate.stack.isEmpty, let root = delegate.root
    else { throw delegate.invalid(parser, "the document is not well-formed") }
    return root
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard failure == nil else { return }
    let offset = tags.next() ?? text.bytes.count
    count += 1
    guard stack.count < Self.maximumDepth, count <= Self.maximumCount else {
      let limit =
        stack.count < Self.maximumDepth
        ? "\(Self.maximumCount) elements" : "\(Self.maximumDepth) levels"
      fail(
        parser,
        FeedError(
          .notXML,
          "invalid XML: the document has more than \(limit) at \(text.lineAndColumn(of: offset))"))
      return
    }
    let parent = stack.last
    let module = FeedNamespaces.module(namespaceURI ?? "", root: root?.module, rootName: name)
    let base =
      attributes["xml:base"].flatMap { URL(string: $0, relativeTo: parent?.base ?? baseURL) }
      ?? parent?.base ?? baseURL
    let element = FeedElement(
      FeedVocabulary.name(name, module, attributes, rootModule: root?.module ?? module),
      module: module, attributes: attributes, offset: offset, base: base?.absoluteURL)
    stack.append(element)
    if markup != nil {
      markup?.start(name, attributes)
    } else {
      parent?.children.append(element)
      if root == nil { root = element }
      if FeedVocabulary.containsMarkup(element) { markup = MarkupText(depth: stack.count) }
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard failure == nil, let element = stack.last else { return }
    if let markup, markup.depth == stack.count {
      element.text = markup.content
      self.markup = nil
    } else if markup != nil {
      markup?.end(name)
      stack.removeLast()
      return
    }
    stack.removeLast()
    if let parent = stack.last, FeedVocabulary.containsText(parent) { parent.text += element.text }
    element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    FeedVocabulary.complete(element, rootModule: root?.module ?? "")
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { add(string) }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    add(String(decoding: block, as: UTF8.self))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    let reason: String =
      switch (error as NSError).code {
      case 5:
        stack.last.map { "unexpected end of the document in <\($0.name)>" }
          ?? (root == nil ? "unexpected end of the document" : "unexpected text after the document")
      case 9, 81: "invalid character"
      case 26, 27, 28: "undeclared entity"
      case 38, 39, 40, 41, 42, 65: "invalid attribute"
      case 73, 76, 77: "the tags do not match\(stack.last.map { " in <\($0.name)>" } ?? "")"
      case 201: "undeclared namespace prefix"
      default: "the document is not well-formed"
      }
    fail(parser, invalid(parser, reason))
  }

  private func add(_ string: String) {
    guard failure == nil else { return }
    if markup != nil { markup?.add(string) } else { stack.last?.text += string }
  }

  private func fail(_ parser: XMLParser, _ error: FeedError) {
    if failure == nil { failure = error }
    parser.abortParsing()
  }

  private func invalid(_ parser: XMLParser, _ reason: String) -> FeedError {
    FeedError(
      .notXML,
      "invalid XML: \(reason) at line \(max(1, parser.lineNumber)),"
        + " column \(max(1, parser.columnNumber))")
  }
}

extension XMLText {
  /// Whether the document is HTML, which is rarely well-formed XML.
  fileprivate var isWebPage: Bool {
    let start = String(decoding: bytes.prefix(1_000), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }
}

/// Finds the start tags of a document, which `XMLParser` does not locate.
private struct TagScanner {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Moves to the next start tag and returns its offset.
  mutating func next() -> Int? {
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      switch Self.end(after: open, in: bytes) {
      case "":
        position = open + 1
        return open
      case let end: position = Self.skip(past: end, in: bytes, from: open)
      }
    }
    return nil
  }

  /// Returns the offset of the declarations inside a document type, or nil if the
  /// document has no such declarations.
  static func declarations(in bytes: [UInt8]) -> Int? {
    var position = 0
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let end = end(after: open, in: bytes)
      if end.isEmpty { return nil }
      let next = skip(past: end, in: bytes, from: open)
      if end == ">", let bracket = bytes[open..<next].firstIndex(of: UInt8(ascii: "[")) {
        return bracket
      }
      position = next
    }
    return nil
  }

  /// What ends the markup at an offset; empty for a start tag.
  private static func end(after open: Int, in bytes: [UInt8]) -> String {
    let rest = bytes[open...]
    if rest.starts(with: "<!--".utf8) { return "-->" }
    if rest.starts(with: "<![CDATA[".utf8) { return "]]>" }
    if rest.starts(with: "<?".utf8) { return "?>" }
    if rest.starts(with: "<!".utf8) || rest.starts(with: "</".utf8) { return ">" }
    return ""
  }

  private static func skip(past end: String, in bytes: [UInt8], from start: Int) -> Int {
    let (count, last) = (end.utf8.count, UInt8(ascii: ">"))
    var position = start
    while let close = bytes[position...].firstIndex(of: last) {
      position = close + 1
      if position - start >= count, bytes[(position - count)..<position].elementsEqual(end.utf8) {
        return position
      }
    }
    return bytes.count
  }
}
