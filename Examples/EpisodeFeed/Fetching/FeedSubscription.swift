import Foundation
import Moho
import TextTables

/// A feed that the store remembers with its URL, so that it can be fetched
/// again.
///
/// Its episodes are the episodes with its ``podcast``. They remain in the store
/// if the subscription is deleted.
public struct FeedSubscription: MappedModel, Hashable, Sendable {
  /// The URL to fetch.
  public var url: URL
  /// The title of the podcast in the store: the title of the feed when it was
  /// first imported, or another title that the user chose. Later titles of the
  /// feed do not change it, because it identifies the episodes.
  public var podcast: String
  /// The picture of the podcast.
  public var imageURL: URL?
  /// Whether episodes are deleted that are no longer in the feed.
  public var isMirror: Bool
  /// Whether invalid items and values are left out. Otherwise they are errors.
  public var isLossy: Bool
  /// The `ETag` header of the document that was imported last.
  public var entityTag: String?
  /// The `Last-Modified` header of the document that was imported last.
  public var lastModified: String?
  /// When the feed was last fetched with success, changed or not.
  public var fetchedAt: Date?
  /// Why the last fetch or import failed; nil if it succeeded.
  public var failure: String?

  /// Creates a subscription.
  public init(
    url: URL, podcast: String, imageURL: URL? = nil, isMirror: Bool = false,
    isLossy: Bool = true, entityTag: String? = nil, lastModified: String? = nil,
    fetchedAt: Date? = nil,
    failure: String? = nil
  ) {
    self.url = url
    self.podcast = podcast
    self.imageURL = imageURL
    self.isMirror = isMirror
    self.isLossy = isLossy
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.fetchedAt = fetchedAt
    self.failure = failure
  }

  /// The keys.
  public static let mapping = Mapping(
    "FeedSubscription", FeedSubscription.init,
    .key("url", \.url, .unique),
    .key("podcast", \.podcast),
    .key("imageURL", \.imageURL),
    .key("isMirror", \.isMirror, default: false),
    .key("isLossy", \.isLossy, default: true),
    .key("entityTag", \.entityTag),
    .key("lastModified", \.lastModified),
    .key("fetchedAt", \.fetchedAt),
    .key("failure", \.failure))

  /// All subscriptions, by podcast.
  public static var all: ModelRequest<FeedSubscription> {
    ModelRequest<FeedSubscription>().order(by: \.podcast).order(by: \.url)
  }

  /// The policy of imports.
  var policy: EpisodeImporter.Policy { isMirror ? .mirror : .upsert }

  /// What the server sent with the document that was imported last.
  var validators: Validators? {
    guard entityTag != nil || lastModified != nil else { return nil }
    return Validators(entityTag: entityTag, lastModified: lastModified)
  }

  /// Returns the subscription after a fetch.
  func fetched(_ feed: FetchedFeed) -> FeedSubscription {
    var subscription = self
    subscription.url = feed.url
    subscription.fetchedAt = Date()
    subscription.failure = nil
    if let document = feed.document {
      subscription.entityTag = document.validators.entityTag
      subscription.lastModified = document.validators.lastModified
    }
    return subscription
  }
}

extension StoreReader {
  /// The subscription with a URL.
  func subscription(at url: URL) throws -> FeedSubscription? {
    try fetchFirst(ModelRequest<FeedSubscription>().filter { $0.url == url })
  }
}

extension ModelStore {
  /// The remembered feeds, by podcast.
  ///
  /// - Throws: `StoreError`.
  public func subscriptions() throws -> [FeedSubscription] { try fetch(FeedSubscription.all) }

  /// The remembered feeds of a podcast, or all of them.
  ///
  /// - Throws: `StoreError`, and `CancellationError` if the task is canceled.
  public func subscriptions(of podcast: String?) async throws -> [FeedSubscription] {
    guard let podcast else { return try await fetch(FeedSubscription.all) }
    return try await fetch(FeedSubscription.all.filter { $0.podcast == podcast })
  }

  /// Deletes the subscription with a URL, or those with the title of a podcast.
  /// The episodes remain.
  ///
  /// - Returns: The deleted subscriptions.
  /// - Throws: ``FeedError`` of code ``FeedError/Code/noSuchFeed``, or
  ///   `StoreError`.
  public func forgetFeed(_ urlOrPodcast: String) throws -> [FeedSubscription] {
    try write { writer in
      let found = try writer.reader.fetch(FeedSubscription.all).filter {
        $0.url.absoluteString == urlOrPodcast || $0.podcast == urlOrPodcast
      }
      guard !found.isEmpty else {
        throw FeedError(
          .noSuchFeed,
          "no remembered feed has this URL or title: \(VisibleText.quoted(urlOrPodcast))")
      }
      try writer.delete(found)
      return found
    }
  }
}
