import CommandSupport
import EpisodeFeed
import Moho

/// The program's store.
enum EpisodeStore: StoreProgram {
  static let command = "episode-feed"
  static let file = "episodes.sqlite"
  static let first = "episode-feed import FILE"

  static func open(_ path: String, _ configuration: StoreConfiguration) throws -> ModelStore {
    try ModelStore(path: path, models: Episode.self, configuration: configuration)
  }
}
