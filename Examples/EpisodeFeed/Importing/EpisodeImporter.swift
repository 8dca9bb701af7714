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
  ///   - progress: Receives the progress after each 1,000 episodes and at the
  ///     end. If it throws, nothing is imported.
  /// - Throws: `StoreError`, and the errors of `progress`.
  @discardableResult
  public func `import`(
    _ feed: Feed, _ policy: Policy = .upsert, progress: ImportProgress.Handler? = nil
  ) throws -> ImportReport {
    try store.write { try self.import(feed, policy, $0, progress: progress) }
  }

  /// Imports a feed as a part of a transaction.
  func `import`(
    _ feed: Feed, _ policy: Policy, _ writer: StoreWriter, progress: ImportProgress.Handler?
  ) throws -> ImportReport {
    var report = ImportReport(
      skipped: feed.failures.count,
      skippedValues: feed.skippedValues.reduce(0) { $0 + $1.messages.count })
    let episodes = feed.episodes.map { episode in
      var episode = episode
      episode.podcast = feed.title
      return episode
    }
    report.add(try writer.save(episodes, progress: progress))
    if policy == .mirror, feed.failures.isEmpty, !feed.episodes.isEmpty {
      report.deleted = try deleteEpisodes(missingIn: feed, writer)
    }
    return report
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
