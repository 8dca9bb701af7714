import Foundation
import Moho

extension EpisodeImporter {
  /// Fetches a feed, imports it, and remembers its URL for ``FeedRefresher``.
  ///
  /// The document is fetched and imported even if it is unchanged since the
  /// last time.
  ///
  /// - Parameters:
  ///   - url: An HTTP or HTTPS URL.
  ///   - fetcher: Fetches the document.
  /// - Throws: ``FetchError``, ``FeedError``, `StoreError`, and
  ///   `CancellationError` if the task is canceled. The store is unchanged in
  ///   all cases.
  @discardableResult
  public func importFeed(
    at url: URL, with fetcher: FeedFetcher = FeedFetcher()
  ) async throws -> ImportReport {
    let fetched = try await fetchFeed(at: url, with: fetcher)
    return try await store.write { try self.import(fetched, $0) }
  }

  /// Fetches a feed without importing it.
  ///
  /// - Parameters:
  ///   - url: An HTTP or HTTPS URL.
  ///   - podcast: The title of the podcast in the store. The default is the one
  ///     of the last import, or the title of the feed.
  ///   - isMirror: Whether importing deletes episodes that are no longer in the
  ///     feed, now and when the feed is refreshed.
  ///   - isStrict: Whether invalid items and values are errors, now and when the
  ///     feed is refreshed. Otherwise they are left out.
  ///   - fetcher: Fetches the document.
  /// - Throws: As ``importFeed(at:with:)``.
  public func fetchFeed(
    at url: URL, podcast: String? = nil, isMirror: Bool = false, isStrict: Bool = false,
    with fetcher: FeedFetcher = FeedFetcher()
  ) async throws -> SubscribedFeed {
    let url = try FeedFetcher.httpURL(url)
    let known = try await store.read { try $0.subscription(at: url) }
    let fetched = try await fetcher.fetch(url)
    guard let document = fetched.document else { throw FetchError.status(304, url) }
    let feed = try Feed(reading: document, isLossy: !isStrict, defaultTitle: podcast)
    let subscription = FeedSubscription(
      url: url, podcast: podcast ?? known?.podcast ?? feed.title, isMirror: isMirror,
      isLossy: !isStrict)
    return SubscribedFeed(
      feed, of: subscription.fetched(fetched), requestedURL: url, mustBeKnown: false)
  }

  /// Imports a fetched feed and remembers its URL, in one transaction.
  ///
  /// - Parameters:
  ///   - fetched: The feed.
  ///   - progress: Receives the progress; see ``import(_:_:progress:)``.
  /// - Throws: `StoreError`, and the errors of `progress`.
  public func `import`(
    _ fetched: SubscribedFeed, progress: ImportProgress.Handler? = nil
  ) throws -> ImportReport {
    try store.write { try self.import(fetched, $0, progress: progress) }
  }

  func `import`(
    _ fetched: SubscribedFeed, _ writer: StoreWriter, progress: ImportProgress.Handler? = nil
  ) throws -> ImportReport {
    if fetched.mustBeKnown, try writer.reader.subscription(at: fetched.requestedURL) == nil {
      throw FeedError(.noSuchFeed, "the feed was forgotten while it was fetched")
    }
    let report = try self.import(
      fetched.feed, fetched.subscription.policy, writer, progress: progress)
    try writer.save(fetched.subscription, replacing: fetched.requestedURL)
    return report
  }
}

/// A feed that was fetched, with the subscription to remember.
public struct SubscribedFeed: Sendable {
  /// The feed, with the title of its podcast in the store.
  public let feed: Feed
  /// The subscription after the fetch.
  public let subscription: FeedSubscription
  /// The URL that was fetched, before permanent redirects.
  let requestedURL: URL
  /// Whether to import the feed only if the store still remembers it.
  let mustBeKnown: Bool

  init(
    _ feed: Feed, of subscription: FeedSubscription, requestedURL: URL, mustBeKnown: Bool
  ) {
    var feed = feed
    feed.title = subscription.podcast
    self.feed = feed
    var subscription = subscription
    subscription.imageURL = feed.imageURL
    self.subscription = subscription
    self.requestedURL = requestedURL
    self.mustBeKnown = mustBeKnown
  }
}

extension StoreWriter {
  /// Saves a subscription in place of the one with an earlier URL.
  func save(_ subscription: FeedSubscription, replacing url: URL) throws {
    if url != subscription.url, let old = try reader.subscription(at: url) { try delete([old]) }
    try save(subscription)
  }
}
