import CommandSupport
import EpisodeFeed
import Moho
import MohoPostgres

enum EpisodeStore: StoreProgram {
  static let command = "episode-feed"
  static let file = "episodes.sqlite"
  static let creatingCommand = "episode-feed import FILE"

  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore {
    var configuration = configuration
    // Commits of other programs appear on a screen or page within two frames.
    configuration.externalChangesInterval = 0.02
    return try ModelStore(
      path: path, models: Episode.self, FeedSubscription.self, PlayingPosition.self,
      configuration: configuration)
  }

  static let supportsServers = true

  static func open(_ server: ServerStore) throws -> ModelStore {
    var configuration = PostgresConfiguration()
    configuration.lockTimeout = server.lockTimeout
    configuration.createsTables = server.createsTables
    configuration.isReadOnly = server.isReadOnly
    return try ModelStore(
      postgres: server.url, models: Episode.self, FeedSubscription.self, PlayingPosition.self,
      configuration: configuration)
  }
}
