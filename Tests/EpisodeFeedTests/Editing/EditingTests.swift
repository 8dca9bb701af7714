import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct EditingTests {
  private let store: ModelStore

  init() throws {
    store = try ModelStore(inMemory: Episode.self)
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
  }

  @Test func anEditReturnsTheChangedKeys() throws {
    let keys = try store.editEpisode("114") { episode in
      episode.season = 1
      episode.title = "Charts"
      episode.kind = .paid
    }

    #expect(keys == ["title", "season"])
    #expect(try store.episode("114").title == "Charts")
  }

  @Test func anEditThatChangesNothingWritesNothing() throws {
    #expect(try store.editEpisode("114") { $0.title = "Maps" } == [])
  }

  @Test func anEditThatThrowsChangesNothing() throws {
    struct Refusal: Error {}

    #expect(throws: Refusal.self) {
      try store.editEpisode("114") { episode in
        episode.title = "Charts"
        throw Refusal()
      }
    }

    #expect(try store.episode("114").title == "Maps")
  }

  @Test func aTitleHasALimitUnlessTheFeedHasALongerOne() throws {
    let long = String(repeating: "e\u{301}", count: 250)
    var episode = Episode(id: "1", title: long + "a")

    try episode.rename(long + "a")
    try episode.rename(long)
    #expect(throws: FeedError.self) { try episode.rename(long + "a") }
    #expect(throws: FeedError.self) { try episode.rename("a\0b") }

    #expect(episode.title == long)
  }

  @Test func anUnknownIDIsAnError() {
    let error = #expect(throws: FeedError.self) { try store.editEpisode("9") { _ in } }

    #expect(error?.code == .noSuchEpisode)
  }
}
