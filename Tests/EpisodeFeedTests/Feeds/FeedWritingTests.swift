import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct FeedWritingTests {
  private let episodes = [
    Episode(
      id: "1", title: "Gneiss \"bands\"\n", summary: "", contentText: "Text",
      contentHTML: "<p>é</p>", kind: .paid, publishedAt: Date(timeIntervalSinceReferenceDate: 0.5),
      url: URL(string: "https://example.com/1"), imageURL: URL(string: "https://example.com/1.jpg"),
      audioURL: URL(string: "https://example.com/1.mp3"), audioType: "audio/mpeg",
      duration: 90.25, season: 2),
    Episode(id: "2"),
    Episode(id: "3", duration: 5, season: -1),
  ]

  @Test(arguments: [JSONFormatting.compact, .pretty])
  func aJSONFeedReadsBackAsEqualEpisodes(formatting: JSONFormatting) throws {
    let data = try Feed("Deep Time", episodes: episodes).data(.jsonFeed, formatting: formatting)

    let feed = try Feed(reading: data)

    #expect(feed.title == "Deep Time")
    #expect(feed.format == .jsonFeed)
    #expect(feed.episodes == episodes)
  }

  @Test func theScreencastFormatReadsBackAsEqualEpisodes() throws {
    let first = try Feed(reading: ScreencastItem.three.data)

    let second = try Feed(reading: first.data(.screencast))

    #expect(second.format == .screencast)
    #expect(second.episodes == first.episodes)
  }

  @Test func aJSONFeedBeginsWithVersionAndTitle() throws {
    let data = try Feed("Deep Time", episodes: [Episode(id: "2", title: "Two", season: 1)])
      .data(.jsonFeed)

    #expect(
      String(decoding: data, as: UTF8.self) == """
        {
          "version": "https://jsonfeed.org/version/1.1",
          "title": "Deep Time",
          "items": [
            {
              "id": "2",
              "title": "Two",
              "_episode_feed": {
                "kind": "free",
                "season": 1
              }
            }
          ]
        }
        """)
  }

  @Test(arguments: ["a", "007", "+7", ""])
  func theScreencastFormatRequiresIntegerIDs(id: String) {
    let feed = Feed("Deep Time", episodes: [Episode(id: id)])

    let error = #expect(throws: FeedError.self) { try feed.data(.screencast) }

    #expect(error?.code == .notWritable)
    #expect(
      error?.reason
        == "invalid value: id \"\(id)\", expected episode number - `Episode.id`"
        + " at /0/episode/episode_number")
  }
}
