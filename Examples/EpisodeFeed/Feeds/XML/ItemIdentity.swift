/// The identities of items that do not have one.
///
/// The URL of its recording identifies an item. If it has no recording, its link
/// does, and otherwise its content. If several items have the same identity, such
/// as the same link, a digest of the content is added.
enum ItemIdentity {
  /// Adds an element with an identity to the items without one.
  ///
  /// - Parameters:
  ///   - name: The name of the element.
  ///   - link: The name of the element of the page.
  static func complete(_ items: [FeedElement], name: String, link: String) {
    let incomplete = items.filter { $0.text(of: name) == nil }
    let ids = incomplete.map { id(of: $0, link) }
    let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
    for (item, id) in zip(incomplete, ids) {
      let content = content(of: item)
      guard id != nil || !content.isEmpty else { continue }
      let digest = "#" + String(digest(content), radix: 16)
      let isUnique = id != nil && counts[id] == 1
      item.children.append(
        FeedElement(
          name, text: isUnique ? id ?? "" : (id ?? "content") + digest, offset: item.offset,
          base: item.base))
    }
  }

  private static func id(of item: FeedElement, _ link: String) -> String? {
    if let about = item.attributes["rdf:about"], !about.isEmpty { return about }
    for (name, attribute) in [("enclosure", "url"), ("link(enclosure)", "href")] {
      let element = item.children.first { $0.name == name }
      if let element, let url = element.attributes[attribute], !url.isEmpty {
        return element.resolved(url)
      }
    }
    guard let page = item.children.first(where: { $0.name == link }) else { return nil }
    let url = page.text.isEmpty ? page.resolved(page.attributes["href"] ?? "") : page.text
    return url.isEmpty ? nil : url
  }

  private static func content(of item: FeedElement) -> String {
    let names = [
      "title", "dc:title", "description", "itunes:summary", "content:encoded", "summary", "content",
    ]
    let texts = names.compactMap { item.text(of: $0)?.text }
    return (texts.isEmpty ? values(of: item) : texts).joined(separator: "\n")
  }

  /// The texts and attributes of an element and the elements in it.
  private static func values(of element: FeedElement) -> [String] {
    let attributes = element.attributes.sorted { $0.key < $1.key }.map(\.value)
    return ([element.text] + attributes + element.children.flatMap(values)).filter { !$0.isEmpty }
  }

  /// FNV-1a, which does not change between processes.
  private static func digest(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
