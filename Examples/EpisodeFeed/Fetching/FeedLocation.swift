import Foundation
import TextTables

/// Where a feed is, as users write it: a file on this machine, or the URL of a
/// server.
public enum FeedLocation: Hashable, Sendable {
  /// The path of a file.
  case file(String)
  /// An HTTP URL.
  case server(URL)

  /// Reads an address: an HTTP URL, an address of the scheme `feed`, a file URL,
  /// or a path.
  ///
  /// `feed:` before an HTTP URL has no meaning. `feed://example.com/feed.xml`
  /// means `http://example.com/feed.xml`: servers that have only HTTPS redirect
  /// to it, and the importer remembers the new URL if the redirect is permanent.
  ///
  /// - Throws: ``FeedLocationError``, or ``FetchError`` for a URL that cannot be
  ///   fetched: it is not an HTTP URL, or it contains a password.
  public init(_ text: String) throws {
    switch Self.scheme(of: text) {
    case "http", "https": self = .server(try Self.url(text, text))
    case "feed":
      let rest = text.dropFirst("feed:".count)
      let address = rest.hasPrefix("//") ? rest.dropFirst(2) : rest
      let isURL = address.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:\/\//) != nil
      self = .server(try Self.url(isURL ? String(address) : "http://\(address)", text))
    case "file": self = .file(try Self.path(text))
    default: self = .file(text)
    }
  }

  /// The scheme of an address in lowercase; nil for a path.
  private static func scheme(of text: String) -> String? {
    let match = text.firstMatch(of: /^(?:(https?):\/\/|(feed|file):)/.ignoresCase())
    return (match?.1 ?? match?.2)?.lowercased()
  }

  private static func url(_ address: String, _ text: String) throws -> URL {
    guard let url = URL(string: address) else { throw FeedLocationError(text, "malformed URL") }
    return try FeedFetcher.httpURL(url)
  }

  private static func path(_ text: String) throws -> String {
    guard let url = URL(string: text), url.isFileURL else {
      throw FeedLocationError(text, "malformed URL")
    }
    guard ["", "localhost"].contains(url.host()?.lowercased() ?? "") else {
      throw FeedLocationError(text, "the file is on another machine")
    }
    let path = url.path(percentEncoded: false)
    guard !path.isEmpty, !path.contains("\0") else {
      throw FeedLocationError(text, "malformed URL")
    }
    return path
  }
}

/// The location of a feed is malformed, or not on this machine.
public struct FeedLocationError: Error, Sendable, CustomStringConvertible {
  /// The location as the user wrote it.
  public let location: String
  /// What is wrong with it.
  public let reason: String

  init(_ location: String, _ reason: String) {
    self.location = location
    self.reason = reason
  }

  /// The reason and the location.
  public var description: String { "\(reason) - \(VisibleText.quoted(location))" }
}
