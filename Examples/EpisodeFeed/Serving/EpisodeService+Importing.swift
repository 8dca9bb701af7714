import Foundation
import Moho
import Synchronization

/// Fetching and importing feeds.
extension EpisodeService {
  /// The title of a feed without a title in a file, whose name is not known.
  private static let fileTitle = "Untitled podcast"

  /// Imports the text of a feed.
  func importFile(_ body: Data) async throws -> CommandMessage {
    let (store, editing) = (store, editing)
    return try await activities.run("Importing a file") { progress in
      let feed = try await Blocking.run {
        try Feed(reading: body, isLossy: true, defaultTitle: Self.fileTitle)
      }
      let report = try await editing.perform { _ in
        try EpisodeImporter(store).import(feed) { try progress.report($0) }
      }
      return CommandMessage(message: report.sentence)
    } ?? CommandMessage(message: "The import was canceled.")
  }

  /// Fetches a feed, and imports it.
  func importFeed(at url: URL) async throws -> CommandMessage {
    let (store, editing) = (store, editing)
    return try await activities.run("Importing \(url.host() ?? "a feed")") { progress in
      let importer = EpisodeImporter(store)
      let feed = try await importer.fetchFeed(at: url)
      let report = try await editing.perform { _ in
        try importer.import(feed) { try progress.report($0) }
      }
      return CommandMessage(message: report.sentence)
    } ?? CommandMessage(message: "The import was canceled.")
  }

  /// Fetches the feeds of a podcast again; nil for all podcasts.
  func refresh(_ podcast: String?) async throws -> CommandMessage {
    let store = store
    let feeds = try await store.subscriptions(of: podcast)
    guard !feeds.isEmpty else {
      let what = podcast == nil ? "no feed is remembered" : "the feed is not remembered"
      throw PageError(.invalidRequest, "\(what): import feeds by their address to refresh them")
    }
    let title = podcast ?? (feeds.count == 1 ? "1 feed" : "\(feeds.count) feeds")
    let results = Shared(RefreshTally())
    let isComplete = try await activities.run("Refreshing \(title)") { progress in
      if feeds.count > 1 { try progress.report(0, of: feeds.count) }
      try await FeedRefresher(store).refresh(feeds) { result in
        let count = results.value.withLock { tally in
          tally.add(result)
          return tally.count
        }
        if feeds.count > 1 { try progress.report(count, of: feeds.count) }
      }
      return true
    }
    let tally = results.value.withLock { $0 }
    return CommandMessage(
      message: tally.sentences(canceledOf: isComplete == nil ? feeds.count : nil),
      details: tally.failures.isEmpty ? nil : tally.failures.sorted().map(PageError.excerpt))
  }
}

/// A value that closures of other tasks change.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

extension ActivityProgress {
  /// Reports the progress of an import.
  fileprivate func report(_ progress: ImportProgress) throws {
    try report(progress.completedModels, of: progress.totalModels)
  }
}
