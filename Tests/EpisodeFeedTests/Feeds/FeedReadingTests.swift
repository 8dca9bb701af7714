import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct FeedReadingTests {
  @Test func bothMappingsHaveNoIssues() {
    #expect(Episode.mapping.issues.isEmpty)
    #expect(Episode.screencast.issues.isEmpty)
  }

  @Test func aJSONFeedItemIsAnEpisode() throws {
    let feed = try Feed(
      reading: jsonFeed(
        """
        {"id": "tag:1", "url": "https://example.com/1", "title": "Gneiss", "summary": "Bands",
         "content_html": "<p>Bands</p>", "content_text": "Bands of it",
         "image": "https://example.com/1.jpg", "date_published": "2026-11-20T08:30:00+01:00",
         "attachments": [{"url": "https://example.com/1.mp3", "mime_type": "audio/mpeg",
                          "duration_in_seconds": 1800.5}, {"url": "https://example.com/2.mp3"}],
         "_episode_feed": {"season": 2, "kind": "paid"}, "tags": ["rock"]}
        """))

    #expect(feed.title == "Deep Time")
    #expect(
      feed.episodes == [
        Episode(
          id: "tag:1", title: "Gneiss", summary: "Bands", contentText: "Bands of it",
          contentHTML: "<p>Bands</p>", kind: .paid,
          publishedAt: ISO8601.date("2026-11-20T07:30:00Z"),
          url: URL(string: "https://example.com/1"),
          imageURL: URL(string: "https://example.com/1.jpg"),
          audioURL: URL(string: "https://example.com/1.mp3"), audioType: "audio/mpeg",
          duration: 1800.5, season: 2)
      ])
  }

  @Test func onlyTheIDIsRequired() throws {
    #expect(try Feed(reading: jsonFeed(#"{"id": "1"}"#)).episodes == [Episode(id: "1")])
  }

  @Test(arguments: [("7", "7"), ("\"7\"", "7"), ("1.5", "1.5"), ("-3", "-3")])
  func aNumberIsConvertedToAnID(json: String, id: String) throws {
    #expect(try Feed(reading: jsonFeed("{\"id\": \(json)}")).episodes.map(\.id) == [id])
  }

  @Test(arguments: [
    (#"{"title": "x"}"#, ["missing value for `Episode.id` at /items/0/id, 2:12"]),
    (
      #"{"id": true}"#,
      ["invalid type: true, expected string - `Episode.id` at /items/0/id, 2:19"]
    ),
    (
      #"{"id": ""}"#,
      [
        "invalid value: string \"\", expected text that is not empty - `Episode.id` at /items/0/id, 2:19"
      ]
    ),
    ("7", ["invalid type: number 7, expected object - `Episode` at /items/0, 2:12"]),
    (
      #"{"id": "1", "title": 5, "date_published": "yesterday"}"#,
      [
        "invalid type: number 5, expected string - `Episode.title` at /items/0/title, 2:33",
        "invalid value: string \"yesterday\", expected ISO 8601 date and time"
          + " - `Episode.publishedAt` at /items/0/date_published, 2:54",
      ]
    ),
  ])
  func aBadItemIsReportedWithAllMistakes(item: String, messages: [String]) {
    let error = #expect(throws: FeedError.self) {
      try Feed(reading: jsonFeed(item, #"{"id": "good"}"#))
    }

    #expect(error?.code == .invalidItems)
    #expect(error?.details == messages)
  }

  @Test func aFeedWithoutTitleOrItemsIsAnError() {
    for (text, message) in [
      (
        #"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#,
        "`Feed.title` at /title, 1:1"
      ),
      (
        #"{"version": "https://jsonfeed.org/version/1.1", "title": ""}"#, "`Episode` at /items, 1:1"
      ),
    ] {
      let error = #expect(throws: FeedError.self) { try Feed(reading: Data(text.utf8)) }
      #expect(error?.code == .invalidFeed)
      #expect(error?.details == ["missing value for \(message)"])
    }
  }

  @Test func aFeedWithoutEpisodesIsAnErrorInLossyReadingToo() {
    for isLossy in [false, true] {
      for data in [[].data, jsonFeed()] {
        let error = #expect(throws: FeedError.self) { try Feed(reading: data, isLossy: isLossy) }
        #expect(error?.code == .emptyFeed)
      }
      let bad = #expect(throws: FeedError.self) {
        try Feed(reading: jsonFeed("7"), isLossy: isLossy)
      }
      #expect(bad?.code == .invalidFeed)
    }
  }
}
