import Foundation
import Moho

/// One episode of a podcast.
///
/// The mapping follows JSON Feed 1.1 (<https://www.jsonfeed.org/version/1.1/>).
/// Values for which JSON Feed has no key are in an extension object, whose name
/// begins with an underscore as the format requires.
public struct Episode: MappedModel, Hashable, Sendable {
  /// The identifier, unique in the podcast. Many feeds number their items.
  public var id: String
  /// The title; empty if the feed has no title.
  public var title: String
  /// One or two sentences.
  public var summary: String?
  /// The show notes as plain text.
  public var contentText: String?
  /// The show notes as HTML.
  public var contentHTML: String?
  /// Who may listen.
  public var kind: Kind
  /// The date of publication, if the feed has it.
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
  /// The chapters of the recording.
  public var chapters: [Chapter]?
  /// The document with the chapters of the recording, in the form of ``Chapter``.
  public var chaptersURL: URL?
  /// The title of the feed. Items of a feed do not have it.
  public var podcast: String
  /// Whether the user has listened to the episode. Feeds do not have it, and
  /// importing a feed does not change it.
  public var isPlayed: Bool

  /// Creates an episode.
  public init(
    id: String, title: String = "", summary: String? = nil, contentText: String? = nil,
    contentHTML: String? = nil, kind: Kind = .free, publishedAt: Date? = nil, url: URL? = nil,
    imageURL: URL? = nil, audioURL: URL? = nil, audioType: String? = nil,
    duration: Double? = nil, season: Int? = nil, chapters: [Chapter]? = nil,
    chaptersURL: URL? = nil, podcast: String = "", isPlayed: Bool = false
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
    self.chapters = chapters
    self.chaptersURL = chaptersURL
    self.podcast = podcast
    self.isPlayed = isPlayed
  }

  /// Who may listen to an episode.
  public enum Kind: String, CaseIterable, FieldValue {
    /// Everyone may listen.
    case free
    /// Only subscribers may listen.
    case paid
  }

  /// The keys of JSON Feed.
  public static let mapping = Mapping<Episode>(
    "Episode", Episode.init,
    .key("id", \.id, .feedID, .indexed),
    .key("title", \.title, default: "", .searchable),
    .key("summary", \.summary, .searchable),
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
    .key("chapters", \.chapters, json: "_episode_feed.chapters"),
    .key("chaptersURL", \.chaptersURL, json: "_episode_feed.chapters_url"),
    .key("podcast", \.podcast, default: "", .storeOnly),
    .key("isPlayed", \.isPlayed, default: false, .storeOnly)
  )
  .identified(by: \.podcast, \.id)
  .merging(\.isPlayed, .stored)
}

extension Episode {
  /// The keys of the screencast's API, which describes the same model in
  /// another format.
  public static let screencast = Mapping(
    "Episode",
    { id, title, summary, kind, publishedAt, imageURL in
      Episode(
        id: id, title: title, summary: summary, kind: kind, publishedAt: publishedAt,
        imageURL: imageURL)
    },
    .key("id", \Episode.id, json: "episode_number", .episodeNumber),
    .key("title", \.title),
    .key("summary", \.summary, json: "description"),
    .key("kind", \.kind, json: "episode_type"),
    .key("publishedAt", \.publishedAt, json: "published_at"),
    .key("imageURL", \.imageURL, json: "thumbnail_url"))
}
