/// Why a feed could not be read, imported or written, or an episode edited.
///
/// Whatever the error, the store holds what it held before.
public struct FeedError: Error, Sendable {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The text is not JSON.
    public static let notJSON = Code(name: "not JSON")
    /// The document has none of the forms of ``FeedFormat``.
    public static let unknownFormat = Code(name: "not a feed")
    /// The document has a form and does not keep to it, or none of its items is
    /// an episode.
    public static let invalidFeed = Code(name: "invalid feed")
    /// Items of the feed are no episodes, or have the id of another one.
    public static let invalidItems = Code(name: "invalid items")
    /// The feed holds no episodes.
    public static let emptyFeed = Code(name: "empty feed")
    /// The feed has ids that episodes of another podcast have in the store.
    public static let idTaken = Code(name: "id taken")
    /// Episodes cannot be written in a form.
    public static let notWritable = Code(name: "cannot write")
    /// The store has no episodes, or none of a podcast.
    public static let noSuchPodcast = Code(name: "no such podcast")
    /// The store has several podcasts, and a feed has one.
    public static let severalPodcasts = Code(name: "several podcasts")
    /// An episode cannot have the value that an edit gives it.
    public static let invalidEdit = Code(name: "invalid edit")
    /// The store has no episode of an id.
    public static let noSuchEpisode = Code(name: "no such episode")
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was found.
  public let reason: String
  /// All that is wrong, where that is more than one thing.
  public let details: [String]

  init(_ code: Code, _ reason: String, _ details: [String] = []) {
    self.code = code
    self.reason = reason
    self.details = details
  }
}

extension FeedError: CustomStringConvertible {
  /// The message, a line; each of the ``details`` on a line of its own.
  public var description: String {
    (["\(code.name): \(reason)"] + details).joined(separator: "\n")
  }
}
