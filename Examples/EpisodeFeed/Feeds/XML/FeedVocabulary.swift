import Foundation

/// The names of RSS, Atom and their modules, and what their elements mean beyond
/// their names.
enum FeedVocabulary {
  /// The types of Atom's texts that contain HTML.
  private static let htmlTypes: Set = ["html", "xhtml", "text/html", "application/xhtml+xml"]

  /// The name of an element; see ``FeedElement``.
  ///
  /// Atom distinguishes elements by attributes. These become a part of the
  /// name, so that a mapping can refer to them: `link(enclosure)`,
  /// `content(html)`.
  static func name(
    _ local: String, _ module: String, _ attributes: [String: String], rootModule: String
  ) -> String {
    let name = module == rootModule ? local : "\(module):\(local)"
    guard module == "atom" else { return name }
    switch local {
    case "link": return "\(name)(\(attributes["rel"] ?? "alternate"))"
    case "content" where attributes["src"] != nil: return "\(name)(src)"
    case "content":
      let type = attributes["type"] ?? "text"
      if htmlTypes.contains(type) { return "\(name)(html)" }
      return ["text", "text/plain"].contains(type) ? name : "\(name)(other)"
    default: return name
    }
  }

  /// Whether the child elements of an element are XHTML. Atom 0.3 has modes.
  static func containsMarkup(_ element: FeedElement) -> Bool {
    guard element.module == "atom" else { return false }
    let type = element.attributes["type"] ?? ""
    return type == "xhtml"
      || htmlTypes.contains(type) && type.contains("/")
        && (element.attributes["mode"] ?? "xml") == "xml"
  }

  /// Whether the text of child elements is text of the element, as in titles
  /// with markup.
  static func containsText(_ element: FeedElement) -> Bool {
    ["title", "dc:title", "itunes:title", "media:title", "atom:title"].contains(element.name)
  }

  /// Completes an element whose children are complete.
  static func complete(_ element: FeedElement, rootModule: String) {
    switch element.name {
    case "title" where element.module == "atom", "summary" where element.module == "atom",
      "atom:title", "atom:summary":
      if htmlTypes.contains(element.attributes["type"] ?? "text") {
        element.text = HTMLText.line(element.text)
      }
    case "title", "dc:title", "media:title", "itunes:title":
      // Text that is escaped twice is HTML. `Deep <Time>` is text.
      if HTMLText.hasInlineMarkup(element.text) { element.text = HTMLText.line(element.text) }
    case "link": element.text = element.resolved(element.text)
    case "item": completeItem(element)
    case "entry": chooseEnclosure(element, "link(enclosure)", url: "href")
    default: break
    }
  }

  /// Adds the elements that an item of RSS implies:
  ///
  /// - Without `link`, a `guid` that is a URL is the page.
  /// - `description` is the show notes, or the summary if there are both.
  /// - Of several recordings, the first that is sound counts.
  private static func completeItem(_ item: FeedElement) {
    func add(_ name: String, _ text: String, at source: FeedElement) {
      item.children.append(FeedElement(name, text: text, offset: source.offset, base: source.base))
    }
    chooseEnclosure(item, "enclosure", url: "url")
    if let guid = item.text(of: "guid") {
      let isLink = guid.attributes["isPermaLink"] != "false"
      if isLink, item.text(of: "link") == nil, guid.text.hasPrefix("http") {
        add("link", guid.text, at: guid)
      }
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

  /// Replaces the recordings of an item by the first that is sound, then the first
  /// that is a film, then the first that is no picture.
  private static func chooseEnclosure(_ item: FeedElement, _ name: String, url: String) {
    let groups = item.children.filter { $0.name == "media:group" }
    let all =
      item.children.filter { [name, "atom:link(enclosure)"].contains($0.name) }
      + (item.children + groups.flatMap(\.children)).filter { $0.name == "media:content" }
    let known = all.map { ($0, $0.attributes["url"] ?? $0.attributes["href"] ?? "") }
      .filter { !$0.1.isEmpty }
    guard let best = known.min(by: { rank($0.0, $0.1) < rank($1.0, $1.1) }),
      best.0.name == name || rank(best.0, best.1) < 2
    else { return }
    var attributes = [url: best.1]
    attributes["type"] = best.0.attributes["type"]
    item.children.removeAll { $0.name == name }
    item.children.append(
      FeedElement(
        name, module: item.module, attributes: attributes, text: best.0.text,
        offset: best.0.offset, base: best.0.base))
  }

  /// The order of recordings: sound, films, others, pictures.
  private static func rank(_ element: FeedElement, _ url: String) -> Int {
    let type = (element.attributes["type"] ?? element.attributes["medium"] ?? "").lowercased()
    let path = url.lowercased().prefix { $0 != "?" && $0 != "#" }
    func has(_ prefix: String, _ suffixes: [String]) -> Bool {
      type.hasPrefix(prefix) || type.isEmpty && suffixes.contains { path.hasSuffix($0) }
    }
    if has("audio", [".mp3", ".m4a", ".ogg", ".opus", ".aac", ".flac", ".wav"]) { return 0 }
    if has("video", [".mp4", ".m4v", ".mov", ".webm"]) { return 1 }
    return has("image", [".jpg", ".jpeg", ".png", ".gif", ".webp"]) ? 3 : 2
  }
}
