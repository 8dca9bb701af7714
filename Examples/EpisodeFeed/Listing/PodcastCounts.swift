import Moho

/// The podcasts of a store with the numbers of their episodes.
public struct PodcastCounts: Hashable, Sendable {
  /// A podcast and the numbers of its episodes.
  public struct Podcast: Hashable, Sendable {
    /// The title; empty for episodes without a podcast.
    public var title: String
    /// The number of episodes.
    public var count: Int
    /// The episodes that the user has not listened to.
    public var unplayed: UnplayedSummary

    /// Creates a podcast.
    public init(title: String, count: Int, unplayed: UnplayedSummary) {
      self.title = title
      self.count = count
      self.unplayed = unplayed
    }
  }

  /// The podcasts, ordered by title as readers order titles.
  public private(set) var podcasts: [Podcast]

  /// Creates the counts of podcasts.
  ///
  /// - Parameter podcasts: Podcasts with different titles, ordered by title.
  public init(_ podcasts: [Podcast] = []) { self.podcasts = podcasts }

  /// The number of all episodes.
  public var count: Int { podcasts.reduce(0) { $0 + $1.count } }

  /// All episodes that the user has not listened to.
  public var unplayed: UnplayedSummary {
    podcasts.reduce(UnplayedSummary(count: 0)) { sum, podcast in
      UnplayedSummary(
        count: sum.count + podcast.unplayed.count,
        seconds: sum.seconds + podcast.unplayed.seconds)
    }
  }

  /// The podcasts with the numbers of their episodes, which ``init(_:)-(GroupsSnapshot)``
  /// reads.
  public static let query = ValueQuery<GroupsSnapshot>.groups(
    ModelRequest<Episode>()
      .grouped(by: { [$0.podcast] }) { [.count] + UnplayedSummary.aggregates($0) }
      .order(collation: .localizedStandard, by: { $0.podcast }))

  /// Reads the groups of the ``query``.
  public init(_ groups: GroupsSnapshot) {
    self.init(
      groups.compactMap { group in
        guard case .string(let title) = group.values["podcast"],
          case .int64(let count) = group.values["count"],
          let unplayed = UnplayedSummary(group.values)
        else { return nil }
        return Podcast(title: title, count: Int(count), unplayed: unplayed)
      })
  }
}
