import EpisodeFeed
import Testing

@Suite struct DuplicateTests {
  @Test func aDuplicateIDIsReportedWithBothPaths() throws {
    var items = ScreencastItem.three
    items[2].number = 115

    let error = #expect(throws: FeedError.self) { try Feed(reading: items.data) }

    #expect(
      error?.details == [
        #"duplicate id: "115" - `Episode.id` at /2/episode/episode_number,"#
          + " first at /0/episode/episode_number"
      ])
  }

  @Test func lossyReadingSkipsLaterItemsWithADuplicateID() throws {
    let feed = try Feed(
      reading: jsonFeed(
        #"{"id": 5, "title": "first"}"#, "[]", #"{"id": "5", "title": "second"}"#,
        #"{"id": "6"}"#, #"{"id": "5"}"#),
      isLossy: true)

    #expect(feed.episodes == [Episode(id: "5", title: "first"), Episode(id: "6")])
    #expect(feed.failures.map(\.index) == [1, 2, 4])
    #expect(
      feed.failures.map(\.description) == [
        "invalid type: array, expected object - `Episode` at /items/1, 3:1",
        #"duplicate id: "5" - `Episode.id` at /items/2/id, first at /items/0/id"#,
        #"duplicate id: "5" - `Episode.id` at /items/4/id, first at /items/0/id"#,
      ])
  }
}
