import EpisodeFeed
import Foundation
import Moho
import TerminalScreen
import Testing

/// The effects of the mouse.
@Suite struct WatchMouseTests {
  private static func episodes(_ count: Int) -> [Episode] {
    (1...count).map { number in
      Episode(
        id: "\(number)", title: "Episode \(number)", publishedAt: Episode.day(-number),
        url: URL(string: "https://example.com/\(number)"), season: number / 4)
    }
  }

  @Test func aClickSelectsItsRow() async throws {
    var watcher = try Watcher(Self.episodes(20), EpisodeList(sections: .season))
    for line in 1...9 {
      let text = watcher.lines[line]

      try await watcher.mouse(.press, line: line)

      if text.hasPrefix("     ") {
        #expect(watcher.selected == [text.trimmingCharacters(in: .whitespaces)])
      }
      #expect(watcher.selected.count == 1, "a heading does not change the selection")
    }
  }

  @Test func clicksOutsideTheListAreIgnored() async throws {
    var watcher = try Watcher(Self.episodes(3))
    try await watcher.press(.down)

    for (line, column) in [(0, 3), (5, 3), (10, 3), (11, 3), (999, 3), (1, 999), (2, 60)] {
      try await watcher.mouse(.press, line: line, column: column)
      try await watcher.mouse(.wheelDown, line: line, column: column)
    }

    #expect(watcher.state.selectedEpisode?.id == "2")
    #expect(watcher.actions == [])
  }

  @Test func aDoubleClickOpensThePage() async throws {
    var watcher = try Watcher(Self.episodes(3))
    let url = try #require(URL(string: "https://example.com/2"))

    try await watcher.mouse(.press, line: 2)
    watcher.pass(.milliseconds(400))
    try await watcher.mouse(.press, line: 2)
    #expect(watcher.actions == [.open(url)])
    #expect(watcher.status == " opened https://example.com/2")
    try await watcher.mouse(.press, line: 2)
    #expect(watcher.actions.count == 1, "the third click begins another double click")
  }

  @Test func slowClicksAndClicksOnDifferentRowsDoNotOpenAPage() async throws {
    var watcher = try Watcher(Self.episodes(3))

    try await watcher.mouse(.press, line: 1)
    try await watcher.mouse(.press, line: 2)
    try await watcher.mouse(.press, line: 1)
    watcher.pass(.seconds(1))
    try await watcher.mouse(.press, line: 1)
    try await watcher.mouse(.press, line: 8)
    try await watcher.mouse(.press, line: 1)

    #expect(watcher.actions == [])
  }

  @Test func aClickSelectsTheRowThatWasShownAlthoughItHasMoved() async throws {
    var watcher = try Watcher(Self.episodes(5))
    let store = watcher.store
    let shown = watcher.state.snapshot
    try await store.write { writer in
      _ = try writer.save([Episode(id: "0", title: "New", publishedAt: Episode.day(9))])
    }
    var updates = watcher.controller.updates(since: shown).makeAsyncIterator()
    let update = try #require(try await updates.next())

    // The update and the click arrive before the next frame.
    try await watcher.handle([
      .update(update), .key(.mouse(MouseEvent(.press, line: 3, column: 9))),
    ])

    #expect(watcher.state.selectedEpisode?.id == "3")
  }

  @Test func aClickSelectsTheRowThatWasShownAlthoughAMessageEnds() async throws {
    struct Failure: Error, CustomStringConvertible { let description = "one\ntwo" }
    var watcher = try Watcher(Self.episodes(5), height: 5)
    let url = try #require(URL(string: "https://example.com/"))
    try await watcher.handle(.opened(url, .failure(Failure())))
    #expect(watcher.lines[1].hasSuffix("Episode 2"), "the header has made room for the message")

    try await watcher.mouse(.press, line: 1)

    #expect(watcher.state.selectedEpisode?.id == "2")
    #expect(watcher.lines[0].hasPrefix(" 5 episodes"))
  }

  @Test func theWheelScrollsAndTheSelectionStaysVisible() async throws {
    var watcher = try Watcher(Self.episodes(50), height: 12)
    try await watcher.press(.down, .down, .down, .down)

    try await watcher.mouse(.wheelDown, line: 4)
    #expect(watcher.rows[0].hasSuffix("Episode 4"))
    #expect(watcher.selected.first?.hasSuffix("Episode 5") == true)
    try await watcher.mouse(.wheelDown, line: 4)
    #expect(watcher.rows[0].hasSuffix("Episode 7"))
    #expect(watcher.selected.first?.hasSuffix("Episode 7") == true)
    for _ in 0..<40 { try await watcher.mouse(.wheelDown, line: 4) }
    #expect(watcher.rows.last?.hasSuffix("Episode 50") == true)
    #expect(watcher.rows.count == 9)
    for _ in 0..<40 { try await watcher.mouse(.wheelUp, line: 4) }
    #expect(watcher.rows[0].hasSuffix("Episode 1"))
    #expect(watcher.selected.first?.hasSuffix("Episode 9") == true)
  }

  @Test func theWheelScrollsTheHelpAndAClickClosesIt() async throws {
    var watcher = try Watcher(Self.episodes(3), height: 10)
    try await watcher.press(.character("?"))
    #expect(watcher.rows.last?.contains("more lines") == true)

    try await watcher.mouse(.wheelDown, line: 2)
    #expect(watcher.rows[0].contains("PageUp  Ctrl-B"))
    for _ in 0..<30 { try await watcher.mouse(.wheelDown, line: 2) }
    #expect(watcher.rows.last?.contains("+  new") == true)
    try await watcher.mouse(.wheelUp, line: 2)
    #expect(watcher.rows.last?.contains("+  new") == false)
    try await watcher.mouse(.press, line: 2)

    #expect(watcher.rows[0].hasSuffix("Episode 1"))
  }

  @Test func theMouseDoesNotInterruptEditing() async throws {
    var watcher = try Watcher(Self.episodes(3))
    try await watcher.press(.character("e"), .character("!"))

    for kind in [MouseEvent.Kind.press, .wheelUp, .wheelDown] {
      try await watcher.mouse(kind, line: 3)
    }
    try await watcher.press(.enter)

    #expect(try watcher.store.episode("1").title == "Episode 1!")
  }

  @Test func aRowIsSelectedWhileASearchIsTyped() async throws {
    var watcher = try Watcher(Self.episodes(20))
    try await watcher.press(.character("/"))
    try await watcher.type("2")

    try await watcher.mouse(.press, line: 2)

    #expect(watcher.state.selectedEpisode?.id == "20")
    #expect(watcher.status == "/2")
  }
}
