import Moho

/// Where the user stopped listening to an episode.
///
/// It is not a key of ``Episode``, so that lists do not change while an episode
/// plays, and so that it remains if an episode is deleted and restored.
public struct PlayingPosition: MappedModel, Hashable, Sendable {
  /// The title of the episode's podcast.
  public var podcast: String
  /// The identifier of the episode.
  public var episode: String
  /// The position in seconds.
  public var seconds: Double

  /// Creates a position.
  public init(podcast: String, episode: String, seconds: Double) {
    self.podcast = podcast
    self.episode = episode
    self.seconds = seconds
  }

  /// The keys.
  public static let mapping = Mapping(
    "PlayingPosition", PlayingPosition.init,
    .key("podcast", \.podcast), .key("episode", \.episode), .key("seconds", \.seconds)
  )
  .identified(by: \.podcast, \.episode)

  /// The position in an episode.
  static func request(_ episode: Episode) -> ModelRequest<PlayingPosition> {
    ModelRequest<PlayingPosition>().filter {
      $0.podcast == episode.podcast && $0.episode == episode.id
    }
  }
}
