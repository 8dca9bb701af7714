import Foundation
import Moho

extension Episode {
  /// The elements of an item in RSS 2.0, with the modules of iTunes and content.
  static let rss = Mapping<Episode>(
    "Episode",
    episode,
    .key("id", \Episode.id, json: "guid"),
    .key("title", \.title, alternatives: ["itunes:title"], default: ""),
    .key(
      "summary", \.summary, json: "itunes:summary", alternatives: ["itunes:subtitle"], .plainText),
    .key("contentText", \.contentText, json: "description"),
    .key("contentHTML", \.contentHTML, json: "content:encoded"),
    .key("publishedAt", \.publishedAt, json: "pubDate", alternatives: ["dc:date"], .rssDate),
    .key("url", \.url, json: "link", .webURL),
    .key(
      "imageURL", \.imageURL, json: "itunes:image.@href", alternatives: ["media:thumbnail.@url"],
      .webURL),
    .key("audioURL", \.audioURL, json: "enclosure.@url", .webURL),
    .key("audioType", \.audioType, json: "enclosure.@type"),
    .key("duration", \.duration, json: "itunes:duration", .clockDuration),
    .key("season", \.season, json: "itunes:season"))

  /// The elements of an entry in Atom, with the module of iTunes.
  static let atom = Mapping<Episode>(
    "Episode",
    episode,
    .key("id", \Episode.id),
    .key("title", \.title, default: ""),
    .key("summary", \.summary),
    .key("contentText", \.contentText, json: "content"),
    .key("contentHTML", \.contentHTML, json: "content(html)"),
    .key("publishedAt", \.publishedAt, json: "published", alternatives: ["updated"]),
    .key("url", \.url, json: "link(alternate).@href", .webURL),
    .key(
      "imageURL", \.imageURL, json: "itunes:image.@href", alternatives: ["media:thumbnail.@url"],
      .webURL),
    .key("audioURL", \.audioURL, json: "link(enclosure).@href", .webURL),
    .key("audioType", \.audioType, json: "link(enclosure).@type"),
    .key("duration", \.duration, json: "itunes:duration", .clockDuration),
    .key("season", \.season, json: "itunes:season"))
}

extension Episode {
  /// The keys that both formats have.
  private static func episode(
    id: String, title: String, summary: String?, contentText: String?, contentHTML: String?,
    publishedAt: Date?, url: URL?, imageURL: URL?, audioURL: URL?, audioType: String?,
    duration: Double?, season: Int?
  ) -> Episode {
    Episode(
      id: id, title: title, summary: summary, contentText: contentText, contentHTML: contentHTML,
      publishedAt: publishedAt, url: url, imageURL: imageURL, audioURL: audioURL,
      audioType: audioType, duration: duration, season: season)
  }
}

extension Transform where Value == String {
  /// Text that may be HTML, without its markup.
  fileprivate static let plainText = Transform<String>.standard.map(
    to: { HTMLText.line($0) }, from: { $0 })
}

extension Transform where Value == URL {
  /// A URL whose invalid characters, such as spaces, are percent-encoded.
  fileprivate static let webURL = Transform<String>.standard.map(
    expected: "URL", to: { URL(string: $0) }, from: { $0.absoluteString })
}

extension Transform where Value == Date {
  /// A date of RSS, or one in ISO 8601.
  fileprivate static let rssDate = Transform<String>.standard.map(
    expected: "RFC 822 date and time such as \"Fri, 20 Nov 2026 08:30:00 +0100\"",
    samples: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 86_400)],
    to: { RFC822Date.date($0) ?? DateFormat.iso8601.date($0) },
    from: { RFC822Date.text($0) })
}

extension Transform where Value == Double {
  /// A length of time in seconds, as `1:02:03`, `62:03` or `3723`.
  fileprivate static let clockDuration = Transform<String>.standard.map(
    expected: "seconds or a duration such as \"1:02:03\"", samples: [1, 2],
    to: { ClockDuration.seconds($0) }, from: { "\($0)" })
}

/// Lengths of time as the iTunes module writes them.
enum ClockDuration {
  /// The seconds of a text such as `1:02:03`, `62:03`, `3723` or `3723.5`; nil
  /// for other text.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.last?.first != "." else { return nil }
    var total = 0.0
    for (index, part) in parts.enumerated() {
      let characters = index == parts.count - 1 ? "0123456789." : "0123456789"
      guard part.utf8.count <= 12, part.allSatisfy(characters.contains), let number = Double(part)
      else { return nil }
      total = total * 60 + number
    }
    return total
  }
}
