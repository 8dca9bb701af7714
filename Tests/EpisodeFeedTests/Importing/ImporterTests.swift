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

  @Test func feedsWithTheSameIDsLiveSideBySide() throws {
    func feed(_ title: String, _ numbers: Range<Int>) throws -> Feed {
      let items = numbers.map { #"{"id": "\#($0)", "title": "\#(title) \#($0)"}"# }
      return try Feed(reading: jsonFeed(title: title, items.joined(separator: ",")))
    }
    let feeds = [try feed("Deep Time", 0..<14), try feed("Core", 0..<14)]

    let reports = try feeds.map { try EpisodeImporter(store).import($0) }

    #expect(reports == [ImportReport(inserted: 14), ImportReport(inserted: 14)])
    #expect(try EpisodeImporter(store).import(feeds[0]) == ImportReport(unchanged: 14))
    #expect(
      try EpisodeImporter(store).import(feed("Core", 1..<14), .mirror)
        == ImportReport(unchanged: 13, deleted: 1))
    #expect(try store.feed(of: "Deep Time").episodes.count == 14)
    #expect(try store.episode("0").title == "Deep Time 0")
    #expect(try store.episode("3", of: "Core").title == "Core 3")
    let error = #expect(throws: FeedError.self) { try store.episode("3") }
    #expect(error?.code == .severalEpisodes)
    #expect(error?.details == [#""Core 3" of "Core""#, #""Deep Time 3" of "Deep Time""#])
    #expect(try store.editEpisode("3", of: "Core") { $0.title = "Iron" } == ["title"])
    #expect(try store.episode("3", of: "Deep Time").title == "Deep Time 3")
  }

  @Test func importingAgainDoesNotChangePlayedEpisodes() throws {
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    _ = try store.write { writer in
      var change = Partial<Episode>()
      change[\.podcast] = "Screencast"
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
