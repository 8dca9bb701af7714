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
    ("<rss version=\"2.0\"/>", "the document begins with \"<\", like RSS or a web page"),
    ("\n  <!doctype html>", "the document begins with \"<\", like RSS or a web page"),
  ])
  func unknownFormatsAreReportedWithADescription(text: String, reason: String) {
    let error = #expect(throws: FeedError.self) { try Feed(reading: Data(text.utf8)) }

    #expect(error?.code == .unknownFormat)
    #expect(error?.reason == reason)
  }
}
