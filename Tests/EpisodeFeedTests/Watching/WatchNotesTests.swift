import EpisodeFeed
import Foundation
import Moho
import TerminalScreen
import Testing

/// The pane with show notes.
@Suite struct WatchNotesTests {
  private static let episodes = [
    Episode(
      id: "1", title: "Loess", summary: "About dust.",
      contentHTML: "<p>Wind &amp; dust.</p><ul><li>one<li>two</ul>", kind: .paid,
      publishedAt: Episode.day(0), url: URL(string: "https://example.com/1"), duration: 1_825,
      season: 3, podcast: "Deep Time"),
    Episode(id: "2", title: "Tuff", summary: "About ash.", publishedAt: Episode.day(-1)),
    Episode(
      id: "3", title: "Marl", contentText: (1...60).map { "line \($0)" }.joined(separator: "\n"),
      publishedAt: Episode.day(-2)),
  ]

  /// The text to the right of the list.
  private func notes(_ watcher: Watcher) -> [String] {
    watcher.lines.compactMap { line in
      line.split(separator: "│", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        .map {
          $0.trimmingCharacters(in: .whitespaces)
        }
    }
  }

  @Test func notesAreBesideTheListOfAWideTerminal() async throws {
    var watcher = try Watcher(Self.episodes, width: 100)

    #expect(
      notes(watcher) == [
        "Loess", "Deep Time", "2026-01-01 00:00 +0000 · 30:25 · for", "subscribers · season 3",
        "id 1", "https://example.com/1", "", "Wind & dust.", "… 3 more lines",
      ])
    #expect(watcher.lines[1].hasPrefix("     2026-01-01  1  paid  30:25  Loess"))
    try await watcher.press(.down)
    #expect(
      notes(watcher).prefix(5) == ["Tuff", "2025-12-31 00:00 +0000", "id 2", "", "About ash."])
  }

  @Test func notesAreBelowTheListOfATallTerminal() async throws {
    var watcher = try Watcher(Self.episodes, width: 60, height: 30)

    #expect(watcher.lines[17] == String(repeating: "─", count: 60))
    #expect(watcher.lines[18] == " Loess")
    #expect(watcher.lines.contains(" • two"))
    try await watcher.press(.character("n"))
    #expect(!watcher.lines.contains(" Loess"))
  }

  @Test func aKeyShowsAndHidesTheNotes() async throws {
    var watcher = try Watcher(Self.episodes, width: 80, height: 24)
    #expect(!watcher.lines.contains(" Loess"))

    try await watcher.press(.character("n"))
    #expect(watcher.lines.contains(" Loess"))
    try await watcher.press(.character("n"))
    #expect(!watcher.lines.contains(" Loess"))
    try await watcher.handle(.resize(TerminalSize(width: 140, height: 30)))
    #expect(notes(watcher).isEmpty)
    try await watcher.press(.character("n"))
    #expect(notes(watcher).first == "Loess")
  }

  @Test func aSmallTerminalReportsThatItHasNoRoom() async throws {
    var watcher = try Watcher(Self.episodes, width: 60, height: 6)

    try await watcher.press(.character("n"))

    #expect(watcher.status == " the terminal is too small for the show notes")
    #expect(watcher.selected.count == 1)
  }

  @Test func longNotesScrollAndBeginAtTheTopForEachEpisode() async throws {
    var watcher = try Watcher(Self.episodes, width: 120)
    try await watcher.press(.end)
    #expect(notes(watcher)[4...] == ["line 1", "line 2", "line 3", "line 4", "… 56 more lines"])

    try await watcher.press(.character("J"), .character("J"))
    #expect(notes(watcher)[4] == "line 3")
    try await watcher.mouse(.wheelDown, line: 3, column: 100)
    #expect(notes(watcher)[4] == "line 6")
    #expect(watcher.state.selectedEpisode?.id == "3")
    for _ in 0..<99 { try await watcher.mouse(.wheelDown, line: 3, column: 100) }
    #expect(notes(watcher).last == "line 60")
    try await watcher.press(.character("K"))
    #expect(notes(watcher).last == "… 2 more lines")
    try await watcher.press(.up, .down)
    #expect(notes(watcher)[4] == "line 1")
  }

  @Test func changedNotesAreShownAtTheSamePosition() async throws {
    var watcher = try Watcher(Self.episodes, width: 120)
    try await watcher.press(.end, .character("J"))

    try await watcher.write { writer in
      var episode = Self.episodes[2]
      episode.contentText = "changed\n" + (episode.contentText ?? "")
      try writer.save(episode)
    }

    #expect(notes(watcher)[3...4] == ["changed", "line 1"])
    #expect(notes(watcher)[0] == "2025-12-30 00:00 +0000", "scrolled by one line")
  }

  @Test func datesAreInTheTimeZoneOfTheUser() async throws {
    let zone = try #require(TimeZone(identifier: "America/St_Johns"))
    var watcher = try Watcher(Self.episodes, width: 120, timeZone: zone)

    #expect(watcher.lines[1].hasPrefix("     2025-12-31  1"))
    #expect(notes(watcher)[2].hasPrefix("2025-12-31 20:30 -0330 · "))
    try await watcher.press(.down)
    #expect(notes(watcher)[1] == "2025-12-30 20:30 -0330")
  }

  @Test func anEpisodeWithoutATitleShowsItsSummaryOrNotes() async throws {
    let watcher = try Watcher([
      Episode(id: "1", summary: "About\ndust", publishedAt: Episode.day(-1)),
      Episode(id: "2", contentHTML: "<p>Wind <b>and</b></p><p>dust", publishedAt: Episode.day(-2)),
      Episode(id: "3", title: " \u{200B}", contentText: "ash", publishedAt: Episode.day(-3)),
      Episode(id: "4", publishedAt: Episode.day(-4)),
    ])

    #expect(
      watcher.rows == [
        "     2025-12-31  1  About dust", "     2025-12-30  2  Wind and dust",
        "     2025-12-29  3  ash", "     2025-12-28  4  (untitled)",
      ])
  }

  @Test func longIDsLeaveRoomForTheTitle() async throws {
    let ids = (1...2).map { "https://example.com/podcasts/deep-time/episodes/\($0)" }
    let episodes = ids.enumerated().map { number, id in
      Episode(id: id, title: "Episode \(number)", publishedAt: Episode.day(-number))
    }
    var watcher = try Watcher(episodes, width: 60)
    #expect(watcher.rows[0] == "     2026-01-01  htt…isodes/1  Episode 0")

    try await watcher.handle(.resize(TerminalSize(width: 99, height: 12)))

    #expect(watcher.rows[0] == "     2026-01-01  https:…e/episodes/1  Episode 0")
    #expect(watcher.rows[1].hasSuffix("/2  Episode 1"))
  }

  @Test func unsafeNotesAreEscaped() async throws {
    let text = "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}\u{2066}"
    let watcher = try Watcher(
      [
        Episode(
          id: text, title: text, contentHTML: "&#27;[2J\(text)<p>&#x202E;", podcast: text)
      ], width: 200)
    var writer = FrameWriter(TerminalTraits())

    let sequence = writer.sequence(for: watcher.frame, width: 200)

    let rest = sequence.replacing(/\u{1B}\[[?0-9;]*[A-Za-z]/, with: "")
    #expect(rest.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(!rest.unicodeScalars.contains("\u{202E}"))
    #expect(rest.contains(#"\u{1B}[2J"#))
  }
}
