import Foundation
import Moho

/// The episodes of one podcast, read from a file or to be written to one.
public struct Feed: Sendable {
  /// The format of the document from which the feed was read.
  public var format: FeedFormat
  /// The title of the podcast.
  public var title: String
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
    _ title: String, format: FeedFormat = .jsonFeed, episodes: [Episode],
    failures: [ItemFailure] = []
  ) {
    self.title = title
    self.format = format
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
