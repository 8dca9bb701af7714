import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// The cases of the screencast's episode list, with their numbers.
@Suite struct ScreencastImportTests {
  // F-01
  @Test func aFirstImportInsertsEveryEpisodeInOneChangeSet() async throws {
    var list = try FollowedList()

    let (report, records) = try await list.import(ScreencastItem.three)

    #expect(report == ImportReport(inserted: 3))
    #expect(records == ["insert [0, 0]", "insert [0, 1]", "insert [0, 2]"])
    #expect(try list.ids == ["115", "114", "113"])
  }

  // F-02
  @Test func importingTheSameFeedWritesNothing() async throws {
    var list = try FollowedList()
    _ = try await list.import(ScreencastItem.three)
    let writes = try list.store.writer.unsafeReentrantWrite { $0.totalChangesCount }

    let (report, records) = try await list.import(ScreencastItem.three)

    #expect(report == ImportReport(unchanged: 3))
    #expect(records.isEmpty)
    #expect(try list.store.writer.unsafeReentrantWrite { $0.totalChangesCount } == writes)
  }

  // F-03
  @Test func aNewTitleIsAnUpdateInPlace() async throws {
    var list = try FollowedList()
    var items = ScreencastItem.three
    _ = try await list.import(items)
    items[1].title = "Charts"

    let (report, records) = try await list.import(items)

    #expect(report == ImportReport(updated: 1, unchanged: 2))
    #expect(records == ["update [0, 1] → [0, 1] changed title"])
  }

  // F-04
  @Test func aNewDateIsAMove() async throws {
    var list = try FollowedList()
    var items = ScreencastItem.three
    _ = try await list.import(items)
    items[2].date = "2014-04-17T08:00:00Z"

    let (_, records) = try await list.import(items)

    #expect(records == ["move [0, 2] → [0, 0] changed publishedAt"])
    #expect(try list.ids == ["113", "115", "114"])
  }

  // F-05
  @Test func aNewDateAndTitleAreOneRecord() async throws {
    var list = try FollowedList()
    var items = ScreencastItem.three
    _ = try await list.import(items)
    items[2].date = "2014-04-17T08:00:00Z"
    items[2].title = "Rows that Move"

    let (_, records) = try await list.import(items)

    #expect(records == ["move [0, 2] → [0, 0] changed title, publishedAt"])
  }

  // F-07
  @Test func mirroringDeletesAnEpisodeThatLeftTheFeed() async throws {
    var list = try FollowedList()
    var items = ScreencastItem.three
    _ = try await list.import(items)
    items.remove(at: 1)

    let (report, records) = try await list.import(items, .mirror)

    #expect(report == ImportReport(unchanged: 2, deleted: 1))
    #expect(records == ["delete [0, 1]"])
  }

  // F-07
  @Test func upsertingDoesNotDeleteAnEpisodeThatLeftTheFeed() async throws {
    var list = try FollowedList()
    _ = try await list.import(ScreencastItem.three)

    let (report, records) = try await list.import(Array(ScreencastItem.three.dropFirst()))

    #expect(report == ImportReport(unchanged: 2))
    #expect(records.isEmpty)
  }

  // F-08
  @Test func anUnknownEpisodeTypeIsReportedWithItsPathAndTheKnownTypes() throws {
    var items = ScreencastItem.three
    items[1].type = "series"
    let message =
      "invalid value: string \"series\", expected one of \"free\", \"paid\""
      + " - `Episode.kind` at /1/episode/episode_type, 2:100"

    let error = #expect(throws: FeedError.self) { try Feed(reading: items.data) }
    let feed = try Feed(reading: items.data, isLossy: true)

    #expect(error?.code == .invalidItems)
    #expect(error?.details == [message])
    #expect(feed.episodes.map(\.id) == ["115", "113"])
    #expect(feed.failures.map(\.index) == [1])
    #expect(feed.failures.map(\.messages) == [[message]])
  }

  // F-10
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func episodesOfOneDateAreOrderedByTheirIDs(order: [Int]) async throws {
    var list = try FollowedList()
    let items = ScreencastItem.three.map { item in
      ScreencastItem(number: item.number, title: item.title, date: "2014-04-10T08:00:00Z")
    }

    _ = try await list.import(order.map { items[$0] })

    #expect(try list.ids == ["113", "114", "115"])
  }

  // F-14
  @Test func aTruncatedFeedIsReportedWithLineAndColumn() throws {
    let data = ScreencastItem.three.data

    for length in 1..<data.count {
      let error = #expect(throws: FeedError.self) { try Feed(reading: data.prefix(length)) }
      #expect(error?.code == .notJSON)
      #expect(error?.reason.contains(" at line ") == true, "cut at \(length)")
    }
  }
}
