import Moho

/// The document formats of feeds.
public enum FeedFormat: String, CaseIterable, Sendable {
  /// JSON Feed, version 1 or 1.1: an object with `version`, `title` and
  /// `items`.
  case jsonFeed = "json-feed"
  /// The screencast's API: an array of `{"episode": {…}}`.
  case screencast

  /// The name of the format in messages.
  public var name: String { self == .jsonFeed ? "JSON Feed" : "array of episodes" }

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

  /// The path of the array of items; nil if the document is the array.
  var itemsPath: FieldPath? { self == .jsonFeed ? "items" : nil }

  /// Reads and writes the items.
  var adapter: JSONAdapter<Episode> {
    self == .jsonFeed ? Self.jsonFeedAdapter : Self.screencastAdapter
  }

  // Shared, because creating an adapter prepares its paths.
  private static let jsonFeedAdapter = JSONAdapter<Episode>()
  private static let screencastAdapter = JSONAdapter(Episode.screencast, envelope: "episode")
}
