import Foundation
import Moho

/// The podcasts of a store with the numbers of their episodes.
public struct PodcastCounts: Hashable, Sendable {
  /// A podcast and the numbers of its episodes.
  public struct Podcast: Hashable, Sendable {
    /// The title; empty for episodes without a podcast.
    public var title: String
    /// The number of episodes.
    public var count: Int
    /// The number of episodes that the user has not listened to.
    public var unplayed: Int

    /// Creates a podcast.
    public init(title: String, count: Int, unplayed: Int) {
      self.title = title
      self.count = count
      self.unplayed = unplayed
    }
  }

  /// The podcasts, ordered by title as readers order titles.
  public private(set) var podcasts: [Podcast]

  /// Creates the counts of podcasts with different titles.
  public init(_ podcasts: [Podcast] = []) {
    self.podcasts = podcasts.sorted { one, other in
      switch one.title.localizedStandardCompare(other.title) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: one.title < other.title
      }
    }
  }

  /// The number of all episodes.
  public var count: Int { podcasts.reduce(0) { $0 + $1.count } }

  /// The number of all episodes that the user has not listened to.
  public var unplayed: Int { podcasts.reduce(0) { $0 + $1.unplayed } }

  /// The numbers of episodes by podcast and by whether they are played, which
  /// ``init(_:)-([ValueRow])`` reads.
  public static let query = ValueQuery<[ValueRow]>.aggregates(
    ModelRequest<Episode>(), groupedBy: { [$0.podcast, $0.isPlayed] }, { _ in [.count] })

  /// Reads the rows of the ``query``.
  public init(_ rows: [ValueRow]) {
    // Strings that are canonically equivalent are different titles in the store.
    var podcasts: [[UInt8]: Podcast] = [:]
    for row in rows {
      guard row.values.count == 3, case .string(let title) = row.values[0],
        case .bool(let isPlayed) = row.values[1], case .int64(let count) = row.values[2]
      else { continue }
      let key = Array(title.utf8)
      var podcast = podcasts[key] ?? Podcast(title: title, count: 0, unplayed: 0)
      podcast.count += Int(count)
      if !isPlayed { podcast.unplayed += Int(count) }
      podcasts[key] = podcast
    }
    self.init(Array(podcasts.values))
  }
}
