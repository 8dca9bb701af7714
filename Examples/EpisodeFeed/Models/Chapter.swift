import Foundation
import Moho

/// A chapter of a recording.
///
/// The mapping follows the JSON chapters of Podcasting 2.0
/// (<https://github.com/Podcastindex-org/podcast-namespace>).
public struct Chapter: MappedModel, Hashable, Sendable {
  /// Where the chapter begins, in seconds.
  public var start: Double
  /// The title.
  public var title: String?
  /// The web page.
  public var url: URL?

  /// The keys of JSON chapters.
  public static let mapping = Mapping(
    "Chapter", Chapter.init,
    .key("start", \.start, json: "startTime"), .key("title", \.title), .key("url", \.url))
}
