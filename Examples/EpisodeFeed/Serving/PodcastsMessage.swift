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
    /// True if the feed of the podcast can be fetched again.
    public var isRemembered: Bool?
    /// Why the feed could not be fetched the last time.
    public var failure: String?
    /// The picture.
    public var imageURL: URL?

    /// Creates a podcast whose feed is not remembered.
    public init(title: String, count: Int, unplayed: Int) {
      self.init(
        title: title, count: count, unplayed: unplayed, isRemembered: nil, failure: nil,
        imageURL: nil)
    }

    private init(
      title: String, count: Int, unplayed: Int, isRemembered: Bool?, failure: String?,
      imageURL: URL?
    ) {
      self.title = title
      self.count = count
      self.unplayed = unplayed
      self.isRemembered = isRemembered
      self.failure = failure
      self.imageURL = imageURL
    }

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Podcast", Podcast.init(title:count:unplayed:isRemembered:failure:imageURL:),
      .key("title", \.title), .key("count", \.count), .key("unplayed", \.unplayed),
      .key("isRemembered", \.isRemembered), .key("failure", \.failure),
      .key("imageURL", \.imageURL))
  }
}

extension PodcastsMessage {
  /// Makes podcasts of the numbers of episodes by podcast and by whether they are
  /// played, and of the remembered feeds. Podcasts whose title is longer than that
  /// of a request are left out.
  init(_ rows: [ValueRow], _ subscriptions: [FeedSubscription]) {
    // Strings that are canonically equivalent are different titles in the store.
    var podcasts: [[UInt8]: Podcast] = [:]
    for row in rows {
      guard case .string(let title) = row.values[0], case .bool(let isPlayed) = row.values[1],
        case .int64(let count) = row.values[2], title.utf16.count <= EpisodeList.podcastLimit
      else { continue }
      let key = Array(title.utf8)
      var podcast = podcasts[key] ?? Podcast(title: title, count: 0, unplayed: 0)
      podcast.count += Int(count)
      if !isPlayed { podcast.unplayed += Int(count) }
      podcasts[key] = podcast
    }
    for feed in subscriptions {
      let key = Array(feed.podcast.utf8)
      podcasts[key]?.isRemembered = true
      if let failure = feed.failure { podcasts[key]?.failure = PageError.sentence(failure) }
      if let url = feed.imageURL.flatMap(PageRow.webAddress) { podcasts[key]?.imageURL = url }
    }
    let sorted = podcasts.values.sorted { $0.title < $1.title }
    self.init(podcasts: Array(sorted.prefix(Self.limit)))
  }
}
