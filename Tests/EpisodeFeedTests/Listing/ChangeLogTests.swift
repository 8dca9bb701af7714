import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct ChangeLogTests {
  private let store: ModelStore
  private let controller: ResultsController<Episode>

  init() throws {
    store = try ModelStore(inMemory: Episode.self)
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    controller = try EpisodeList().controller(in: store)
  }

  @Test func eachRecordIsALineWithIDAndTitle() async throws {
    let before = controller.snapshot
    var log = ChangeLog(since: before)
    var items = ScreencastItem.three
    items[2].date = "2014-04-17T08:00:00Z"
    items[2].title = "Rows that Move"
    items[1].number = 116

    try EpisodeImporter(store).import(Feed(reading: items.data), .mirror)
    var updates = controller.updates(since: before).makeAsyncIterator()
    let update = try #require(try await updates.next())

    #expect(
      log.lines(of: update) == [
        #"delete [0, 1]  114 "Maps""#,
        #"move [0, 2] → [0, 0] changed title, publishedAt  113 "Rows that Move""#,
        #"insert [0, 2]  116 "Maps""#,
      ])
    #expect(ChangeMark.marks(of: update.changes).values.sorted() == ["+", ">~"])
  }

  @Test func aDeletedEpisodeIsNamedEvenIfItWasAddedLater() async throws {
    let known = controller.snapshot
    var log = ChangeLog(since: known)
    var updates = controller.updates(since: known).makeAsyncIterator()
    try await store.write { try $0.save(Episode(id: "x", title: "A\u{1B}\nB")) }
    _ = log.lines(of: try #require(try await updates.next()))

    try await store.write { try $0.delete([Episode(id: "x")]) }

    #expect(
      log.lines(of: try #require(try await updates.next())) == [#"delete [0, 3]  x "A\u{1B}\nB""#])
  }
}
