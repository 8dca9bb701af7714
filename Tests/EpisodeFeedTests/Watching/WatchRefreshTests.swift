import CommandTesting
import Foundation
import Moho
import TerminalScreen
import Testing

@testable import EpisodeFeed

/// Refreshing feeds on the screen.
@Suite(.timeLimit(.minutes(20))) struct WatchRefreshTests {
  private func result(_ podcast: String, _ outcome: FeedRefresher.Outcome) -> WatchEvent {
    let subscription = FeedSubscription(url: URL(filePath: "/\(podcast)"), podcast: podcast)
    return .refreshing(
      .finished(FeedRefresher.Result(subscription: subscription, outcome: outcome)))
  }

  private func imported(_ report: ImportReport) -> FeedRefresher.Outcome {
    .imported(report, Feed("", episodes: []))
  }

  @Test func theProgressIsShownAndThenTheChanges() async throws {
    var watcher = try Watcher()

    try await watcher.press(.character("R"))
    #expect(watcher.actions == [.refresh(podcast: nil)])
    #expect(watcher.status == " refreshing…")
    try await watcher.handle(.refreshing(.began(count: 3)))
    #expect(watcher.status == " refreshing 0 of 3 feeds   Esc cancels")
    try await watcher.handle(result("A", imported(ImportReport(inserted: 2, updated: 1))))
    #expect(watcher.status == " refreshing 1 of 3 feeds   Esc cancels")
    try await watcher.handle(result("B", .unchanged))
    try await watcher.handle(result("C", imported(ImportReport(inserted: 1, deleted: 4))))
    try await watcher.handle(.refreshing(.ended(nil)))

    #expect(watcher.status == " refreshed 3 feeds: 3 new, 1 changed, 4 deleted")
  }

  @Test func failuresAreCountedAndListed() async throws {
    var watcher = try Watcher()
    try await watcher.press(.character("R"))
    try await watcher.handle(.refreshing(.began(count: 5)))

    for number in 1...5 {
      try await watcher.handle(
        result("P\(number)\u{1B}", .failed(FeedError(.emptyFeed, "no episodes"))))
    }
    #expect(watcher.status == " refreshing 5 of 5 feeds, 5 failed   Esc cancels")
    try await watcher.handle(.refreshing(.ended(nil)))

    #expect(
      watcher.lines.dropLast().suffix(5) == [
        " refreshed 5 feeds: nothing has changed, 5 failed",
        #"   P1\u{1B}: no episodes"#, #"   P2\u{1B}: no episodes"#, #"   P3\u{1B}: no episodes"#,
        "   … and 2 more: `episode-feed feeds` lists them",
      ])
    try await watcher.press(.down)
    #expect(watcher.status == "")
  }

  @Test(arguments: [Key.escape, .character("R")])
  func aKeyCancelsTheRefresh(key: Key) async throws {
    var watcher = try Watcher(Episode.numbered(1...1), EpisodeList(search: "e"))
    try await watcher.press(.character("R"))
    try await watcher.handle(.refreshing(.began(count: 2)))

    try await watcher.press(key, key)
    #expect(watcher.actions == [.refresh(podcast: nil), .cancelRefresh])
    #expect(watcher.status == " refreshing 0 of 2 feeds   canceling…")
    #expect(watcher.state.list.search == "e", "Esc did not end the search")
    try await watcher.handle(result("A", .unchanged))
    try await watcher.handle(.refreshing(.ended(CancellationError())))

    #expect(
      watcher.status == " canceled after 1 of 2 feeds: nothing has changed")
    try await watcher.press(.character("R"))
    #expect(watcher.actions.last == .refresh(podcast: nil))
  }

  @Test func onlyTheFeedsOfTheShownPodcastAreRefreshed() async throws {
    var watcher = try Watcher(
      [Episode(id: "1", podcast: "Crust")], EpisodeList(podcast: "Crust"), width: 80)

    try await watcher.press(.character("R"))
    try await watcher.handle(.refreshing(.began(count: 0)))
    try await watcher.handle(.refreshing(.ended(nil)))
    #expect(watcher.status == " no remembered feed has this podcast")
    try await watcher.press(.character("P"), .home, .character("R"))
    try await watcher.handle(.refreshing(.began(count: 0)))
    try await watcher.handle(.refreshing(.ended(nil)))

    #expect(watcher.status == " no remembered feeds: import one with `episode-feed import URL`")
    #expect(
      watcher.actions.filter { if case .refresh = $0 { true } else { false } }
        == [.refresh(podcast: "Crust"), .refresh(podcast: nil)])
  }

  @Test func anErrorOfTheStoreEndsTheRefresh() async throws {
    struct Failure: Error {}
    var watcher = try Watcher()
    try await watcher.press(.character("R"))

    try await watcher.handle(.refreshing(.ended(Failure())))

    #expect(watcher.status == " Failure()")
    #expect(watcher.state.refresh == nil)
  }

  @Test func aProgramFetchesTheFeedsOfAPodcast() async throws {
    let scene = try WatchScene()
    let server = try FeedServer()
    let store = try scene.folder.store()
    for title in ["A", "B"] {
      server["/\(title)"] = jsonFeed(title: title, #"{"id": "1", "title": "First"}"#)
      try await EpisodeImporter(store).importFeed(at: server.url("/\(title)"))
      server["/\(title)"] = jsonFeed(
        title: title, #"{"id": "1", "title": "First"}"#, #"{"id": "2", "title": "Second"}"#)
    }
    server["/B"] = nil
    let program = try await scene.watch(height: 20)

    program.send("P")
    try await program.wait(for: "1/4")
    program.send("jR")
    try await program.wait(for: "refreshed 1 feed: 1 new")
    try await program.wait(for: "          2         2  A")
    program.send("q")
    #expect(await program.waitForEnd() == 0)
    let again = try await scene.watch(height: 20)
    again.send("R")
    try await again.wait(for: "refreshed 2 feeds: nothing has changed, 1 failed")
    #expect(again.screen.text.contains("   B: the server responded with status 404"))

    try await scene.quit(again)
  }
}
