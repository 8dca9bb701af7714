import Foundation

/// The names of RSS 2.0, Atom and their modules, and what their elements mean
/// beyond their names.
enum FeedVocabulary {
  static let atom = "http://www.w3.org/2005/Atom"

  /// The usual prefixes of modules, by their namespaces in lowercase.
  private static let prefixes = [
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://search.yahoo.com/mrss/": "media",
    "http://www.w3.org/2005/atom": "atom",
  ]

  /// The types of Atom's texts that contain HTML.
  private static let htmlTypes: Set = ["html", "xhtml", "text/html"]

  /// The name of an element; see ``FeedElement``.
  ///
  /// Atom distinguishes elements by attributes. These become a part of the
  /// name, so that a mapping can refer to them: `link(enclosure)`,
  /// `content(html)`.
  static func name(
    _ local: String, _ namespace: String, _ attributes: [String: String], rootNamespace: String
  ) -> String {
    var name = local
    if namespace != rootNamespace {
      name = "\(prefixes[namespace.lowercased()] ?? namespace):\(local)"
    }
    guard namespace == atom else { return name }
    switch local {
    case "link": return "\(name)(\(attributes["rel"] ?? "alternate"))"
    case "content" where attributes["src"] != nil: return "content(src)"
    case "content":
      let type = attributes["type"] ?? "text"
      if htmlTypes.contains(type) { return "content(html)" }
      return ["text", "text/plain"].contains(type) ? name : "content(other)"
    default: return name
    }
  }

  /// Whether the child elements of an element are XHTML.
  static func containsMarkup(_ element: FeedElement) -> Bool {
    element.namespace == atom && element.attributes["type"] == "xhtml"
  }

  /// Completes an element whose children are complete.
  static func complete(_ element: FeedElement, rootNamespace: String) {
    let isAtom = element.namespace == atom
    switch element.name {
    case "title" where isAtom, "summary" where isAtom:
      if htmlTypes.contains(element.attributes["type"] ?? "text") {
        element.text = HTMLText.line(element.text)
      }
    case "link": element.text = element.resolved(element.text)
    case "item" where element.namespace == rootNamespace: completeItem(element)
    default: break
    }
  }

  /// Adds the elements that an item of RSS implies:
  ///
  /// - Without `guid`, the recording or the page identifies the item.
  /// - Without `link`, a `guid` that is a URL is the page.
  /// - `description` is the show notes, or the summary if there are both.
  private static func completeItem(_ item: FeedElement) {
    func add(_ name: String, _ text: String, at source: FeedElement) {
      item.children.append(FeedElement(name, text: text, offset: source.offset, base: source.base))
    }
    let enclosure = item.children.first { $0.name == "enclosure" }
    if let guid = item.text(of: "guid") {
      let isLink = guid.attributes["isPermaLink"] != "false"
      if isLink, item.text(of: "link") == nil, guid.text.hasPrefix("http") {
        add("link", guid.text, at: guid)
      }
    } else if let enclosure, let url = enclosure.attributes["url"] {
      add("guid", enclosure.resolved(url), at: enclosure)
    } else if let link = item.text(of: "link") {
      add("guid", link.text, at: link)
    }
    guard let description = item.text(of: "description") else { return }
    if item.text(of: "itunes:summary") == nil, item.text(of: "itunes:subtitle") == nil {
      add("itunes:summary", HTMLText.line(description.text), at: description)
    }
    if item.text(of: "content:encoded") == nil, HTMLText.isHTML(description.text) {
      add("content:encoded", description.text, at: description)
    }
    // What remains is plain text.
    if item.text(of: "content:encoded") != nil { description.text = "" }
  }
}
