import Moho
import TextTables

extension ModelStore {
  /// The episodes of one podcast as a feed, newest first.
  ///
  /// - Parameter podcast: The title of the podcast; nil for the only podcast in
  ///   the store.
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchPodcast`` or
  ///   ``FeedError/Code/severalPodcasts``, or `StoreError`.
  public func feed(of podcast: String? = nil) throws -> Feed {
    let episodes = try fetch(EpisodeList(podcast: podcast).request)
    let titles = Set(episodes.map(\.podcast)).sorted()
    guard let title = titles.first else {
      throw FeedError(
        .noSuchPodcast,
        podcast.map { "the store has no podcast \(VisibleText.quoted($0))" }
          ?? "the store has no episodes")
    }
    guard titles.count == 1 else {
      throw FeedError(
        .severalPodcasts, "the store has \(titles.count) podcasts",
        titles.map { VisibleText.quoted($0) })
    }
    return Feed(title, episodes: episodes)
  }
}
