import Foundation
import Moho

/// Fetches remembered feeds again and imports those that have changed.
///
/// Several feeds are fetched at the same time. Each is imported in its own
/// transaction; a failure does not affect the others, and is recorded in
/// ``FeedSubscription/failure``.
public struct FeedRefresher: Sendable {
  /// The result of one feed.
  public struct Result: Sendable {
    /// The subscription before the refresh.
    public let subscription: FeedSubscription
    /// What happened.
    public let outcome: Outcome
  }

  /// What happened to a feed.
  public enum Outcome: Sendable {
    /// The document has not changed since the last import.
    case unchanged
    /// The feed was imported, without what was left out.
    case imported(ImportReport, Feed)
    /// The feed could not be fetched or imported: ``FetchError``,
    /// ``FeedError``, or an error of the store.
    case failed(any Error)
  }

  /// The store that remembers the feeds.
  public let store: ModelStore
  /// Fetches the documents.
  public let fetcher: FeedFetcher
  /// The maximum number of feeds that are fetched at the same time.
  public let maximumConcurrency: Int

  /// Creates a refresher.
  public init(
    _ store: ModelStore, with fetcher: FeedFetcher = FeedFetcher(), maximumConcurrency: Int = 4
  ) {
    self.store = store
    self.fetcher = fetcher
    self.maximumConcurrency = max(1, maximumConcurrency)
  }

  /// Refreshes feeds.
  ///
  /// - Parameters:
  ///   - subscriptions: The feeds.
  ///   - report: Receives the result of each feed as soon as it is known. If it
  ///     throws, the feeds that are not complete are canceled.
  /// - Throws: `StoreError` if a failure cannot be recorded, the errors of
  ///   `report`, and `CancellationError` if the task is canceled.
  public func refresh(
    _ subscriptions: [FeedSubscription], report: (Result) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Result.self) { group in
      var rest = subscriptions[...]
      for subscription in rest.prefix(maximumConcurrency) {
        group.addTask { try await refresh(subscription) }
      }
      rest = rest.dropFirst(maximumConcurrency)
      for try await result in group {
        if let next = rest.popFirst() { group.addTask { try await refresh(next) } }
        try report(result)
      }
    }
  }

  private func refresh(_ subscription: FeedSubscription) async throws -> Result {
    do {
      return Result(subscription: subscription, outcome: try await outcome(of: subscription))
    } catch let error as CancellationError {
      throw error
    } catch {
      let failure = Self.text(of: error)
      try await store.write { writer in
        guard var current = try writer.reader.subscription(at: subscription.url) else { return }
        current.failure = failure
        try writer.save(current)
      }
      return Result(subscription: subscription, outcome: .failed(error))
    }
  }

  private func outcome(of subscription: FeedSubscription) async throws -> Outcome {
    let fetched = try await fetcher.fetch(subscription.url, since: subscription.validators)
    let updated = subscription.fetched(fetched)
    guard let document = fetched.document else {
      try await store.write { writer in
        guard try writer.reader.subscription(at: subscription.url) != nil else { return }
        try writer.save(updated, replacing: subscription.url)
      }
      return .unchanged
    }
    let feed = try Feed(
      reading: document, isLossy: subscription.isLossy, defaultTitle: subscription.podcast)
    let subscribed = SubscribedFeed(
      feed, of: updated, requestedURL: subscription.url, mustBeKnown: true)
    let report = try await store.write { try EpisodeImporter(store).import(subscribed, $0) }
    return .imported(report, feed)
  }

  /// The reason of a failure on one line.
  static func text(of error: any Error) -> String {
    switch error {
    case let error as FetchError: error.reason
    case let error as FeedError: error.reason
    default: String("\(error)".prefix { $0 != "\n" })
    }
  }
}
