import Foundation
import Moho

extension Episode {
  /// The elements of an item in RSS, with the modules of iTunes, content, Dublin
  /// Core, media and Atom.
  static let rss = Mapping<Episode>(
    "Episode",
    episode,
    .key("id", \Episode.id, json: "guid"),
    .key(
      "title", \.title,
      alternatives: ["itunes:title", "dc:title", "media:title", "atom:title"], default: ""),
    .key(
      "summary", \.summary, json: "itunes:summary",
      alternatives: ["itunes:subtitle", "dc:description", "media:description", "atom:summary"],
      .plainText),
    .key("contentText", \.contentText, json: "description", alternatives: ["atom:content"]),
    .key(
      "contentHTML", \.contentHTML, json: "content:encoded",
      alternatives: ["atom:content(html)"]),
    .key(
      "publishedAt", \.publishedAt, json: "pubDate",
      alternatives: [
        "dc:date", "dcterms:issued", "dcterms:created", "atom:published", "atom:updated",
        "dcterms:modified",
      ], .feedDate),
    .key("url", \.url, json: "link", alternatives: ["atom:link(alternate).@href"], .webURL),
    .key(
      "imageURL", \.imageURL, json: "itunes:image.@href", alternatives: ["media:thumbnail.@url"],
      .webURL),
    .key("audioURL", \.audioURL, json: "enclosure.@url", .webURL),
    .key("audioType", \.audioType, json: "enclosure.@type"),
    .key("duration", \.duration, json: "itunes:duration", .clockDuration),
    .key(
      "season", \.season, json: "itunes:season", alternatives: ["podcast:season"], .seasonNumber),
    .key("chapters", \.chapters, json: "psc:chapters.psc:chapter", .podloveChapters),
    .key("chaptersURL", \.chaptersURL, json: "podcast:chapters.@url", .webURL)
  )

  /// The elements of an entry in Atom, with the modules of iTunes, Dublin Core and
  /// media.
  static let atom = Mapping<Episode>(
    "Episode",
    episode,
    .key("id", \Episode.id),
    .key(
      "title", \.title, alternatives: ["itunes:title", "dc:title", "media:title"], default: ""),
    .key("summary", \.summary),
    .key("contentText", \.contentText, json: "content"),
    .key("contentHTML", \.contentHTML, json: "content(html)"),
    .key(
      "publishedAt", \.publishedAt, json: "published",
      alternatives: [
        "issued", "dcterms:issued", "created", "dcterms:created", "updated", "modified", "dc:date",
        "dcterms:modified",
      ], .feedDate),
    .key("url", \.url, json: "link(alternate).@href", .webURL),
    .key(
      "imageURL", \.imageURL, json: "itunes:image.@href", alternatives: ["media:thumbnail.@url"],
      .webURL),
    .key("audioURL", \.audioURL, json: "link(enclosure).@href", .webURL),
    .key("audioType", \.audioType, json: "link(enclosure).@type"),
    .key("duration", \.duration, json: "itunes:duration", .clockDuration),
    .key(
      "season", \.season, json: "itunes:season", alternatives: ["podcast:season"], .seasonNumber),
    .key("chapters", \.chapters, json: "psc:chapters.psc:chapter", .podloveChapters),
    .key("chaptersURL", \.chaptersURL, json: "podcast:chapters.@url", .webURL)
  )
}

extension Episode {
  /// The keys that both formats have.
  private static func episode(
    id: String, title: String, summary: String?, contentText: String?, contentHTML: String?,
    publishedAt: Date?, url: URL?, imageURL: URL?, audioURL: URL?, audioType: String?,
    duration: Double?, season: Int?, chapters: [Chapter]?, chaptersURL: URL?
  ) -> Episode {
    Episode(
      id: id, title: title, summary: summary, contentText: contentText, contentHTML: contentHTML,
      publishedAt: publishedAt, url: url, imageURL: imageURL, audioURL: audioURL,
      audioType: audioType, duration: duration, season: season, chapters: chapters,
      chaptersURL: chaptersURL)
  }
}

extension Chapter {
  /// The attributes of Podlove Simple Chapters 1.2
  /// (<https://podlove.org/simple-chapters/>).
  fileprivate static let podlove = Mapping<Chapter>(
    "Chapter", Chapter.init,
    .key("start", \.start, json: "@start", .clockDuration),
    .key("title", \.title, json: "@title"),
    .key("url", \.url, json: "@href", .webURL))
}

extension Transform where Value == [Chapter] {
  /// The chapters that have a start.
  fileprivate static let podloveChapters = Transform<Chapter>.nested(by: Chapter.podlove).lossyArray
    .map(to: { $0.elements }, from: { LossyArray($0) })
}

extension Transform where Value == String {
  /// Text that may be HTML, without its markup.
  fileprivate static let plainText = Transform<String>.standard.map(
    to: { HTMLText.line($0) }, from: { $0 })
}

extension Transform where Value == URL {
  /// A URL whose invalid characters, such as spaces inside, are percent-encoded.
  static let webURL = Transform<String>.standard.map(
    expected: "URL", to: { URL(string: $0.trimmingCharacters(in: .whitespacesAndNewlines)) },
    from: { $0.absoluteString })
}

extension Transform where Value == Date {
  /// A date in any form of ``FeedDate``.
  fileprivate static let feedDate = Transform<String>.standard.map(
    expected: "date and time such as \"Fri, 20 Nov 2026 08:30:00 +0100\"",
    samples: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 86_400)],
    to: { FeedDate.date($0) },
    from: { RFC822Date.text($0) })
}

extension Transform where Value == Int {
  /// The number of a season.
  fileprivate static let seasonNumber = Transform<String>.standard.map(
    expected: "integer", samples: [1, 2], to: { SeasonNumber.number($0) },
    from: { "\($0)" })
}

extension Transform where Value == Double {
  /// A length of time in seconds, as `1:02:03`, `62:03` or `3723`.
  fileprivate static let clockDuration = Transform<String>.standard.map(
    expected: "seconds or a duration such as \"1:02:03\"", samples: [1, 2],
    to: { ClockDuration.seconds($0) }, from: { "\($0)" })
}
