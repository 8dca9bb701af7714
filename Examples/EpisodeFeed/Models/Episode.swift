import Foundation
import Moho

/// One episode of a podcast.
///
/// The mapping is that of JSON Feed 1.1 (<https://www.jsonfeed.org/version/1.1/>).
/// What JSON Feed has no key for lies in an extension object, whose name begins
/// with an underscore as the format asks.
public struct Episode: MappedModel, Hashable, Sendable {
  /// The name by which the feed knows the episode.
  public var id: String
  /// The title; empty where the feed has none.
  public var title: String
  /// One or two sentences.
  public var summary: String?
  /// The show notes as plain text.
  public var contentText: String?
  /// The show notes as HTML.
  public var contentHTML: String?
  /// Who may listen.
  public var kind: Kind
  /// When it was published, if the feed says so.
  public var publishedAt: Date?
  /// The web page.
  public var url: URL?
  /// The picture.
  public var imageURL: URL?
  /// The recording.
  public var audioURL: URL?
  /// The media type of the recording, such as `audio/mpeg`.
  public var audioType: String?
  /// The length of the recording in seconds.
  public var duration: Double?
  /// The number of the season.
  public var season: Int?
  /// The title of the feed that the episode came with. Episodes do not say it
  /// themselves.
  public var podcast: String
  /// Whether somebody has listened to it. Feeds do not say it, and importing one
  /// does not change it.
  public var isPlayed: Bool

  /// Makes an episode.
  public init(
    id: String, title: String = "", summary: String? = nil, contentText: String? = nil,
    contentHTML: String? = nil, kind: Kind = .free, publishedAt: Date? = nil, url: URL? = nil,
    imageURL: URL? = nil, audioURL: URL? = nil, audioType: String? = nil,
    duration: Double? = nil, season: Int? = nil, podcast: String = "",
    isPlayed: Bool = false
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.contentText = contentText
    self.contentHTML = contentHTML
    self.kind = kind
    self.publishedAt = publishedAt
    self.url = url
    self.imageURL = imageURL
    self.audioURL = audioURL
    self.audioType = audioType
    self.duration = duration
    self.season = season
    self.podcast = podcast
    self.isPlayed = isPlayed
  }

  /// Who may listen to an episode.
  public enum Kind: String, CaseIterable, FieldValue {
    /// Everybody.
    case free
    /// Subscribers.
    case paid
  }

  /// The keys as JSON Feed has them.
  public static let mapping = Mapping<Episode>(
    "Episode", Episode.init,
    .key("id", \.id, .feedID, .unique),
    .key("title", \.title, default: ""),
    .key("summary", \.summary),
    .key("contentText", \.contentText, json: "content_text"),
    .key("contentHTML", \.contentHTML, json: "content_html"),
    .key("kind", \.kind, json: "_episode_feed.kind", default: .free),
    .key("publishedAt", \.publishedAt, json: "date_published", .indexed),
    .key("url", \.url),
    .key("imageURL", \.imageURL, json: "image"),
    .key("audioURL", \.audioURL, json: "attachments[0].url"),
    .key("audioType", \.audioType, json: "attachments[0].mime_type"),
    .key("duration", \.duration, json: "attachments[0].duration_in_seconds"),
    .key("season", \.season, json: "_episode_feed.season"),
    .key("podcast", \.podcast, default: "", .storeOnly),
    .key("isPlayed", \.isPlayed, default: false, .storeOnly)
  )
  .merging(\.isPlayed, .stored)
}
