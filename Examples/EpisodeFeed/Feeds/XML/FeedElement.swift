import Foundation

/// An element of an XML feed.
///
/// Its name does not depend on the prefixes of the document: elements in the
/// namespace of the root have no prefix, and those of known modules have their
/// usual prefix, such as `itunes:duration`.
final class FeedElement {
  /// The name. ``FeedVocabulary`` may refine it, as in `link(enclosure)`.
  var name: String
  /// The module of the name; see ``FeedNamespaces``.
  let module: String
  /// The attributes with their prefixes.
  let attributes: [String: String]
  /// The offset of the start tag in the text.
  let offset: Int
  /// The URL that relative URLs refer to.
  let base: URL?
  /// The child elements, in the order of the document.
  var children: [FeedElement] = []
  /// The text between the tags, without that of child elements.
  var text = ""

  init(
    _ name: String, module: String = "", attributes: [String: String] = [:], text: String = "",
    offset: Int, base: URL? = nil
  ) {
    self.name = name
    self.module = module
    self.attributes = attributes
    self.text = text
    self.offset = offset
    self.base = base
  }

  /// The first child with a name that has text.
  func text(of name: String) -> FeedElement? {
    children.first { $0.name == name && !$0.text.isEmpty }
  }

  /// Returns a URL resolved against ``base``; other text is returned unchanged.
  func resolved(_ reference: String) -> String {
    guard let base, !reference.isEmpty, let url = URL(string: reference), url.scheme == nil
    else {
      return reference
    }
    return URL(string: reference, relativeTo: base)?.absoluteString ?? reference
  }
}
