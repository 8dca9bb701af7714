import Foundation
import Moho
import Testing

@testable import EpisodeFeed

/// The same episodes in all formats.
@Suite struct EqualFeedTests {
  @Test(arguments: 0..<60)
  func theSameEpisodesAreReadFromAllFormats(seed: UInt64) throws {
    var random = Randomness(seed: seed)
    let episodes = (0..<random.int(1...6)).map { random.episode($0) }
    let json = try Feed("Deep <Time> & é", episodes: episodes).data(.jsonFeed)
    let rss = XMLFeedWriter(random: random).rss("Deep <Time> & é", episodes)
    let atom = XMLFeedWriter(random: random).atom("Deep <Time> & é", episodes)

    for (data, format) in [(json, FeedFormat.jsonFeed), (rss, .rss), (atom, .atom)] {
      let feed = try Feed(reading: data)
      #expect(feed.format == format)
      #expect(feed.title == "Deep <Time> & é")
      // Titles of RSS that are escaped twice are HTML.
      let expected = episodes.map { episode in
        var episode = episode
        if format == .rss, HTMLText.hasInlineMarkup(episode.title) {
          episode.title = HTMLText.line(episode.title)
        }
        return episode
      }
      #expect(feed.episodes == expected, "\(String(decoding: data, as: UTF8.self))")
    }
  }
}

/// Repeatable random values.
private struct Randomness {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func int(_ range: ClosedRange<Int>) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return range.lowerBound + Int(state % UInt64(range.count))
  }

  mutating func bool() -> Bool { int(0...1) == 1 }

  mutating func text(_ characters: [String]) -> String {
    let text = (0..<int(1...12)).map { _ in characters[int(0...(characters.count - 1))] }
    // XML feeds have no white space around values.
    let trimmed = text.joined().trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? "x" : trimmed
  }

  /// An episode that all formats can represent: RSS and Atom have one form of
  /// the notes, and RSS derives a missing summary from plain text.
  mutating func episode(_ number: Int) -> Episode {
    let plain = ["a", "Z", " ", "é", "日", "🎙", "7", ".", "'", "\"", ">", "]]>", "\n"]
    var episode = Episode(id: "tag:\(number)-\(text(["a", "&", "<", " ", "é"]))")
    episode.title = text(plain + ["<", "&", "&amp;", "<b>"])
    if bool() { episode.summary = text(plain) }
    if bool() {
      episode.contentHTML = "<p>\(text(plain))</p>&amp;"
    } else if episode.summary != nil, bool() {
      episode.contentText = text(plain)
    }
    if bool() { episode.publishedAt = Date(timeIntervalSince1970: Double(int(0...2_000_000_000))) }
    if bool() { episode.url = URL(string: "https://example.com/\(int(0...99))?a=1&b=2") }
    if bool() { episode.imageURL = URL(string: "https://example.com/\(int(0...99)).jpg") }
    if bool() {
      episode.audioURL = URL(string: "https://example.com/\(int(0...99)).mp3")
      if bool() { episode.audioType = "audio/mpeg" }
    }
    if bool() { episode.duration = Double(int(0...40_000)) / 4 }
    if bool() { episode.season = int(0...9) }
    return episode
  }
}

/// Writes feeds in one of the many forms that XML allows.
private struct XMLFeedWriter {
  var random: Randomness

  func rss(_ title: String, _ episodes: [Episode]) -> Data {
    var random = random
    let i = random.bool() ? "itunes" : "it"
    var text = """
      <?xml version="1.0"?>\n<rss version="2.0" xmlns:\(i)="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
      """
    text += element("title", title, &random)
    for episode in episodes {
      var parts = [
        element("guid", episode.id, &random, " isPermaLink=\"false\""),
        element("title", episode.title, &random),
        element("\(i):summary", episode.summary, &random),
        element("description", episode.contentText, &random),
        element("content:encoded", episode.contentHTML, &random),
        element("link", episode.url?.absoluteString, &random),
        element("pubDate", episode.publishedAt.map { RFC822Date.text($0) }, &random),
        element("\(i):duration", duration(episode.duration, &random), &random),
        element("\(i):season", episode.season.map { "\($0)" }, &random),
        episode.imageURL.map { "<\(i):image href=\(attribute($0.absoluteString))/>" } ?? "",
        episode.audioURL.map { url in
          "<enclosure url=\(attribute(url.absoluteString)) length='0'"
            + (episode.audioType.map { " type=\(attribute($0))" } ?? "") + "/>"
        } ?? "",
      ]
      if random.bool() { parts.reverse() }
      text += "<item>\(parts.joined(separator: random.bool() ? "\n  " : "<!-- <x> -->"))</item>\n"
    }
    return Data((text + "</channel></rss>").utf8)
  }

  func atom(_ title: String, _ episodes: [Episode]) -> Data {
    var random = random
    let a = random.bool() ? "a:" : ""
    var text = """
      <\(a)feed xmlns\(a.isEmpty ? "" : ":a")="http://www.w3.org/2005/Atom"
      xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd">
      """
    text += element("\(a)title", title, &random)
    for episode in episodes {
      let html = " type=\"html\""
      let parts = [
        element("\(a)id", episode.id, &random), element("\(a)title", episode.title, &random),
        element("\(a)summary", episode.summary, &random),
        element("\(a)content", episode.contentText, &random),
        element("\(a)content", episode.contentHTML, &random, html),
        element("\(a)published", episode.publishedAt.map { $0.formatted(.iso8601) }, &random),
        element("i:duration", duration(episode.duration, &random), &random),
        element("i:season", episode.season.map { "\($0)" }, &random),
        episode.url.map { "<\(a)link href=\(attribute($0.absoluteString))/>" } ?? "",
        episode.imageURL.map { "<i:image href=\(attribute($0.absoluteString))/>" } ?? "",
        episode.audioURL.map { url in
          "<\(a)link rel='enclosure' href=\(attribute(url.absoluteString))"
            + (episode.audioType.map { " type=\(attribute($0))" } ?? "") + "/>"
        } ?? "",
      ]
      text += "<\(a)entry>\(parts.joined(separator: "\n"))</\(a)entry>\n"
    }
    return Data((text + "</\(a)feed>").utf8)
  }

  private func element(
    _ name: String, _ value: String?, _ random: inout Randomness, _ attributes: String = ""
  ) -> String {
    guard let value else { return random.bool() ? "" : "<\(name)\(attributes) />" }
    let isCDATA = random.bool() && !value.contains("]]>")
    let text = isCDATA ? "<![CDATA[\(value)]]>" : HTMLText.escaped(value)
    return "<\(name)\(attributes)>\(random.bool() ? " \n" : "")\(text)</\(name)>"
  }

  private func attribute(_ value: String) -> String { "\"\(HTMLText.escaped(value))\"" }

  private func duration(_ seconds: Double?, _ random: inout Randomness) -> String? {
    guard let seconds else { return nil }
    guard random.bool(), seconds == seconds.rounded() else { return "\(seconds)" }
    let whole = Int(seconds)
    return "\(whole / 3600):\(whole / 60 % 60):\(whole % 60)"
  }
}
