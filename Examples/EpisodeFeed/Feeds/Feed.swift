import Foundation
import Moho

/// The episodes of one podcast, read from a file or to be written to one.
public struct Feed: Sendable {
  /// The format of the document from which the feed was read.
  public var format: FeedFormat
  /// The title of the podcast.
  public var title: String
  /// The picture of the podcast.
  public var imageURL: URL?
  /// The episodes, in the order of the document.
  public var episodes: [Episode]
  /// The skipped items; empty unless reading was lossy.
  public var failures: [ItemFailure]
  /// The values that were left out of valid items; empty unless reading was
  /// lossy.
  public var skippedValues: [ItemFailure] = []
  /// What was repaired in the document; empty unless reading was lossy.
  public var repairs: [String] = []

  /// Creates a feed.
  public init(
    _ title: String, format: FeedFormat = .jsonFeed, imageURL: URL? = nil, episodes: [Episode],
    failures: [ItemFailure] = []
  ) {
    self.title = title
    self.format = format
    self.imageURL = imageURL
    self.episodes = episodes
    self.failures = failures
  }
}

/// An invalid item of a feed or an item with invalid values, and the reasons.
public struct ItemFailure: Sendable, CustomStringConvertible {
  /// The position of the item in the feed, from 0.
  public let index: Int
  /// A message for each mistake.
  public let messages: [String]

  /// The messages, one on each line.
  public var description: String { messages.joined(separator: "\n") }
}

/// The keys of a JSON Feed other than its items.
struct FeedHeader {
  var version = FeedFormat.versionPrefix + "1.1"
  var title: String

  static let mapping = Mapping(
    "Feed", FeedHeader.init, .key("version", \.version), .key("title", \.title))
}

/// The picture of a podcast, which may be missing or invalid.
struct FeedPicture {
  var url: URL?

  static let json = Mapping(
    "Feed", FeedPicture.init, .key("url", \.url, json: "icon", alternatives: ["favicon"]))

  static let xml = Mapping(
    "Feed", FeedPicture.init,
    .key(
      "url", \.url, json: "itunes:image.@href",
      alternatives: ["googleplay:image.@href", "image.url", "logo", "icon"], .webURL))
}
