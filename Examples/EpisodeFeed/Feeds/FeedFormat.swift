import Moho

/// The forms of documents that hold episodes.
public enum FeedFormat: String, CaseIterable, Sendable {
  /// JSON Feed, version 1 or 1.1: an object with `version`, `title` and `items`.
  case jsonFeed = "json-feed"
  /// The screencast's API: an array of `{"episode": {…}}`.
  case screencast

  /// What the form is called, with its article.
  public var name: String { self == .jsonFeed ? "a JSON Feed" : "an array of episodes" }

  /// The beginning of every version of JSON Feed.
  static let versionPrefix = "https://jsonfeed.org/version/"

  /// Tells the form of a document.
  ///
  /// - Throws: ``FeedError`` of code ``FeedError/Code/unknownFormat`` that says
  ///   what the document is instead.
  public init(of document: JSONDocument) throws {
    switch document.kind() {
    case .array: self = .screencast
    case .object:
      guard let version = document.value(at: "version") else {
        throw FeedError(.unknownFormat, "it is an object without `version`")
      }
      guard case .string(let text) = version, text.hasPrefix(Self.versionPrefix) else {
        throw FeedError(
          .unknownFormat, "its `version` is \(try Self.excerpt(version)), not that of a JSON Feed")
      }
      self = .jsonFeed
    case let kind:
      throw FeedError(.unknownFormat, "it is a single \(kind ?? .null)")
    }
  }

  private static func excerpt(_ value: JSONValue) throws -> String {
    let text = String(decoding: try value.data(), as: UTF8.self)
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  /// Where the array of items is, or nil where it is the document.
  var items: FieldPath? { self == .jsonFeed ? "items" : nil }

  /// Reads and writes the items.
  var adapter: JSONAdapter<Episode> { self == .jsonFeed ? Self.items : Self.episodes }

  // Kept, because an adapter prepares its paths when it is made.
  private static let items = JSONAdapter<Episode>()
  private static let episodes = JSONAdapter(Episode.screencast, envelope: "episode")
}
