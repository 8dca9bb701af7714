import EpisodeFeed
import Foundation
import GRDB
import Moho
import Synchronization
import TerminalScreen
import Testing

/// The effects of updates on the screen.
@Suite struct WatchUpdateTests {
  @Test func changedRowsAreMarkedForAFewSeconds() async throws {
    var watcher = try Watcher(Episode.numbered(1...5))

    try await watcher.write { writer in
      try writer.save(Episode(id: "0", title: "New", publishedAt: Episode.day(0)))
      try writer.save(Episode(id: "1", title: "Other", publishedAt: Episode.day(-1)))
      try writer.save(Episode(id: "2", title: "Episode 2", publishedAt: Episode.day(-9)))
      try writer.save(Episode(id: "4", title: "Else", publishedAt: Episode.day(1)))
      try writer.delete([Episode(id: "3")])
    }

    #expect(
      watcher.rows == [
        " ↑~  2026-01-02  4  Else", " +   2026-01-01  0  New", " ~   2025-12-31  1  Other",
        " −   2025-12-29  3  Episode 3", "     2025-12-27  5  Episode 5",
        " ↓   2025-12-23  2  Episode 2",
      ])
    #expect(watcher.lines[0].hasSuffix("1 new · 1 changed · 2 moved · 1 deleted   3/5"))

    #expect(watcher.state.nextChange == .seconds(3))
    watcher.pass(.seconds(3))

