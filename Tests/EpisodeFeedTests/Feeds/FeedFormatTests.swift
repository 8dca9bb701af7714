import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct FeedFormatTests {
  @Test func formatsAreDetected() throws {
    #expect(try Feed(reading: ScreencastItem.three.data).format == .screencast)
    #expect(try Feed(reading: jsonFeed(#"{"id": "1"}"#)).format == .jsonFeed)
    #expect(try FeedFormat(of: JSONDocument(parsing: "[]")) == .screencast)
    let oldVersion = #"{"version": "https://jsonfeed.org/version/1"}"#
    #expect(try FeedFormat(of: JSONDocument(parsing: oldVersion)) == .jsonFeed)
  }

  @Test(arguments: [
    (#"{"items": []}"#, "the document is an object without `version`"),
    (#"{"version": 2}"#, "`version` is 2, not a version of JSON Feed"),
    (#"{"version": "2.0"}"#, #"`version` is "2.0", not a version of JSON Feed"#),
    ("3", "the document is a single integer"),
    (#""text""#, "the document is a single string"),
    ("null", "the document is a single null"),
    ("\n  <opml/>", "the document is XML with the root <opml>"),
    ("<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "the document is a web page, not a feed"),
    ("<!doctype html><html><br></html>", "the document is a web page, not a feed"),
    ("\n  <!DOCTYPE HTML>", "the document is a web page, not a feed"),
    ("<HTML>", "the document is a web page, not a feed"),
  ])
  func unknownFormatsAreReportedWithADescription(text: String, reason: String) {
    let error = #expect(throws: FeedError.self) { try Feed(reading: Data(text.utf8)) }

    #expect(error?.code == .unknownFormat)
    #expect(error?.reason == reason)
  }
}
