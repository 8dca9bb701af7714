import Foundation

/// Collects the markup inside of an element, as HTML.
struct MarkupText {
  /// The depth of the element.
  let depth: Int
  private var text = ""

  init(depth: Int) { self.depth = depth }

  /// The markup inside of the `div` element that contains it in Atom feeds.
  var content: String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix("<div"), text.hasSuffix("</div>"),
      let end = text.firstIndex(of: ">")
    else { return text }
    return String(text[text.index(after: end)...].dropLast(6))
  }

  mutating func start(_ name: String, _ attributes: [String: String]) {
    text += "<\(name)"
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      text += " \(name)=\"\(HTMLText.escaped(value))\""
    }
    text += ">"
  }

  mutating func end(_ name: String) {
    if !["area", "br", "col", "hr", "img", "wbr"].contains(name) { text += "</\(name)>" }
  }

  mutating func add(_ string: String) { text += HTMLText.escaped(string) }
}

extension HTMLText {
  /// Whether a text has tags or character references.
  static func isHTML(_ text: String) -> Bool {
    text.contains(/<[A-Za-z\/!]|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/)
  }

  /// Whether a text has character references, or elements with an end tag.
  static func hasInlineMarkup(_ text: String) -> Bool {
    text.contains(
      /<(b|i|u|a|p|q|s|em|tt|div|del|ins|sub|sup|code|cite|font|span|abbr|small|strong)(?:\s[^>]*)?>(?s:.)*<\/\1>|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/
        .ignoresCase())
  }

  /// The text with character references instead of the characters of markup.
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// The text of HTML on one line. Text that is not HTML is returned unchanged.
  static func line(_ text: String) -> String {
    guard isHTML(text) else { return text }
    return plain(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
