import TextTables

/// An error while reading, importing or writing a feed, or editing an episode.
/// The store is unchanged.
///
/// The texts have escapes for unsafe characters in quoted data; see
/// `VisibleText`.
public struct FeedError: Error, Sendable {
  /// The kind of error.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The document is a compressed file.
    public static let compressed = Code(name: "compressed file")
    /// The text is not JSON.
    public static let notJSON = Code(name: "not JSON")
    /// The text is not well-formed XML, or not supported.
    public static let notXML = Code(name: "not XML")
    /// The document has no format of ``FeedFormat``.
    public static let unknownFormat = Code(name: "not a feed")
    /// The document violates its format, or has no valid items.
    public static let invalidFeed = Code(name: "invalid feed")
    /// Some items are invalid, or have the id of an earlier item.
    public static let invalidItems = Code(name: "invalid items")
    /// The feed has no episodes.
    public static let emptyFeed = Code(name: "empty feed")
    /// A format cannot represent the episodes.
    public static let notWritable = Code(name: "cannot write")
    /// The store has no such podcast, or no episodes.
    public static let noSuchPodcast = Code(name: "no such podcast")
    /// The store does not remember the feed.
    public static let noSuchFeed = Code(name: "no such feed")
    /// The store has several podcasts, but a feed has only one.
    public static let severalPodcasts = Code(name: "several podcasts")
    /// The new value of an edit is invalid.
    public static let invalidEdit = Code(name: "invalid edit")
    /// The store has no episode with the id.
    public static let noSuchEpisode = Code(name: "no such episode")
    /// Episodes of several podcasts have the id.
    public static let severalEpisodes = Code(name: "several episodes")
  }

  /// The kind of error.
  public let code: Code
  /// The cause.
  public let reason: String
  /// The single mistakes, if there are several.
  public let details: [String]

  init(_ code: Code, _ reason: String, _ details: [String] = []) {
    self.code = code
    self.reason = VisibleText.escaped(reason)
    self.details = details.map(VisibleText.escaped)
  }
}

extension FeedError: CustomStringConvertible {
  /// The code and the reason, then a line for each of the ``details``.
  public var description: String {
    (["\(code.name): \(reason)"] + details).joined(separator: "\n")
  }
}
