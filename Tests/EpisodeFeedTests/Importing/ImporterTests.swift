import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

@Suite struct ImporterTests {
  private let store: ModelStore

  init() throws { store = try ModelStore(inMemory: Episode.self) }

  private func episodes() throws -> [Episode] { try store.fetch(EpisodeList().request) }

  @Test func episodesHaveThePodcastOfTheirFeed() throws {
    try EpisodeImporter(store).import(Feed(reading: jsonFeed(#"{"id": "1"}"#)))
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))

    #expect(
      try episodes().map(\.podcast) == ["Screencast", "Screencast", "Screencast", "Deep Time"])
  }

  @Test func mirroringDoesNotDeleteOtherPodcasts() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    try EpisodeImporter(store).import(Feed(reading: jsonFeed(#"{"id": "1"}"#, #"{"id": "2"}"#)))

    let report = try EpisodeImporter(store)
      .import(Feed(reading: jsonFeed(#"{"id": "2"}"#)), .mirror)

    #expect(report == ImportReport(unchanged: 1, deleted: 1))
    #expect(try episodes().map(\.id) == ["115", "114", "113", "2"])
  }

  @Test func mirroringAFeedWithoutEpisodesDeletesNothing() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))

    let report = try EpisodeImporter(store).import(Feed("Screencast", episodes: []), .mirror)

    #expect(report == ImportReport())
    #expect(try episodes().count == 3)
  }

  @Test func mirroringAFeedWithSkippedItemsDeletesNothing() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    var items = ScreencastItem.three
    items[1].type = "series"

    let report = try EpisodeImporter(store)
      .import(Feed(reading: items.data, isLossy: true), .mirror)

    #expect(report == ImportReport(unchanged: 2, skipped: 1))
    #expect(try episodes().count == 3)
  }

  @Test func anIDOfAnotherPodcastIsRejected() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    let before = try episodes()
    let feed = try Feed(reading: jsonFeed(#"{"id": "1"}"#, #"{"id": "114", "title": "Gneiss"}"#))

    let error = #expect(throws: FeedError.self) { try EpisodeImporter(store).import(feed) }

    #expect(error?.code == .idTaken)
    #expect(error?.details == [#"id "114" belongs to "Maps" of "Screencast""#])
    #expect(try episodes() == before)
  }

  @Test func importingAgainDoesNotChangePlayedEpisodes() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    _ = try store.write { writer in
      var change = Partial<Episode>()
      change[\.id] = "114"
      change[\.isPlayed] = true
      return try writer.update([change])
    }
    var items = ScreencastItem.three
    items[1].title = "Charts"

    let again = try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    let changed = try EpisodeImporter(store).import(Feed(reading: items.data))

    #expect(again == ImportReport(unchanged: 3))
    #expect(changed == ImportReport(updated: 1, unchanged: 2))
    #expect(try store.episode("114").isPlayed)
    #expect(try store.episode("114").title == "Charts")
  }

  @Test func aStoreOfAnEarlierVersionIsMigrated() throws {
    let folder = try TemporaryFolder()
    try EpisodeImporter(folder.store()).import(Feed(reading: ScreencastItem.three.data))
    let queue = try DatabaseQueue(path: folder.path("store.sqlite"))
    try queue.write { try $0.execute(sql: "ALTER TABLE Episode DROP COLUMN isPlayed") }
    try queue.close()

    let episodes = try folder.store().fetch(EpisodeList().request)

    #expect(episodes.map(\.id) == ["115", "114", "113"])
    #expect(episodes.allSatisfy { !$0.isPlayed })
  }
}
