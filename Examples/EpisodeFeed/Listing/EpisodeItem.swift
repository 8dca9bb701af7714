import Foundation
import Moho

/// An episode of the store as an item of JSON Feed. The extension object also has
/// the podcast, and whether the episode is played.
///
/// ```json
/// {"id": "101", "title": "The Moho", "_episode_feed": {"podcast": "Deep Time", "played": false}}
/// ```
public struct EpisodeItem: MappedModel, Hashable, Sendable {
  private var episode: Episode
  private var podcast: String
  private var isPlayed: Bool

  /// Creates the item of an episode.
  public init(_ episode: Episode) {
    self.init(episode: episode, podcast: episode.podcast, isPlayed: episode.isPlayed)
  }

  private init(episode: Episode, podcast: String, isPlayed: Bool) {
    self.episode = episode
    self.podcast = podcast
    self.isPlayed = isPlayed
  }

  /// The keys of JSON Feed, and those that only the store has.
  public static let mapping = Mapping(
    "EpisodeItem", EpisodeItem.init(episode:podcast:isPlayed:),
    .inlined("episode", \.episode),
    .key("podcast", \.podcast, json: "_episode_feed.podcast"),
    .key("isPlayed", \.isPlayed, json: "_episode_feed.played"))

  private static let adapter = JSONAdapter<EpisodeItem>()

  /// The items of episodes, as a JSON object each.
  ///
  /// - Throws: `MappingError` if JSON cannot represent a value.
  public static func objects(of episodes: [Episode]) throws -> [Data] {
    try episodes.map { try adapter.data(from: EpisodeItem($0), formatting: .compact) }
  }

  /// The item as a JSON object of several lines.
  ///
  /// - Throws: `MappingError` if JSON cannot represent a value.
  public func document() throws -> Data { try Self.adapter.data(from: self, formatting: .pretty) }
}
