import Foundation
import Testing

@testable import EpisodeFeed

/// Small feeds, one for each form in which feeds write something.
@Suite struct FeedFormTests {
  struct Form: CustomTestStringConvertible, Sendable {
    let text: String
    let expected: Episode
    let repairs: Int

    var testDescription: String { String(text.prefix(100)) }

    init(_ text: String, _ expected: Episode, repairs: Int = 0) {
      (self.text, self.expected, self.repairs) = (text, expected, repairs)
    }
  }

  private func feed(_ text: String) throws -> Feed {
    try Feed(reading: Data(text.utf8), isLossy: true, defaultTitle: "Default")
  }

  private static let plain = Episode(id: "1", title: "A")

  private static func rss(_ item: String, root: String = "") -> String {
    "<rss version='2.0' \(root)><channel><title>T</title><item>\(item)</item></channel></rss>"
  }

  private static func atom(_ entry: String, root: String = "") -> String {
    "<feed xmlns='http://www.w3.org/2005/Atom' \(root)><title>T</title><entry>\(entry)</entry></feed>"
  }

  private static func json(_ item: String) -> String {
    #"{"version": "https://jsonfeed.org/version/1", "title": "T", "items": [\#(item)]}"#
  }

  static let formats: [Form] =
    [
      "", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
      "http://channel.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss2",
      "http://blogs.law.harvard.edu/tech/rss", "https://cyber.law.harvard.edu/rss/",
    ].flatMap { namespace in
      let item = "<item><guid>1</guid><title>A</title></item>"
      let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
      let declaration = namespace.isEmpty ? "" : "xmlns='\(namespace)'"
      return [
        Form("<rss \(declaration)><channel><title>T</title>\(item)</channel></rss>", plain),
        Form("<rss \(declaration)><channel><title>T</title></channel>\(item)</rss>", plain),
        Form(
          "<rdf:RDF \(rdf) \(declaration)><channel><title>T</title></channel>\(item)</rdf:RDF>",
          plain),
      ]
    }
    + [
      "", "http://www.w3.org/2005/Atom", "https://www.w3.org/2005/Atom/",
      "http://purl.org/atom/ns#",
      "HTTP://WWW.W3.ORG/2005/ATOM", "http://purl.org/atom/ns", "http://example.com/newformat#",
    ].map { namespace in
      Form(
        "<feed \(namespace.isEmpty ? "" : "xmlns='\(namespace)'")><title>T</title>"
          + "<entry><id>1</id><title>A</title></entry></feed>", plain)
    }
    + ["https://jsonfeed.org/version/1", "https://jsonfeed.org/version/1.1"].map { version in
      Form(
        #"{"version": "\#(version)", "title": "T", "items": [{"id": "1", "title": "A"}]}"#, plain)
    }

  @Test(arguments: formats) func everyFormatIsRead(form: Form) throws {
    let feed = try feed(form.text)

    #expect(feed.title == "T")
    #expect(feed.episodes == [form.expected])
    #expect(feed.failures.isEmpty && feed.skippedValues.isEmpty && feed.repairs.isEmpty)
  }

  static let elements: [Form] = [
    Form(
      rss("<guid>1</guid><dc:title xmlns:dc='http://purl.org/dc/elements/1.1/'>A</dc:title>"), plain
    ),
    Form(
      rss("<guid>1</guid><media:title xmlns:media='http://search.yahoo.com/mrss/'>A</media:title>"),
      plain),
    Form(rss("<guid>1</guid><m:title xmlns:m='https://search.yahoo.com/mrss'>A</m:title>"), plain),
    Form(rss("<guid>1</guid><a:title xmlns:a='http://www.w3.org/2005/Atom'>A</a:title>"), plain),
    Form(rss("<guid>1</guid><title>A <b>b</b> c</title>"), Episode(id: "1", title: "A b c")),
    Form(
      rss("<guid>1</guid><title>&lt;b&gt;A&lt;/b&gt; &amp;amp; B</title>"),
      Episode(id: "1", title: "A & B")),
    Form(
      rss("<guid>1</guid><title><![CDATA[A &eacute; <i>x</i>]]></title>"),
      Episode(id: "1", title: "A é x")),
    Form(
      rss("<guid>1</guid><t:issued xmlns:t='http://purl.org/dc/terms/'>1970-01-01</t:issued>"),
      Episode(id: "1", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(
      rss(
        "<guid>1</guid><a:updated xmlns:a='http://www.w3.org/2005/Atom'>1970-01-01T00:00:00Z</a:updated>"
      ),
      Episode(id: "1", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(
      rss("<guid>1</guid><a:link xmlns:a='http://www.w3.org/2005/Atom' href='http://a/1'/>"),
      Episode(id: "1", url: URL(string: "http://a/1"))),
    Form(
      rss("<guid>1</guid><link> http://a/1\n</link>"),
      Episode(id: "1", url: URL(string: "http://a/1"))),
    Form(
      rss("<guid>1</guid><pubDate>never</pubDate><pubDate>Thu, 1 Jan 1970</pubDate>"),
      Episode(id: "1", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(
      rss(
        "<guid>1</guid><enclosure url='http://a/p.jpg' type='image/jpeg'/><enclosure url='http://a/s.mp3' type='audio/mpeg'/>"
      ),
      Episode(id: "1", audioURL: URL(string: "http://a/s.mp3"), audioType: "audio/mpeg")),
    Form(
      rss("<guid>1</guid><enclosure url='http://a/p.png'/><enclosure url=' http://a/s.M4A '/>"),
      Episode(id: "1", audioURL: URL(string: "http://a/s.M4A"))),
    Form(
      rss(
        "<guid>1</guid><m:group><m:content url='http://a/p.jpg' medium='image'/>"
          + "<m:content url='http://a/s.mp3' type='audio/mpeg'/></m:group>",
        root: "xmlns:m='http://search.yahoo.com/mrss/'"),
      Episode(id: "1", audioURL: URL(string: "http://a/s.mp3"), audioType: "audio/mpeg")),
    Form(
      atom(
        "<id>1</id><link rel='enclosure' href='http://a/p.jpg' type='image/jpeg'/><link rel='enclosure' href='http://a/s.mp3' type='audio/mpeg'/>"
      ),
      Episode(id: "1", audioURL: URL(string: "http://a/s.mp3"), audioType: "audio/mpeg")),
    Form(
      "<feed xmlns='http://purl.org/atom/ns#'><entry><id>1</id><title type='text/html' mode='escaped'>A &lt;b&gt;b&lt;/b&gt;</title><issued>1970-01-01T00:00:00Z</issued></entry></feed>",
      Episode(id: "1", title: "A b", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(
      "<feed xmlns='http://purl.org/atom/ns#'><entry><id>1</id><modified>1970-01-01</modified></entry></feed>",
      Episode(id: "1", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(json(#"{"id": "1", "url": "", "title": null}"#), Episode(id: "1")),
    Form(
      json(#"{"id": "1", "url": " http://a/1 "}"#), Episode(id: "1", url: URL(string: "http://a/1"))
    ),
    Form(
      json(#"{"id": "1", "date_published": "Thu, 1 Jan 1970 00:00 GMT"}"#),
      Episode(id: "1", publishedAt: Date(timeIntervalSince1970: 0))),
    Form(
      json(
        #"{"id": "1", "attachments": [{"url": "http://a/s.mp3", "duration_in_seconds": "1:02"}]}"#),
      Episode(id: "1", audioURL: URL(string: "http://a/s.mp3"), duration: 62)),
  ]

  @Test(arguments: elements) func everyElementIsRead(form: Form) throws {
    let feed = try feed(form.text)

    #expect(feed.episodes == [form.expected])
    #expect(feed.failures.isEmpty && feed.repairs.isEmpty)
  }

  static let repairs: [Form] = [
    Form(
      rss("<guid>1</guid><title>A&nbsp;B &eacute;&hellip;</title>"),
      Episode(id: "1", title: "A B é…"), repairs: 1),
    Form(
      rss("<guid>1</guid><title>A & B &c; &</title>"), Episode(id: "1", title: "A & B &c; &"),
      repairs: 1),
    Form(
      rss("<guid>1</guid><link>http://a/?b=1&c=2</link>"),
      Episode(id: "1", url: URL(string: "http://a/?b=1&c=2")), repairs: 1),
    Form(
      rss("<guid>1</guid><enclosure url='http://a/?b=1&c=2'/>"),
      Episode(id: "1", audioURL: URL(string: "http://a/?b=1&c=2")), repairs: 1),
    Form(
      rss("<guid>1</guid><title>&#147;A&#148;&#1;</title>"), Episode(id: "1", title: "“A”\u{FFFD}"),
      repairs: 1),
    Form(
      rss("<guid>1</guid><itunes:duration>62</itunes:duration>"), Episode(id: "1", duration: 62),
      repairs: 1),
    Form(rss("<guid>1</guid><foo:bar a:b='c'>x</foo:bar><title>A</title>"), plain, repairs: 2),
    Form(
      "<!DOCTYPE rss [<!ATTLIST rss a CDATA 'x'> <!-- x -->]>"
        + rss("<guid>1</guid><title>A</title>"), plain, repairs: 1),
    Form(
      rss("<guid>1</guid><title><![CDATA[A & B]]></title><!-- & &nbsp; <x:y> -->"),
      Episode(id: "1", title: "A & B")),
    Form(
      rss("<guid>1</guid><title>A &amp; B &#38; C &#xE9;</title>"),
      Episode(id: "1", title: "A & B & C é")),
  ]

  @Test(arguments: repairs) func damagedXMLIsRepairedAndReported(form: Form) throws {
    let feed = try feed(form.text)

    #expect(feed.episodes == [form.expected])
    #expect(feed.repairs.count == form.repairs, "\(feed.repairs)")
    if form.repairs > 0 {
      #expect(throws: FeedError.self) {
        try Feed(reading: Data(form.text.utf8), defaultTitle: "Default")
      }
    }
  }

  @Test(arguments: FeedDateTests.dates)
  func everyDateIsReadOrLeftOut(text: String, expected: String?) throws {
    let date = expected.flatMap { isoDate($0) }
    for document in [
      Self.rss("<guid>1</guid><pubDate>\(text)</pubDate>"),
      Self.atom("<id>1</id><published>\(text)</published>"),
      Self.json(#"{"id": "1", "date_published": "\#(text)"}"#),
    ] {
      let feed = try feed(document)

      #expect(feed.episodes.map(\.id) == ["1"])
      #expect(
        feed.episodes.first?.publishedAt?.timeIntervalSince1970.rounded(.down)
          == date?.timeIntervalSince1970)
      #expect(feed.skippedValues.isEmpty == (date != nil || text.isEmpty))
    }
  }

  @Test(arguments: [
    "<rss><channel>ITEM</channel></rss>", "<rss><channel><title> </title>ITEM</channel></rss>",
    #"{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1"}]}"#,
    #"{"version": "https://jsonfeed.org/version/1", "title": null, "items": [{"id": "1"}]}"#,
    #"{"version": "https://jsonfeed.org/version/1", "title": "", "items": [{"id": "1"}]}"#,
  ])
  func aFeedWithoutATitleHasTheDefault(text: String) throws {
    let text = text.replacing("ITEM", with: "<item><guid>1</guid></item>")

    #expect(try feed(text).title == "Default")
  }

  @Test func itemsWithoutIdentityHaveThatOfTheirContent() throws {
    let items = [
      "<title>A</title><description>a</description>",
      "<title>B</title><description>b</description>",
      "<title>C</title><link>http://a/</link>", "<title>D</title><link>http://a/</link>",
      "<title>E</title><link>http://e/</link>", "<title>F</title><enclosure url='http://f/'/>",
    ]
    func ids(_ items: [String]) throws -> [String: String] {
      let feed = try feed(
        "<rss><channel>\(items.map { "<item>\($0)</item>" }.joined())</channel></rss>")
      #expect(feed.failures.isEmpty)
      return Dictionary(uniqueKeysWithValues: feed.episodes.map { ($0.title, $0.id) })
    }

    let first = try ids(items)

    #expect(Set(first.values).count == 6)
    #expect(first["E"] == "http://e/" && first["F"] == "http://f/")
    #expect(first["C"]?.hasPrefix("http://a/#") == true)
    #expect(try ids(items.reversed()) == first)
  }
}
