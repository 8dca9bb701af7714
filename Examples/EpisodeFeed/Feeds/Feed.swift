import Foundation
import Moho

/// The episodes of one podcast, as they come from a file or go to one.
public struct Feed: Sendable {
  /// The form of the document that it was read from.
  public var format: FeedFormat
  /// The title of the podcast.
  public var title: String
  /// The episodes, in the order of the document.
  public var episodes: [Episode]
  /// The items that were left out, and why; empty where reading was strict.
  public var failures: [ItemFailure]

  /// Makes a feed.
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

/// Why one item of a feed is no episode.
public struct ItemFailure: Sendable, CustomStringConvertible {
  /// The position of the item in the feed, from 0.
  public let index: Int
  /// What is wrong, a line for each mistake.
  public let messages: [String]

  /// The messages, a line each.
  public var description: String { messages.joined(separator: "\n") }
}
