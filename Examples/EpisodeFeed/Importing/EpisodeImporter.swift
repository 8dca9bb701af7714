import Moho

/// Brings feeds into a store, each in one transaction.
///
/// An episode whose id is in the store updates that row where it differs, and
/// leaves it unwritten where it does not. An error leaves everything as it was.
public struct EpisodeImporter: Sendable {
  /// What happens to episodes that the feed no longer has.
  public enum Policy: Sendable {
    /// They stay.
    case upsert
    /// They are deleted, those of other podcasts excepted. A feed from which
    /// items were left out deletes nothing: the episode may be among them.
    case mirror
  }

  /// The store that feeds are imported into.
  public let store: ModelStore

  /// Makes an importer.
  public init(_ store: ModelStore) { self.store = store }

  /// Imports a feed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - policy: What happens to episodes that it no longer has.
  ///   - progress: Told from time to time how many episodes are done.
  /// - Throws: ``FeedError`` of code ``FeedError/Code/idTaken`` where another
  ///   podcast has an episode of the same id, `StoreError` where the store
  ///   cannot be written.
  @discardableResult
  public func `import`(
    _ feed: Feed, _ policy: Policy = .upsert, progress: (Int) -> Void = { _ in }
  ) throws -> ImportReport {
    try store.write { writer in
      try checkIDs(of: feed, writer.reader)
      var report = ImportReport(skipped: feed.failures.count)
      for start in stride(from: 0, to: feed.episodes.count, by: batchSize) {
        let end = min(start + batchSize, feed.episodes.count)
        let episodes = feed.episodes[start..<end].map { episode in
          var episode = episode
          episode.podcast = feed.title
          return episode
        }
        report.add(try writer.save(episodes))
        progress(end)
      }
      if policy == .mirror, feed.failures.isEmpty, !feed.episodes.isEmpty {
        report.deleted = try deleteEpisodes(missingIn: feed, writer)
      }
      return report
    }
  }

  private var batchSize: Int { 1_000 }

  private func checkIDs(of feed: Feed, _ reader: StoreReader) throws {
    let ids = Set(feed.episodes.map(\.id))
    var taken: [String] = []
    let others = ModelRequest<Episode>().filter { $0.podcast != feed.title }
    try reader.forEachBatch(of: others.batchSize(batchSize)) { batch in
      for episode in batch where ids.contains(episode.id) {
        taken.append("id \"\(episode.id)\" is \"\(episode.title)\" of \"\(episode.podcast)\"")
      }
    }
    guard taken.isEmpty else {
      throw FeedError(
        .idTaken, "\(taken.count) of its ids belong to episodes of another podcast", taken)
    }
  }

  private func deleteEpisodes(missingIn feed: Feed, _ writer: StoreWriter) throws -> Int {
    let ids = Set(feed.episodes.map(\.id))
    var missing: [Episode] = []
    let all = ModelRequest<Episode>().filter { $0.podcast == feed.title }
    try writer.reader.forEachBatch(of: all.batchSize(batchSize)) { batch in
      missing += batch.filter { !ids.contains($0.id) }
    }
    return try writer.delete(missing)
  }
}
