import Foundation
import Moho
import Testing

@testable import EpisodeFeed

@Suite struct AtomTests {
  private func episode(_ entry: String, from url: String? = nil) throws -> Episode? {
    try Feed(reading: atomFeed(entry), from: url.flatMap { URL(string: $0) }).episodes.first
  }

  @Test func anEntryIsAnEpisode() throws {
    let feed = try Feed(
      reading: atomFeed(
        """
        <id>tag:1</id><title type="html">Gneiss &amp;amp; &lt;b>Bands&lt;/b></title>
        <published>2026-11-20T08:30:00+01:00</published><updated>2026-11-21T00:00:00Z</updated>
        <link rel="self" href="https://example.com/self"/>
        <link href="https://example.com/1"/>
        <link rel="enclosure" type="audio/mpeg" href="https://example.com/1.mp3" length="7"/>
        <summary>Bands</summary><content type="html">&lt;p>Bands&lt;/p></content>
        <i:duration>62:03</i:duration><i:season>2</i:season>
        <i:image href="https://example.com/1.jpg"/>
        """))

    #expect(feed.format == .atom)
    #expect(feed.title == "Deep Time")
    #expect(
      feed.episodes == [
        Episode(
          id: "tag:1", title: "Gneiss & Bands", summary: "Bands", contentHTML: "<p>Bands</p>",
          publishedAt: isoDate("2026-11-20T07:30:00Z"),
          url: URL(string: "https://example.com/1"),
          imageURL: URL(string: "https://example.com/1.jpg"),
          audioURL: URL(string: "https://example.com/1.mp3"), audioType: "audio/mpeg",
          duration: 3723, season: 2)
      ])
  }

  @Test func xhtmlContentIsMarkup() throws {
    let content = """
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">
      <p class="a &quot;b&quot;">1 &lt; 2<br/>é</p></div></content>
      """

    let episode = try episode(
      "<id>1</id>\(content)<summary type='xhtml'><div>a <b>b</b></div></summary>")

    #expect(
      episode?.contentHTML?.trimmingCharacters(in: .whitespacesAndNewlines)
        == "<p class=\"a &quot;b&quot;\">1 &lt; 2<br>é</p>")
    #expect(episode?.summary == "a b")
  }

  @Test func textContentAndTheDateOfTheUpdateAreRead() throws {
    let episode = try episode(
      "<id>1</id><content>1 &lt; 2</content><updated>2026-11-20T08:30:00Z</updated>")

    #expect(episode?.contentText == "1 < 2")
    #expect(episode?.contentHTML == nil)
    #expect(episode?.publishedAt == isoDate("2026-11-20T08:30:00Z"))
  }

  @Test func contentElsewhereIsIgnored() throws {
    let episode = try episode("<id>1</id><content type='audio/mpeg' src='http://a/1.mp3'/>")

    #expect(episode == Episode(id: "1"))
  }

  @Test func linksAreRelativeToTheirBase() throws {
    let episode = try episode(
      "<id>1</id><link href='1'/><link rel='enclosure' xml:base='/audio/' href='1.mp3'/>",
      from: "http://example.com/feeds/atom")

    #expect(episode?.url?.absoluteString == "http://example.com/feeds/1")
    #expect(episode?.audioURL?.absoluteString == "http://example.com/audio/1.mp3")
  }
}
