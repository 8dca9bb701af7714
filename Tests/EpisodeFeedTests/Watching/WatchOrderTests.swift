import EpisodeFeed
import Foundation
import Moho
import TerminalScreen
import Testing

/// The keys that change the order and the sections of the list.
@Suite struct WatchOrderTests {
  private static let episodes = [
    Episode(
      id: "1", title: "Tuff", publishedAt: Episode.day(-1), duration: 60, season: 1,
      podcast: "Ash"),
    Episode(id: "2", title: "ärger", publishedAt: Episode.day(-2), duration: 90, podcast: "Basalt"),
    Episode(id: "3", title: "Part 10", publishedAt: Episode.day(-3), season: 2, podcast: "Ash"),
    Episode(id: "4", title: "Part 9", duration: 30, season: 2, podcast: "Basalt"),
  ]

  private func ids(_ watcher: Watcher) -> [String] {
    watcher.rows.filter { $0.contains("  ") }.compactMap { row in
      row.split(separator: " ").first { ["1", "2", "3", "4"].contains($0) }.map(String.init)
    }
  }

  @Test func eachOrderIsShownAndAppliedInTurn() async throws {
    var watcher = try Watcher(Self.episodes)
    let orders = [
      ("newest first", ["1", "2", "3", "4"]), ("oldest first", ["3", "2", "1", "4"]),
      ("A to Z", ["2", "4", "3", "1"]), ("longest first", ["2", "1", "4", "3"]),
      ("newest first", ["1", "2", "3", "4"]),
    ]
    for (number, (name, ids)) in orders.enumerated() {
      if number > 0 {
        try await watcher.press(.character("s"))
        #expect(watcher.status == " order: \(name)")
      }
      #expect(watcher.lines[0].hasPrefix(" 4 episodes, \(name) "))
      #expect(watcher.state.list.order.text == name)
      #expect(self.ids(watcher) == ids, "\(name)")
      watcher.pass(.seconds(9))
    }
  }

  @Test func sectionsAreShownAndAppliedInTurn() async throws {
    var watcher = try Watcher(Self.episodes)

    try await watcher.press(.character("S"))
    watcher.pass(.seconds(9))
    #expect(watcher.lines[0].hasPrefix(" 4 episodes by season, newest first "))
    #expect(
      watcher.rows.filter { $0.contains("eason") } == [
        " Season 2  2  0:30", " Season 1  1  1:00", " No season  1  1:30",
      ])
    try await watcher.press(.character("S"))
    watcher.pass(.seconds(9))
    #expect(watcher.lines[0].hasPrefix(" 4 episodes by podcast, newest first "))
    #expect(watcher.rows[0] == " Ash  2  1:00")
    try await watcher.press(.character("S"))
    watcher.pass(.seconds(9))

    #expect(watcher.lines[0].hasPrefix(" 4 episodes, newest first "))
    #expect(watcher.rows.count == 4)
  }

  @Test func rowsOfANewOrderAreMarkedAsMoved() async throws {
    var watcher = try Watcher(Episode.numbered(1...5))
    try await watcher.press(.down)

    try await watcher.press(.character("s"))

    #expect(watcher.lines[0].contains("4 moved"))
    let marks = watcher.rows.map { $0.prefix(2) }
    #expect(marks.count { $0 == " ↑" || $0 == " ↓" } == 4)
    #expect(watcher.state.selectedEpisode?.id == "2", "the selection moves with its row")
    watcher.pass(.seconds(3))
    #expect(watcher.rows.allSatisfy { $0.hasPrefix("     ") })
  }

  @Test func aSearchAfterANewOrderMarksNoRows() async throws {
    var watcher = try Watcher(Episode.numbered(1...20))
    try await watcher.press(.character("s"))
    watcher.pass(.seconds(9))

    try await watcher.press(.character("/"), .character("1"), .enter)

    #expect(watcher.rows.allSatisfy { $0.hasPrefix("     ") })
    #expect(watcher.lines[0].hasPrefix(" 11 episodes matching “1”, oldest first "))
    try await watcher.press(.character("s"))
    #expect(watcher.lines[0].contains("moved"))
    #expect(watcher.state.list.search == "1")
  }

  @Test func changesInANewOrderAreFollowed() async throws {
    var watcher = try Watcher(Episode.numbered(1...4))
    try await watcher.press(.character("s"), .character("s"))
    watcher.pass(.seconds(9))

    try await watcher.write { writer in
      try writer.save(Episode(id: "1", title: "Zeolite", publishedAt: Episode.day(-1)))
    }

    #expect(watcher.rows.last == " ↓~  2025-12-31  1  Zeolite")
  }

  @Test func aHeaderWithoutRoomOmitsTheOrder() async throws {
    var watcher = try Watcher(Self.episodes, EpisodeList(sections: .podcast), width: 30)
    #expect(watcher.lines[0] == " 4 episodes by podcast    1/4")

    try await watcher.handle(.resize(TerminalSize(width: 20, height: 8)))

    #expect(watcher.lines[0] == " 4 episodes     1/4")
  }

  @Test func quickKeysRequestOneListAtATime() throws {
    let store = try ModelStore(inMemory: Episode.self)
    let controller = try EpisodeList().controller(in: store)
    var state = WatchState(
      EpisodeList(), controller.snapshot, size: TerminalSize(width: 60, height: 10))

    #expect(
      state.handle(.key(.character("s")), at: .zero) == [.follow(EpisodeList(order: .oldest))])
    #expect(state.handle(.key(.character("s")), at: .zero) == [])
    #expect(state.handle(.key(.character("S")), at: .zero) == [])
    #expect(state.frame().lines[0].text.hasPrefix(" sorting 0 episodes by season, A to Z "))
    #expect(
      state.handle(.followed(.success(0)), at: .zero)
        == [.follow(EpisodeList(sections: .season, order: .title))])
  }
}
