import Foundation

/// Fetches feeds from HTTP servers.
///
/// - The server receives the validators of the previous fetch, so that it does
///   not send an unchanged document again.
/// - Redirects are followed to HTTP and HTTPS URLs only.
/// - Sizes and times are limited; see ``Limits``. The size is that of the
///   decoded document, and is checked while it arrives.
/// - The media type is ignored: servers label feeds arbitrarily. The reader
///   detects the format from the document.
/// - Compression is gzip. libcurl accepts a stream that ends early; readers of
///   feeds detect that the document is incomplete.
/// - The environment selects a proxy, such as `https_proxy`. Cookies, `.netrc`
///   and other files of the user have no effect.
///
/// Cancel the task to cancel a fetch. Fetches do not delay each other: each has
/// a thread.
public struct FeedFetcher: Sendable {
  /// The limits of one fetch, including its redirects.
  public struct Limits: Sendable {
    /// The maximum number of bytes of a decoded document.
    public var bytes = 32 << 20
    /// The maximum number of bytes of the headers of one response.
    public var headerBytes = 64 << 10
    /// The maximum time from the first request to the end of the document.
    public var time = Duration.seconds(60)
    /// The maximum number of redirects.
    public var redirects = 10

    /// Creates the default limits: 32 MB, 64 kB of headers, 60 seconds, 10
    /// redirects.
    public init() {}
  }

  /// The limits.
  public var limits: Limits

  /// Creates a fetcher.
  public init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Fetches the document of a feed.
  ///
  /// - Parameters:
  ///   - url: An HTTP or HTTPS URL.
  ///   - validators: The validators of the last document; nil to fetch the
  ///     document even if it is unchanged.
  /// - Throws: ``FetchError``, and `CancellationError` if the task is canceled.
  public func fetch(_ url: URL, since validators: Validators? = nil) async throws -> FetchedFeed {
    let limits = limits
    return try await withThrowingTaskGroup(of: FetchedFeed.self) { group in
      group.addTask { try await Self.fetch(url, since: validators, limits) }
      group.addTask {
        try await Task.sleep(for: limits.time)
        throw FetchError.timedOut(url, limit: limits.time)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private static func fetch(
    _ start: URL, since validators: Validators?, _ limits: Limits
  ) async throws -> FetchedFeed {
    var url = try httpURL(start)
    // The URL to remember: that of the first response that is not a permanent
    // redirect.
    var permanentURL = url
    var isPermanent = true
    var visited: Set<URL> = [url]
    while true {
      let response = try await Transfer(url, headers(validators), limits).response()
      switch response.status {
      case 301, 302, 303, 307, 308:
        url = try target(of: response, from: url)
        isPermanent = isPermanent && [301, 308].contains(response.status)
        if isPermanent { permanentURL = url }
        guard visited.insert(url).inserted else { throw FetchError.redirectLoop(url) }
        guard visited.count <= limits.redirects + 1 else {
          throw FetchError.tooManyRedirects(url, limit: limits.redirects)
        }
      case 304 where validators != nil:
        return FetchedFeed(url: permanentURL, document: nil)
      case 200...299:
        let document = FetchedFeed.Document(
          data: response.body, baseURL: url,
          charset: response.headers["content-type"].flatMap(FetchedFeed.charset),
          validators: Validators(
            entityTag: response.headers["etag"], lastModified: response.headers["last-modified"]))
        return FetchedFeed(url: permanentURL, document: document)
      case let status:
        throw FetchError.status(status, url, retryAfter: response.headers["retry-after"])
      }
    }
  }

  /// Checks that a URL can be fetched, and removes its fragment.
  ///
  /// - Throws: ``FetchError``.
  static func httpURL(_ url: URL) throws -> URL {
    guard url.isHTTP, var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { throw FetchError.invalidURL(url, "the URL is not an HTTP URL") }
    guard components.user == nil, components.password == nil else {
      throw FetchError.containsPassword(url)
    }
    components.fragment = nil
    guard components.host?.isEmpty == false, let url = components.url else {
      throw FetchError.invalidURL(url, "the URL has no host")
    }
    return url
  }

  private static func target(of response: Transfer.Response, from url: URL) throws -> URL {
    let location = response.headers["location"]
    guard let location, let target = URL(string: location, relativeTo: url)?.absoluteURL,
      let target = try? httpURL(target)
    else { throw FetchError.invalidRedirect(url, to: location) }
    return target
  }

  private static func headers(_ validators: Validators?) -> [String] {
    let conditions = [
      ("If-None-Match", validators?.entityTag), ("If-Modified-Since", validators?.lastModified),
    ].compactMap { name, value in value.map { "\(name): \($0)" } }
    // A store that another program has written could have line breaks, which
    // would be further headers.
    return [
      "Accept: application/feed+json, application/rss+xml, application/atom+xml, */*;q=0.5"
    ] + conditions.filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
  }
}

/// What a server sent with a document to recognize it later.
public struct Validators: Hashable, Sendable {
  /// The `ETag` header.
  public var entityTag: String?
  /// The `Last-Modified` header.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}

/// The result of fetching a feed.
public struct FetchedFeed: Sendable {
  /// A document and what is needed to use it.
  public struct Document: Sendable {
    /// The decoded bytes.
    public let data: Data
    /// The URL that relative URLs in the document refer to: that of the last
    /// redirect.
    public let baseURL: URL
    /// The encoding that the server has sent, if any.
    public let charset: String?
    /// The validators for the next fetch.
    public let validators: Validators
  }

  /// The URL for the next fetch. It differs from the requested URL after
  /// permanent redirects.
  public let url: URL
  /// The document; nil if it is unchanged since the last fetch.
  public let document: Document?

  /// The `charset` parameter of a media type.
  static func charset(_ type: String) -> String? {
    let pattern = /;\s*charset\s*=\s*["']?([^\s"';,]+)/.ignoresCase()
    return type.firstMatch(of: pattern).map { String($0.1) }
  }
}

extension Feed {
  /// Reads a document that was fetched. The name of the server is the title of a
  /// feed without one.
  ///
  /// - Throws: ``FeedError``.
  init(
    reading document: FetchedFeed.Document, isLossy: Bool, defaultTitle: String? = nil
  ) throws {
    try self.init(
      reading: document.data, isLossy: isLossy,
      defaultTitle: defaultTitle ?? document.baseURL.host(),
      from: document.baseURL, charset: document.charset)
  }
}
