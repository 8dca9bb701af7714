import Moho

extension ModelStore {
  /// The episodes of one podcast as a feed, newest first.
  ///
  /// - Parameter podcast: Its title, or nil where the store has only one.
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchPodcast`` where there
  ///   is none, ``FeedError/Code/severalPodcasts`` where it is not clear which;
  ///   `StoreError` where the store cannot be read.
  public func feed(of podcast: String? = nil) throws -> Feed {
    let episodes = try models(EpisodeList(podcast: podcast).request)
    let titles = Set(episodes.map(\.podcast)).sorted()
    guard let title = titles.first else {
      throw FeedError(
        .noSuchPodcast, podcast.map { "there is no podcast \"\($0)\"" } ?? "there are no episodes")
    }
    guard titles.count == 1 else {
      throw FeedError(
        .severalPodcasts, "there are \(titles.count) podcasts", titles.map { "\"\($0)\"" })
    }
    return Feed(title, episodes: episodes)
  }
}
