import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct FeedFormatTests {
  @Test func formsAreToldApart() throws {
    #expect(try Feed(reading: ScreencastItem.three.data).format == .screencast)
    #expect(try Feed(reading: jsonFeed(#"{"id": "1"}"#)).format == .jsonFeed)
    #expect(try FeedFormat(of: JSONDocument(parsing: "[]")) == .screencast)
    let oldVersion = #"{"version": "https://jsonfeed.org/version/1"}"#
    #expect(try FeedFormat(of: JSONDocument(parsing: oldVersion)) == .jsonFeed)
  }

  @Test(arguments: [
    (#"{"items": []}"#, "it is an object without `version`"),
    (#"{"version": 2}"#, "its `version` is 2, not that of a JSON Feed"),
    (#"{"version": "2.0"}"#, #"its `version` is "2.0", not that of a JSON Feed"#),
    ("3", "it is a single integer"),
    (#""text""#, "it is a single string"),
    ("null", "it is a single null"),
    ("<rss version=\"2.0\"/>", "it begins with \"<\", as RSS and web pages do"),
    ("\n  <!doctype html>", "it begins with \"<\", as RSS and web pages do"),
  ])
  func otherDocumentsAreErrorsThatSayWhatTheyAre(text: String, reason: String) {
    let error = #expect(throws: FeedError.self) { try Feed(reading: Data(text.utf8)) }

    #expect(error?.code == .unknownFormat)
    #expect(error?.reason == reason)
  }
}
