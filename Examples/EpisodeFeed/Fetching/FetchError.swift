import Foundation
import TextTables

/// An error while fetching a feed.
public struct FetchError: Error, Sendable {
  /// The kind of error.
  public enum Code: Hashable, Sendable {
    /// The URL cannot be fetched: it is not an HTTP URL, or it contains a
    /// password.
    case invalidURL
    /// A redirect leads to another scheme, or its URL is missing or malformed.
    case invalidRedirect
    /// Redirects lead back to an earlier URL.
    case redirectLoop
    /// There are too many redirects.
    case tooManyRedirects
    /// The server responded with a status other than success.
    case status(Int)
    /// The document is larger than the limit.
    case tooLarge
    /// The request took longer than the limit.
    case timedOut
    /// The server does not exist, or does not accept connections.
    case unreachable
    /// The secure connection failed, for example because of a certificate.
    case insecure
    /// The connection was closed before the end of the response, or the response
    /// could not be received completely for another reason.
    case incomplete
    /// The response is not valid HTTP or not valid gzip, or its headers are
    /// larger than the limit.
    case invalidResponse
  }

  /// The kind of error.
  public let code: Code
  /// The URL that failed: the last one of a chain of redirects.
  public let url: URL
  /// The cause.
  public let reason: String
  /// How to fix it.
  public let advice: String

  init(_ code: Code, _ url: URL, _ reason: String, advice: String) {
    self.code = code
    self.url = url
    self.reason = reason
    self.advice = advice
  }

  /// Whether the same request may succeed later.
  public var isTemporary: Bool {
    switch code {
    case .status(let status): status == 408 || status == 429 || status >= 500
    case .timedOut, .unreachable, .incomplete: true
    default: false
    }
  }
}

extension FetchError: CustomStringConvertible {
  /// The reason and the URL.
  public var description: String { "\(reason) - \(url.absoluteString)" }
}

extension FetchError {
  static func invalidURL(_ url: URL, _ reason: String) -> FetchError {
    FetchError(
      .invalidURL, url, reason, advice: "Use a URL that begins with \"https://\" or \"http://\".")
  }

  /// An error whose URL does not show the password.
  static func containsPassword(_ url: URL) -> FetchError {
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.user = nil
    components?.password = nil
    return FetchError(
      .invalidURL, components?.url ?? url, "the URL contains a user name or a password",
      advice: "Use a URL without them; podcasts for subscribers have secret paths instead.")
  }

  static func invalidRedirect(_ url: URL, to location: String?) -> FetchError {
    let reason =
      location.map {
        "the server redirects to \(VisibleText.quoted($0)), which is not an HTTP URL"
      }
      ?? "the server redirects without a URL"
    return FetchError(
      .invalidRedirect, url, reason, advice: "Find the current URL of the feed on its web site.")
  }

  static func redirectLoop(_ url: URL) -> FetchError {
    FetchError(
      .redirectLoop, url, "the server redirects in a loop",
      advice: "Find the current URL of the feed on its web site.")
  }

  static func tooManyRedirects(_ url: URL, limit: Int) -> FetchError {
    FetchError(
      .tooManyRedirects, url, "the server redirects more than \(limit) times",
      advice: "Find the current URL of the feed on its web site.")
  }

  static func tooLarge(_ url: URL, limit: Int) -> FetchError {
    FetchError(
      .tooLarge, url, "the document is larger than \(size(limit))",
      advice: "Check that the URL is that of a feed, or download the file and import it.")
  }

  /// A limit of bytes in words.
  static func size(_ limit: Int) -> String {
    if limit >= 1 << 20 { return "\(limit >> 20) MB" }
    return limit.isMultiple(of: 1 << 10) ? "\(limit >> 10) kB" : "\(limit) bytes"
  }

  static func timedOut(_ url: URL, limit: Duration) -> FetchError {
    FetchError(
      .timedOut, url, "the server did not respond completely within \(text(of: limit))",
      advice: "Try again later.")
  }

  /// - Parameter retryAfter: The header of the response that says when to try
  ///   again: a number of seconds or a date.
  static func status(_ status: Int, _ url: URL, retryAfter: String? = nil) -> FetchError {
    let meaning: String? =
      switch status {
      case 304: "unchanged, although the request was unconditional"
      case 401: "a password is required"
      case 402: "payment is required"
      case 403: "access is denied"
      case 404: "not found"
      case 408: "the request took too long"
      case 410: "the feed was removed"
      case 429: "too many requests"
      case 500: "the server failed"
      case 502, 504: "a gateway failed"
      case 503: "the server is not available"
      default: nil
      }
    let reason = "the server responded with status \(status)\(meaning.map { " (\($0))" } ?? "")"
    let advice =
      switch status {
      case 401, 402, 403: "Check that the URL is complete, including its secret part."
      case 404, 410: "Check the URL, or find the current one on the web site of the feed."
      case 408, 429, 500...: "Try again \(retryAfter.flatMap(time(ofRetry:)) ?? "later")."
      default: "Check that the URL is that of a feed."
      }
    return FetchError(.status(status), url, reason, advice: advice)
  }

  private static func time(ofRetry header: String) -> String? {
    if let seconds = Int(header), seconds >= 0, seconds < 1_000_000 {
      return "in \(text(of: .seconds(seconds)))"
    }
    return header.count < 40 && header.hasSuffix("GMT") ? "after \(header)" : nil
  }

  private static func text(of time: Duration) -> String {
    let style = Duration.UnitsFormatStyle.units(
      allowed: [.hours, .minutes, .seconds, .milliseconds], width: .wide)
    return time.formatted(style.locale(Locale(identifier: "en_US")))
  }
}
