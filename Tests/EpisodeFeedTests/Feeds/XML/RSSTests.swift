import Foundation
import Moho
import Testing

@testable import EpisodeFeed

@Suite struct RSSTests {
  private func episode(_ item: String, from url: String? = nil) throws -> Episode? {
    try Feed(reading: rssFeed(item), from: url.flatMap { URL(string: $0) }).episodes.first
  }

  @Test func bothMappingsHaveNoIssues() {
    #expect(Episode.rss.issues.isEmpty)
    #expect(Episode.atom.issues.isEmpty)
  }

  @Test func anItemIsAnEpisode() throws {
    let feed = try Feed(
      reading: rssFeed(
        title: "Deep &amp; <![CDATA[<Time>]]>",
        """
        <title> Gneiss &#8211; Bands </title>
        <link>https://example.com/1?a=1&amp;b=2</link>
        <guid isPermaLink="false">tag:1</guid>
        <pubDate>Fri, 20 Nov 2026 08:30:00 +0100</pubDate>
        <enclosure url="https://example.com/1.mp3" length="7" type="audio/mpeg"/>
        <itunes:duration>1:02:03</itunes:duration>
        <itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>
        <itunes:explicit>no</itunes:explicit>
        <itunes:image href="https://example.com/1.jpg"/>
        <itunes:summary>Bands &amp; more</itunes:summary>
        <description>Short</description>
        <content:encoded><![CDATA[<p>Bands <b>of</b> it</p>]]></content:encoded>
        <category>Rocks</category>
        """))

    #expect(feed.format == .rss)
    #expect(feed.title == "Deep & <Time>")
    #expect(
      feed.episodes == [
        Episode(
          id: "tag:1", title: "Gneiss – Bands", summary: "Bands & more",
          contentHTML: "<p>Bands <b>of</b> it</p>",
          publishedAt: isoDate("2026-11-20T07:30:00Z"),
          url: URL(string: "https://example.com/1?a=1&b=2"),
          imageURL: URL(string: "https://example.com/1.jpg"),
          audioURL: URL(string: "https://example.com/1.mp3"), audioType: "audio/mpeg",
          duration: 3723, season: 2)
      ])
  }

  @Test func chaptersAreThoseWithAStart() throws {
    let episode = try episode(
      """
      <guid>1</guid>
      <psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
        <psc:chapter start="00:01:02.500" title="B" href="https://a.example/b"/>
        <psc:chapter start="0" title=""/><psc:chapter start="soon" title="C"/><psc:chapter/>
      </psc:chapters>
      <psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="9"/>
      </psc:chapters>
      <podcast:chapters url="/chapters.json" type="application/json+chapters"/>
      """, from: "https://a.example/feed")

    #expect(
      episode?.chapters == [
        Chapter(start: 62.5, title: "B", url: URL(string: "https://a.example/b")),
        Chapter(start: 0, title: nil, url: nil),
      ])
    #expect(episode?.chaptersURL?.absoluteString == "https://a.example/chapters.json")
  }

  // Quadratic time would take much longer.
  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func manyInvalidValuesAreReadInLinearTime(isOneLine: Bool) throws {
    let chapters = String(repeating: "<psc:chapter/>" + (isOneLine ? "" : "\n"), count: 30_000)
    let items = (1...2_000).map { "<guid>\($0)</guid><pubDate>soon</pubDate>" }
      .joined(separator: "</item>\(isOneLine ? "" : "\n")<item>")

    let feed = try Feed(
      reading: rssFeed(
        """
        <guid>0</guid><psc:chapters xmlns:psc="http://podlove.org/simple-chapters">\(chapters)\
        </psc:chapters></item><item>\(items)
        """), isLossy: true)

    #expect(feed.episodes.count == 2_001)
    #expect(feed.skippedValues.count == 2_000)
    #expect(feed.episodes[0].chapters == [])
  }

  @Test(arguments: [
    (
      "<itunes:image href='https://a.example/1.jpg'/><image><url>https://a.example/2.jpg</url></image>",
      1
    ),
    ("<image><url> https://a.example/2.jpg </url></image>", 2), ("<image><url></url></image>", nil),
    ("", nil),
  ])
  func thePictureOfAPodcastIsRead(element: String, number: Int?) throws {
    let document = String(decoding: rssFeed("<guid>1</guid>"), as: UTF8.self)
      .replacing("<channel>", with: "<channel>\(element)")

    let feed = try Feed(reading: Data(document.utf8))

    #expect(feed.imageURL == number.flatMap { URL(string: "https://a.example/\($0).jpg") })
  }

  @Test func anEnclosureOrALinkIdentifiesAnItemWithoutGUID() throws {
    #expect(
      try episode("<link>http://a/1</link><enclosure url='http://a/1.mp3'/><guid> </guid>")?.id
        == "http://a/1.mp3")
    #expect(try episode("<link>http://a/1</link>")?.id == "http://a/1")
  }

  @Test func aPermanentLinkIsTheURLOfAnItemWithoutLink() throws {
    #expect(try episode("<guid>http://a/1</guid>")?.url == URL(string: "http://a/1"))
    #expect(try episode("<guid isPermaLink='false'>http://a/1</guid>")?.url == nil)
    #expect(try episode("<guid>7</guid>")?.url == nil)
    #expect(
      try episode("<guid>http://a/1</guid><link>http://b</link>")?.url == URL(string: "http://b"))
  }

  @Test func aDescriptionIsTheNotesAndTheSummary() throws {
    let html = try episode(
      "<guid>1</guid><description>&lt;p>One &amp;amp; two&lt;/p></description>")
    #expect(html?.contentHTML == "<p>One &amp; two</p>")
    #expect(html?.contentText == nil)
    #expect(html?.summary == "One & two")

    let text = try episode("<guid>1</guid><description>1 &lt; 2 &amp; 3</description>")
    #expect(text?.contentHTML == nil)
    #expect(text?.contentText == "1 < 2 & 3")
    #expect(text?.summary == "1 < 2 & 3")
  }

  @Test func urlsAreResolvedAndEncoded() throws {
    let item = """
      <guid>1</guid><link>1 é.html</link><enclosure url="/a b.mp3"/>
      <itunes:image xml:base="https://cdn.example/x/" href="1.jpg"/>
      """
    let episode = try episode(item, from: "https://example.com/feeds/rss.xml")

    #expect(episode?.url?.absoluteString == "https://example.com/feeds/1%20%C3%A9.html")
    #expect(episode?.audioURL?.absoluteString == "https://example.com/a%20b.mp3")
    #expect(episode?.imageURL?.absoluteString == "https://cdn.example/x/1.jpg")
  }

  @Test func badValuesAreErrorsOrLeftOut() throws {
    let data = rssFeed(
      "<guid>1</guid>", "<title></title>",
      "<guid>3</guid>\n<pubDate>yesterday</pubDate>\n<itunes:duration>long</itunes:duration>"
        + "<itunes:season>II</itunes:season><title>Three</title>", "<guid>1</guid>")

    let error = #expect(throws: FeedError.self) { try Feed(reading: data) }
    let feed = try Feed(reading: data, isLossy: true)

    #expect(error?.code == .invalidItems)
    #expect(error?.details.count == 5)
    #expect(feed.episodes == [Episode(id: "1"), Episode(id: "3", title: "Three")])
    #expect(feed.failures.map(\.index) == [1, 3])
    #expect(
      feed.failures.map(\.description) == [
        "missing value for `Episode.id` at /rss/channel/item/1/guid, 7:1",
        "duplicate id: \"1\" - `Episode.id` at /rss/channel/item/3/guid, first at"
          + " /rss/channel/item/0/guid",
      ])
    #expect(feed.skippedValues.map(\.index) == [2])
    #expect(
      feed.skippedValues.map(\.description) == [
        """
        invalid value: string "yesterday", expected date and time such as \
        "Fri, 20 Nov 2026 08:30:00 +0100" - `Episode.publishedAt` at \
        /rss/channel/item/2/pubDate, 9:1
        invalid value: string "long", expected seconds or a duration such as "1:02:03" - \
        `Episode.duration` at /rss/channel/item/2/itunes:duration, 10:1
        invalid value: string "II", expected integer - `Episode.season` at \
        /rss/channel/item/2/itunes:season, 10:40
        """
      ])
  }

  @Test func aFeedWithoutChannelTitleOrItemsIsAnError() {
    for (text, code) in [
      ("<rss/>", FeedError.Code.invalidFeed), ("<rss><channel/></rss>", .invalidFeed),
      ("<rss><channel><title>A</title></channel></rss>", .emptyFeed),
    ] {
      let error = #expect(throws: FeedError.self) { try Feed(reading: Data(text.utf8)) }
      #expect(error?.code == code)
    }
  }
}
