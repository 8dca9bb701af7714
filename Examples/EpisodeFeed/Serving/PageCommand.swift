import Foundation
import Moho

/// The body of a command that changes an episode: the new values, and the
/// values that the user saw.
public struct EpisodeChange: MappedModel, Hashable {
  /// The new title.
  public var title: String?
  /// The new state.
  public var isPlayed: Bool?
  /// The values that the user saw; nil if they do not matter.
  public var was: Values?

  /// Values of keys.
  public struct Values: MappedModel, Hashable {
    /// The title.
    public var title: String?
    /// Whether the user has listened to the episode.
    public var isPlayed: Bool?

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Values", Values.init, .key("title", \.title), .key("isPlayed", \.isPlayed))
  }

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Change", EpisodeChange.init,
    .key("title", \.title), .key("isPlayed", \.isPlayed), .key("was", \.was))
}

extension EpisodeChange {
  /// Reads a body.
  ///
  /// - Throws: ``PageError``.
  public init(body: Data) throws {
    self = try Self.reading(body)
    if title == nil, isPlayed == nil {
      throw PageError(.invalidRequest, "the body has neither `title` nor `isPlayed`")
    }
  }

  /// Whether an episode still has the values that the user saw.
  func isBased(on episode: Episode) -> Bool {
    (was?.title ?? episode.title) == episode.title
      && (was?.isPlayed ?? episode.isPlayed) == episode.isPlayed
  }
}

/// The body of a command that remembers where the user stopped listening. It names
/// the episode, because a row ID can become that of another episode.
public struct PositionChange: MappedModel, Hashable {
  /// The title of the podcast.
  public var podcast: String
  /// The identifier of the episode.
  public var episode: String
  /// The position in seconds; 0 forgets it.
  public var seconds: Double

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Position", PositionChange.init, .key("podcast", \.podcast), .key("episode", \.episode),
    .key("seconds", \.seconds)
  )
  .validating(\.seconds, "a number of seconds of at least 0") { $0 >= 0 }
}

extension PositionChange {
  /// Reads a body.
  ///
  /// - Throws: ``PageError``.
  public init(body: Data) throws {
    do {
      self = try Self.reading(body)
    } catch let error as MappingError {
      throw PageError(
        .invalidRequest, "the body is not valid", details: error.errors.map(\.description))
    }
  }
}

/// The body of a command that imports a feed from an address.
public struct FeedAddress: MappedModel, Hashable {
  /// The address. `https` is added if it has no scheme.
  public var url: URL

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Address", FeedAddress.init, .key("url", \.url, .completedURL))

  /// The maximum length of an address.
  public static let limit = 2_000
}

extension FeedAddress {
  /// Reads a body.
  ///
  /// - Throws: ``PageError``, also if the address is not an HTTP URL.
  public init(body: Data) throws {
    do {
      self = try Self.reading(body)
      url = try FeedFetcher.httpURL(url)
    } catch let error as MappingError where error.code == .invalidValue {
      throw PageError(.invalidURL, "this is not a web address")
    } catch let error as FetchError {
      throw PageError(error)
    }
    guard url.absoluteString.utf8.count <= Self.limit else {
      throw PageError(.invalidURL, "the address is longer than \(Self.limit) characters")
    }
  }
}

extension MappedModel {
  fileprivate static func reading(_ body: Data) throws -> Self {
    do {
      return try JSONAdapter<Self>(unknownKeyPolicy: .refuse).model(from: body)
    } catch let error as JSONError {
      throw PageError(.invalidRequest, "the body is not JSON", details: ["\(error)"])
    } catch let error as MappingError where error.code != .invalidValue {
      throw PageError(
        .invalidRequest, "the body is not valid", details: error.errors.map(\.description))
    }
  }
}

extension Transform where Value == URL {
  /// An address as users enter it, such as `example.com/feed`.
  fileprivate static let completedURL = Transform<String>.standard.map(
    expected: "URL",
    to: { text in
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if case .server(let url)? = try? FeedLocation(text) { return url }
      // `example.com:8080` has no scheme.
      let hasScheme = text.contains(/^[A-Za-z][A-Za-z0-9+.-]*:(?!\d{1,5}(?:\/|$))/)
      return URL(string: hasScheme ? text : "https://" + text)
    },
    from: { $0.absoluteString })
}
