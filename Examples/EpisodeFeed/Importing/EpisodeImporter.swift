import Moho

/// Imports feeds into a store, each in one transaction.
///
/// New episodes are inserted. Stored episodes of the same podcast with the same id
/// are updated if they differ, and are not written otherwise. An error imports
/// nothing.
public struct EpisodeImporter: Sendable {
  /// What happens to stored episodes that are no longer in the feed.
  public enum Policy: Sendable {
    /// They remain in the store.
    case upsert
    /// They are deleted. Episodes of other podcasts remain. A feed with skipped
    /// items deletes nothing, since it may still have the episodes.
    case mirror
  }

  /// The store to import into.
  public let store: ModelStore

  /// Creates an importer.
  public init(_ store: ModelStore) { self.store = store }

  /// Imports a feed.
  ///
  /// - Parameters:
  ///   - feed: The feed.
  ///   - policy: What happens to stored episodes that are no longer in the
  ///     feed.
  ///   - progress: Receives the number of imported episodes after each batch.
  /// - Throws: `StoreError`.
  @discardableResult
  public func `import`(
    _ feed: Feed, _ policy: Policy = .upsert, progress: (Int) -> Void = { _ in }
  ) throws -> ImportReport {
    try store.write { writer in
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
