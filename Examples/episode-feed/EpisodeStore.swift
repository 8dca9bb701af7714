import CommandSupport
import EpisodeFeed
import Moho

enum EpisodeStore: StoreProgram {
  static let command = "episode-feed"
  static let file = "episodes.sqlite"
  static let creatingCommand = "episode-feed import FILE"

  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore {
    var configuration = configuration
    // Commits of other programs appear on a screen or page within two frames.
    configuration.externalChangesInterval = 0.02
    return try ModelStore(
      path: path, models: Episode.self, FeedSubscription.self, configuration: configuration)
  }
}
