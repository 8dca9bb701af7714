import Moho

/// The document formats of feeds.
public enum FeedFormat: String, CaseIterable, Sendable {
  /// JSON Feed, version 1 or 1.1: an object with `version`, `title` and
  /// `items`.
  case jsonFeed = "json-feed"
  /// The screencast's API: an array of `{"episode": {…}}`.
  case screencast
  /// RSS 2.0 and its predecessors 0.9x and 1.0, with the modules of iTunes,
  /// content, Dublin Core and media. Read only.
  case rss
  /// Atom 1.0 (RFC 4287) and 0.3, with the modules of iTunes and media. Read only.
  case atom

  /// The name of the format in messages.
  public var name: String {
    switch self {
    case .jsonFeed: "JSON Feed"
    case .screencast: "array of episodes"
    case .rss: "RSS feed"
    case .atom: "Atom feed"
    }
  }

  /// The formats in which feeds can be written.
  public static let writable = [FeedFormat.jsonFeed, .screencast]

  /// The prefix of all version URLs of JSON Feed.
  static let versionPrefix = "https://jsonfeed.org/version/"

  /// Detects the format of a document.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/unknownFormat``, which
  ///   describes the document.
  public init(of document: JSONDocument) throws {
    switch document.kind() {
    case .array: self = .screencast
    case .object:
      guard let version = document.value(at: "version") else {
        throw FeedError(.unknownFormat, "the document is an object without `version`")
      }
      guard case .string(let text) = version, text.hasPrefix(Self.versionPrefix) else {
        throw FeedError(
          .unknownFormat, "`version` is \(try Self.excerpt(version)), not a version of JSON Feed")
      }
      self = .jsonFeed
    case let kind:
      throw FeedError(.unknownFormat, "the document is a single \(kind ?? .null)")
    }
  }

  private static func excerpt(_ value: JSONValue) throws -> String {
    let text = String(decoding: try value.data(), as: UTF8.self)
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// Detects the format of an XML document by its root element.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/unknownFormat``.
  init(of root: FeedElement) throws {
    switch (root.name, root.module) {
    case ("rss", _), ("RDF", _), ("rdf", _): self = .rss
    case ("feed", "atom"): self = .atom
    case ("html", _):
      throw FeedError(.unknownFormat, "the document is a web page, not a feed")
    default:
      throw FeedError(.unknownFormat, "the document is XML with the root <\(root.name)>")
    }
  }

  /// The path of the items; nil if the document is the array.
  var itemsPath: FieldPath? {
    switch self {
    case .jsonFeed: "items"
    case .screencast: nil
    case .rss: "rss.channel.item"
    case .atom: "feed.entry"
    }
  }

  /// The keys of an item.
  var mapping: Mapping<Episode> {
    switch self {
    case .jsonFeed: Episode.mapping
    case .screencast: Episode.screencast
    case .rss: Episode.rss
    case .atom: Episode.atom
    }
  }

  /// The path of an episode in its item.
  var envelope: FieldPath? { self == .screencast ? "episode" : nil }

  /// Reads and writes the items of JSON; nil for XML.
  var adapter: JSONAdapter<Episode>? {
    switch self {
    case .jsonFeed: Self.jsonFeedAdapter
    case .screencast: Self.screencastAdapter
    case .rss, .atom: nil
    }
  }

  // Shared, because creating an adapter prepares its paths.
  private static let jsonFeedAdapter = JSONAdapter<Episode>()
  private static let screencastAdapter = JSONAdapter(
    Episode.screencast, envelope: FeedFormat.screencast.envelope)
}
