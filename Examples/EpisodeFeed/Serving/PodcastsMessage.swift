import Foundation
import Moho

/// The podcasts of a store with the numbers of their episodes.
public struct PodcastsMessage: MappedModel, Hashable {
  /// The podcasts, ordered by title.
  public var podcasts: [Podcast]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Podcasts", PodcastsMessage.init, .key("podcasts", \.podcasts))

  /// The maximum number of podcasts.
  public static let limit = 1_000

  /// A podcast.
  public struct Podcast: MappedModel, Hashable {
    /// The title; empty for episodes without a podcast.
    public var title: String
    /// The number of episodes.
    public var count: Int
    /// The number of episodes that the user has not listened to.
    public var unplayed: Int
    /// The length of these episodes in seconds; nil if it is not known.
    public var unplayedSeconds: Double?
    /// True if the feed of the podcast can be fetched again.
    public var isRemembered: Bool?
    /// Why the feed could not be fetched the last time.
    public var failure: String?
    /// The picture.
    public var imageURL: URL?

    /// Creates a podcast whose feed is not remembered.
    public init(title: String, count: Int, unplayed: Int, unplayedSeconds: Double? = nil) {
      self.init(
        title: title, count: count, unplayed: unplayed, unplayedSeconds: unplayedSeconds,
        isRemembered: nil, failure: nil, imageURL: nil)
    }

    fileprivate init(
      title: String, count: Int, unplayed: Int, unplayedSeconds: Double?, isRemembered: Bool?,
      failure: String?, imageURL: URL?
    ) {
      self.title = title
      self.count = count
      self.unplayed = unplayed
      self.unplayedSeconds = unplayedSeconds
      self.isRemembered = isRemembered
      self.failure = failure
      self.imageURL = imageURL
    }

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Podcast",
      Podcast.init(title:count:unplayed:unplayedSeconds:isRemembered:failure:imageURL:),
      .key("title", \.title), .key("count", \.count), .key("unplayed", \.unplayed),
      .key("unplayedSeconds", \.unplayedSeconds), .key("isRemembered", \.isRemembered),
      .key("failure", \.failure), .key("imageURL", \.imageURL))
  }
}

extension PodcastsMessage {
  /// Makes podcasts of the numbers of episodes and of the remembered feeds.
  /// Podcasts whose title is longer than that of a request are left out.
  init(_ counts: PodcastCounts, _ subscriptions: [FeedSubscription]) {
    // Strings that are canonically equivalent are different titles in the store.
    let feeds = Dictionary(subscriptions.map { (Array($0.podcast.utf8), $0) }) { _, last in last }
    let podcasts = counts.podcasts.lazy
      .filter { $0.title.utf16.count <= EpisodeList.podcastLimit }
      .map { podcast in
        let feed = feeds[Array(podcast.title.utf8)]
        return Podcast(
          title: podcast.title, count: podcast.count, unplayed: podcast.unplayed.count,
          unplayedSeconds: podcast.unplayed.seconds > 0 ? podcast.unplayed.seconds : nil,
          isRemembered: feed == nil ? nil : true, failure: feed?.failure.map(PageError.sentence),
          imageURL: feed?.imageURL.flatMap(PageRow.webAddress))
      }
    self.init(podcasts: Array(podcasts.prefix(Self.limit)))
  }
}
