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

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Podcast", Podcast.init, .key("title", \.title), .key("count", \.count),
      .key("unplayed", \.unplayed))
  }
}

extension PodcastsMessage {
  /// Reads the numbers of episodes by podcast and by whether they are played.
  /// Podcasts whose title is longer than that of a request are left out.
  init(_ rows: [ValueRow]) {
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
    let sorted = podcasts.values.sorted { $0.title < $1.title }
    self.init(podcasts: Array(sorted.prefix(Self.limit)))
  }
}
