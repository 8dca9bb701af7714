import CommandTesting
import EpisodeFeed
import Moho

extension Tool {
  static let episodeFeed = Tool("episode-feed")
}

extension TemporaryFolder {
  /// The store of the program in a file.
  func store(_ name: String = "store.sqlite") throws -> ModelStore {
    try ModelStore(
      path: path(name), models: Episode.self, FeedSubscription.self, PlayingPosition.self)
  }
}
