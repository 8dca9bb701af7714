import Foundation
import Moho

/// A row of a list as a page receives it.
public struct PageRow: MappedModel, Hashable {
  /// The ID of the row.
  public var id: Int64
  /// The values, or nil if the row has been deleted.
  public var episode: Summary?

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Row", PageRow.init,
    .key("id", \.id, .rowID),
    .key("episode", \.episode, .nilAsNull))

  /// The values of an episode that a page shows. Their names are those of the
  /// keys of ``Episode``.
  public struct Summary: MappedModel, Hashable {
    /// The identifier in the feed.
    public var id: String
    /// The beginning of the title.
    public var title: String
    /// True if the title is longer.
    public var titleIsCut: Bool?
    /// The beginning of the summary.
    public var summary: String?
    /// Who may listen.
    public var kind: Episode.Kind
    /// The date of publication.
    public var publishedAt: Date?
    /// The web page, if its scheme is `http` or `https`.
    public var url: URL?
    /// True if the episode has a recording.
    public var hasAudio: Bool?
    /// The length in seconds.
    public var duration: Double?
    /// The number of the season.
    public var season: Int?
    /// The beginning of the podcast's title.
    public var podcast: String
    /// Whether the user has listened to the episode.
    public var isPlayed: Bool

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Summary", Summary.init,
      .key("id", \.id),
      .key("title", \.title),
      .key("titleIsCut", \.titleIsCut),
      .key("summary", \.summary),
      .key("kind", \.kind),
      .key("publishedAt", \.publishedAt),
      .key("url", \.url),
      .key("hasAudio", \.hasAudio),
      .key("duration", \.duration),
      .key("season", \.season),
      .key("podcast", \.podcast),
      .key("isPlayed", \.isPlayed))
  }
}

extension PageRow.Summary {
  private static let textLimit = 500
  private static let podcastLimit = 200
  private static let summaryLimit = 160

  /// The values of an episode.
  public init(_ episode: Episode) {
    self.init(
      id: episode.id.start(Self.textLimit), title: episode.title.start(Self.textLimit),
      titleIsCut: episode.title.isLonger(than: Self.textLimit) ? true : nil,
      summary: episode.summary.map { summary in
        summary.isLonger(than: Self.summaryLimit)
          ? summary.start(Self.summaryLimit - 1) + "…" : summary
      },
      kind: episode.kind, publishedAt: episode.publishedAt,
      url: episode.url.flatMap(PageRow.webAddress),
      hasAudio: episode.audioURL.flatMap(PageRow.webAddress) == nil ? nil : true,
      duration: episode.duration, season: episode.season,
      podcast: episode.podcast.start(Self.podcastLimit), isPlayed: episode.isPlayed)
  }

  /// Replaces the values of a row that cannot be read.
  init(unreadable error: MappingError) {
    let message = PageError(error).details?.first ?? ""
    self.init(
      id: "", title: "", titleIsCut: nil, summary: "This row cannot be read: \(message)",
      kind: .free, publishedAt: nil, url: nil, hasAudio: nil, duration: nil, season: nil,
      podcast: "",
      isPlayed: false)
  }

}

extension PageRow {
  private static let urlLimit = 2_000

  /// An address that a page uses. Nil for addresses that are too long, or of
  /// another scheme than `http` or `https`.
  static func webAddress(_ url: URL) -> URL? {
    url.isHTTP && !url.absoluteString.isLonger(than: urlLimit) ? url : nil
  }
}

extension String {
  /// Whether the text has more than a number of Unicode scalars. A character
  /// can have any number of scalars.
  fileprivate func isLonger(than limit: Int) -> Bool {
    utf8.count > limit && !unicodeScalars.dropFirst(limit).isEmpty
  }

  fileprivate func start(_ limit: Int) -> String {
    isLonger(than: limit) ? String(unicodeScalars.prefix(limit)) : self
  }
}

extension Transform where Value == Int64 {
  /// A row ID as in change sets: a number, or a string of its digits if many
  /// JSON parsers would round the number.
  static let rowID = Transform<JSONValue>.standard.map(
    expected: "row ID",
    to: { value -> Int64? in
      switch value {
      case .integer(let number): number
      case .string(let digits): Int64(digits)
      default: nil
      }
    },
    from: { $0.magnitude < 1 << 53 ? .integer($0) : .string("\($0)") })
}
