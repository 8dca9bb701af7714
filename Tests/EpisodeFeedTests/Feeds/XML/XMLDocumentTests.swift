import Foundation
import Testing

@testable import EpisodeFeed

/// XML documents that are unusual, malformed or malicious.
@Suite struct XMLDocumentTests {
  private func error(_ data: Data) -> FeedError? {
    #expect(throws: FeedError.self) { try Feed(reading: data) }
  }

  @Test func aDocumentThatIsCutOffIsAnErrorAtEveryByte() throws {
    let rss = rssFeed(
      "<guid>1</guid><title><![CDATA[<a>]]>é</title>",
      "<guid>2</guid><!-- x --><link>http://a</link>")
    let atom = atomFeed("<id>1</id><content type='xhtml'><div>a<br/></div></content>")
    for data in [rss, atom] {
      #expect(throws: Never.self) { try Feed(reading: data) }
      for length in 1..<data.count {
        let error = #expect(throws: FeedError.self, "cut at \(length)") {
          try Feed(reading: data.prefix(length), isLossy: true)
        }
        #expect(error?.code == .notXML, "cut at \(length)")
        #expect(error?.reason.contains(" at line ") == true, "cut at \(length)")
      }
    }
  }

  @Test func damagedDocumentsNeverTrap() throws {
    let data = rssFeed("<guid>1</guid><title><![CDATA[<a>]]>é</title><link>http://a</link>")
    for index in data.indices {
      for byte in [0, 0x3C, 0xFF] as [UInt8] {
        var damaged = data
        damaged[index] = byte
        _ = try? Feed(reading: damaged)
      }
    }
  }

  @Test(arguments: [
    ("<rss>\n <channel></rss>", "the tags do not match in <channel> at line 2"),
    ("<rss><channel><title>&nbsp;</title></channel></rss>", "undeclared entity at line 1"),
    ("<rss><itunes:x/></rss>", "undeclared namespace prefix at line 1"),
    ("<rss a='1' a='2'/>", "invalid attribute at line 1"),
    ("<rss/><rss/>", "unexpected text after the document at line 1"),
    ("<rss>\u{1}</rss>", "invalid character at line 1"),
  ])
  func malformedDocumentsAreReported(text: String, reason: String) {
    let error = error(Data(text.utf8))

    #expect(error?.code == .notXML)
    #expect(
      error?.reason.hasPrefix("invalid XML: \(reason), column ") == true, "\(error?.reason ?? "")")
  }

  @Test(arguments: [
    "<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><rss>&b;</rss>",
    "<!-- [ --><!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss>&a;</rss>",
    "<?pi [?>\n<!DOCTYPE r SYSTEM 'x' [<!ENTITY % a SYSTEM 'http://127.0.0.1:1/'> %a;]><rss/>",
    "<!DOCTYPE r [<!ATTLIST rss a CDATA 'x'>]><rss/>",
  ])
  func declarationsAreRefused(text: String) {
    let error = error(Data(text.utf8))

    #expect(error?.code == .notXML)
    #expect(
      error?.reason.hasPrefix(
        "invalid XML: declarations of entities or elements are not supported at line ") == true)
  }

  @Test func aDocumentTypeWithoutDeclarationsIsAccepted() throws {
    let type = "<!DOCTYPE rss PUBLIC '-//N//DTD RSS 0.91//EN' 'http://127.0.0.1:1/rss.dtd'>"
    let text = String(decoding: rssFeed("<guid>1</guid>"), as: UTF8.self)
      .replacing("?>", with: "?>\(type)")

    #expect(try Feed(reading: Data(text.utf8)).episodes == [Episode(id: "1")])
  }

  @Test func depthIsLimited() {
    let deep = String(repeating: "<a>", count: 200_000) + String(repeating: "</a>", count: 200_000)

    #expect(
      error(Data(deep.utf8))?.reason
        == "invalid XML: the document has more than 100 levels at line 1, column 301")
  }

  @Test func sizeIsLimited() {
    #expect(
      error(Data("<rss/>".utf8) + Data(repeating: 32, count: 32 << 20))?.reason
        == "the document is larger than 32 MB")
  }

  static let encodings: [(String, String.Encoding, Bool)] = [
    ("UTF-8", .utf8, false), ("UTF-8", .utf8, true), ("ISO-8859-1", .isoLatin1, false),
    ("iso-8859-1", .windowsCP1252, false), ("windows-1252", .windowsCP1252, false),
    ("UTF-16", .utf16LittleEndian, true), ("utf-16", .utf16BigEndian, true),
    ("UTF-16", .utf16LittleEndian, false), ("UTF-16", .utf16BigEndian, false),
    ("utf-16", .utf8, false),
  ]

  @Test(arguments: encodings)
  func encodingsAreDecoded(name: String, encoding: String.Encoding, hasMark: Bool) throws {
    let title = encoding == .windowsCP1252 ? "é “€”" : "é ÿ"
    let text = String(decoding: rssFeed("<guid>1</guid><title>\(title)</title>"), as: UTF8.self)
      .replacing("UTF-8", with: name)
    let data = try #require(((hasMark ? "\u{FEFF}" : "") + text).data(using: encoding))

    #expect(try Feed(reading: data).episodes == [Episode(id: "1", title: title)])
  }

  @Test(arguments: [("foo", "the encoding \"foo\" is not supported")])
  func unknownEncodingsAreReported(name: String, reason: String) {
    let error = error(Data("<?xml version='1.0' encoding='\(name)'?><rss/><!-- ".utf8) + [0xE9])

    #expect(error?.code == .notXML)
    #expect(error?.reason == "invalid XML: \(reason)")
  }

  @Test func whiteSpaceBeforeTheDeclarationIsAccepted() throws {
    #expect(
      try Feed(reading: Data("\n  ".utf8) + rssFeed("<guid>1</guid>")).episodes
        == [Episode(id: "1")])
  }
}