    #expect(watcher.state.nextChange == nil)
    #expect(
      watcher.rows == [
        "     2026-01-02  4  Else", "     2026-01-01  0  New", "     2025-12-31  1  Other",
        "     2025-12-27  5  Episode 5", "     2025-12-23  2  Episode 2",
      ])
    #expect(
      watcher.lines[0] == " 5 episodes, newest first" + String(repeating: " ", count: 31) + "3/5")
  }

  @Test func laterChangesOfAMarkedRowAreCombined() async throws {
    var watcher = try Watcher(Episode.numbered(1...3))

    try await watcher.write {
      try $0.save(Episode(id: "3", title: "Episode 3", publishedAt: Episode.day(1)))
    }
    watcher.pass(.seconds(2))
    try await watcher.write {
      try $0.save(Episode(id: "3", title: "Else", publishedAt: Episode.day(1)))
    }
    watcher.pass(.seconds(2))

    #expect(watcher.rows[0] == " ↑~  2026-01-02  3  Else")
    watcher.pass(.seconds(1))
    #expect(watcher.rows[0] == "     2026-01-02  3  Else")
  }

  @Test func theSelectedEpisodeStaysSelectedWhenItMoves() async throws {
    var watcher = try Watcher(Episode.numbered(1...50), height: 8)
    try await watcher.press(.down, .down, .down)
    #expect(watcher.selected == ["2025-12-28  4  Episode 4"])

    try await watcher.write { try $0.save(Episode.numbered(-5...0)) }
    watcher.pass(.seconds(9))
    #expect(watcher.selected == ["2025-12-28  4  Episode 4"])
    try await watcher.write {
      try $0.save(Episode(id: "4", title: "Far down", publishedAt: Episode.day(-45)))
    }
    watcher.pass(.seconds(9))
    #expect(watcher.selected == ["2025-11-17  4   Far down"])
    try await watcher.write { _ = try $0.delete(Episode.numbered(10...30)) }

    #expect(watcher.selected == ["2025-11-17  4   Far down"])
    #expect(watcher.state.selectedEpisode?.id == "4")
  }

  @Test func theSelectionStaysOnItsLineInAScrolledList() async throws {
    var watcher = try Watcher(Episode.numbered(1...50), height: 8)
    try await watcher.press(.pageDown, .pageDown, .down)
    let line = try #require(watcher.lines.lastIndex { $0.hasSuffix("Episode 11") })

    try await watcher.write { try $0.save(Episode.numbered(-5...0)) }

    #expect(watcher.lines[line].hasSuffix("Episode 11"))
  }

  @Test func theNeighborOfADeletedSelectionIsSelected() async throws {
    var watcher = try Watcher(Episode.numbered(1...5))
    try await watcher.press(.down)

    try await watcher.write { _ = try $0.delete(Episode.numbered(2...3)) }
    #expect(watcher.state.selectedEpisode?.id == "4")
    try await watcher.write { _ = try $0.delete(Episode.numbered(4...5)) }
    #expect(watcher.state.selectedEpisode?.id == "1")
    try await watcher.write { _ = try $0.delete(Episode.numbered(1...1)) }

    #expect(watcher.state.selectedEpisode == nil)
    #expect(watcher.rows.first == "  No episodes. Import a feed from another terminal:")
  }

  @Test func eachSectionAndTheFirstLineHaveAHeading() async throws {
    let episodes = (1...9).map { number in
      Episode(
        id: "\(number)", title: "Episode \(number)", publishedAt: Episode.day(-number),
        season: number < 4 ? 2 : number < 7 ? 1 : nil)
    }
    var watcher = try Watcher(episodes, EpisodeList(sections: .season), height: 9)

    #expect(
      watcher.rows == [
        " Season 2  3", "     2025-12-31  1  Episode 1", "     2025-12-30  2  Episode 2",
        "     2025-12-29  3  Episode 3", " Season 1  3", "     2025-12-28  4  Episode 4",
      ])
    try await watcher.press(.character("G"))

    #expect(
      watcher.rows == [
        " Season 1  3", "     2025-12-26  6  Episode 6", " No season  3",
        "     2025-12-25  7  Episode 7", "     2025-12-24  8  Episode 8",
        "     2025-12-23  9  Episode 9",
      ])
  }

  @Test func onlyVisibleBatchesOfALongListAreRead() async throws {
    var watcher = try Watcher(Episode.numbered(1...5_000), height: 23)
    let reads = Mutex(0)
    try watcher.store.writer.unsafeReentrantWrite { database in
      database.trace { event in
        if "\(event)".contains("SELECT") { reads.withLock { $0 += 1 } }
      }
    }

    try await watcher.press(.end)
    #expect(watcher.selected == ["2012-04-24  5000  Episode 5000"])
    try await watcher.press(.home, .end)
    #expect(
      reads.withLock { $0 } == 1, "the last rows are one batch of 50; the first are cached")
    for _ in 0..<10 { try await watcher.press(.pageUp) }

    // Pages of 19 rows, batches of 50.
    #expect(watcher.state.selectedEpisode?.id == "4810")
    #expect(reads.withLock { $0 } <= 6)
  }

  @Test func anInvalidRowShowsItsError() async throws {
    var watcher = try Watcher(Episode.numbered(1...3))

    try await watcher.store.writer.write {
      try $0.execute(sql: "UPDATE Episode SET kind = 'series' WHERE id = '2'")
    }
    try await watcher.write { _ in }

    #expect(watcher.rows[0].hasSuffix("Episode 1"))
    #expect(watcher.rows[1].contains(#"invalid value: string "series""#))
    #expect(watcher.rows[2].hasSuffix("Episode 3"))
  }

  @Test func controlCharactersDoNotReachTheTerminal() async throws {
    var watcher = try Watcher([
      Episode(
        id: "\u{1B}[2J", title: "a\u{1B}]0;x\u{7}\u{9B}31m\r\nb\u{202E}", podcast: "\u{1B}c")
    ])
    try await watcher.press(.character("e"))
    var writer = FrameWriter(TerminalTraits())

    let sequence = writer.sequence(for: watcher.frame, width: 60)

    let own = /\u{1B}\[[?0-9;]*[A-Za-z]/
    let rest = sequence.replacing(own, with: "")
    #expect(rest.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(!sequence.contains("\u{1B}[2J\u{1B}[2J") && !rest.contains("\u{202E}"))
  }
}
