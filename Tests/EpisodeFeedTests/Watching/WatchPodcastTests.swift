import Foundation
import Moho
import TerminalScreen
import Testing

@testable import EpisodeFeed

/// The list of podcasts on the screen.
@Suite struct WatchPodcastTests {
  private static let episodes = [
    Episode(id: "1", title: "Loess", publishedAt: Episode.day(-1), podcast: "Deep Time"),
    Episode(
      id: "2", title: "Karst", publishedAt: Episode.day(-2), podcast: "Deep Time", isPlayed: true),
    Episode(id: "1", title: "Basalt", publishedAt: Episode.day(-3), podcast: "Crust"),
    Episode(id: "9", title: "Alone", publishedAt: Episode.day(-4), isPlayed: true),
  ]

  @Test func podcastsAreListedWithTheirNumbersOfEpisodes() async throws {
    var watcher = try Watcher(Self.episodes)

    try await watcher.press(.character("P"))

    #expect(watcher.lines[0].hasPrefix(" 3 podcasts"))
    #expect(watcher.lines[0].hasSuffix("1/4"))
    #expect(
      watcher.rows == [
        " not played  episodes  podcast",
        "          2         4  All podcasts",
        "          0         1  No podcast",
        "          1         1  Crust",
        "          1         2  Deep Time",
      ])
    #expect(watcher.selected == ["2         4  All podcasts"])
    #expect(watcher.actions == [.followPodcasts])
  }

  @Test func podcastsHaveTheLengthOfTheirUnplayedEpisodes() async throws {
    var watcher = try Watcher([
      Episode(id: "1", duration: 3_725, podcast: "Crust"),
      Episode(id: "2", duration: 60, podcast: "Crust", isPlayed: true),
      Episode(id: "3", duration: 50, podcast: "Deep Time", isPlayed: true),
    ])

    try await watcher.press(.character("P"))

    #expect(
      watcher.rows == [
        " not played     time  episodes  podcast",
        "          1  1:02:05         3  All podcasts",
        "          1  1:02:05         2  Crust",
        "          0                  1  Deep Time",
      ])
  }

  @Test(arguments: [Key.enter, .right, .character("o")])
  func aChosenPodcastIsTheList(key: Key) async throws {
    var watcher = try Watcher(Self.episodes)

    try await watcher.press(.left, .end, key)

    #expect(watcher.state.list == EpisodeList(podcast: "Deep Time"))
    #expect(watcher.lines[0].hasPrefix(" 2 episodes of Deep Time, newest first"))
    #expect(watcher.rows.count == 2)
    #expect(watcher.actions[1] == .leavePodcasts)
  }

  @Test func escReturnsToThePodcastsAndThenToTheList() async throws {
    var watcher = try Watcher(Self.episodes, EpisodeList(podcast: "Crust"))

    try await watcher.press(.escape)
    #expect(watcher.selected == ["1         1  Crust"])
    try await watcher.press(.escape)
    #expect(watcher.rows == ["     2025-12-29  1  Basalt"])
    try await watcher.press(.character("h"), .home, .enter)

    #expect(watcher.state.list == EpisodeList())
    #expect(watcher.rows.count == 4)
    try await watcher.press(.escape)
    #expect(watcher.rows.count == 4, "the list of all podcasts has no level above it")
  }

  @Test func escEndsASearchBeforeItReturns() async throws {
    var watcher = try Watcher(Self.episodes, EpisodeList(search: "k", podcast: "Deep Time"))
    #expect(watcher.rows.count == 1)

    try await watcher.press(.escape)
    #expect(watcher.rows.count == 2)
    try await watcher.press(.escape)

    #expect(watcher.selected == ["1         2  Deep Time"])
  }

  @Test func choosingAPodcastEndsASearch() async throws {
    var watcher = try Watcher(Self.episodes, EpisodeList(search: "k"))

    try await watcher.press(.character("P"), .down, .down, .enter)

    #expect(watcher.state.list == EpisodeList(podcast: "Crust"))
  }

  @Test func choosingTheShownPodcastChangesNothing() async throws {
    var watcher = try Watcher(Self.episodes, EpisodeList(search: "l", podcast: "Deep Time"))

    try await watcher.press(.character("P"), .enter)

    #expect(watcher.actions == [.followPodcasts, .leavePodcasts])
    #expect(watcher.state.list.search == "l")
  }

  @Test func episodesWithoutAPodcastAreAPodcast() async throws {
    var watcher = try Watcher(Self.episodes)

    try await watcher.press(.character("P"), .down, .enter)

    #expect(watcher.lines[0].hasPrefix(" 1 episode without a podcast"))
    #expect(watcher.rows == ["   ✓ 2025-12-28  9  Alone"])
  }

  @Test func theSelectedPodcastStaysSelectedWhenOthersChange() async throws {
    var watcher = try Watcher(Self.episodes)
    try await watcher.press(.character("P"), .end)

    try await watcher.write { writer in
      _ = try writer.save([
        Episode(id: "1", podcast: "Aeons"), Episode(id: "3", podcast: "Deep Time"),
      ])
    }
    try await watcher.handle(.podcasts(.success(try await watcher.podcasts)))
    #expect(watcher.selected == ["2         3  Deep Time"])
    try await watcher.write { writer in
      _ = try writer.delete(writer.reader.fetch(EpisodeList(podcast: "Deep Time").request))
    }
    try await watcher.handle(.podcasts(.success(try await watcher.podcasts)))

    #expect(watcher.selected == ["1         1  Crust"], "the neighbor of a podcast that is gone")
  }

  @Test func titlesThatAreCanonicallyEquivalentAreDifferentPodcasts() async throws {
    let titles = ["Caf\u{E9}", "Cafe\u{301}"]
    var watcher = try Watcher(titles.map { Episode(id: "1", title: "Café", podcast: $0) })

    for title in titles {
      try await watcher.press(.character("P"))
      for position in 1...2 {
        try await watcher.press(.home)
        for _ in 0..<position { try await watcher.press(.down) }
        guard case .podcasts(let picker) = watcher.state.mode,
          picker.title.map({ Array($0.utf8) }) == Array(title.utf8)
        else { continue }
        try await watcher.handle(.podcasts(.success(try await watcher.podcasts)))
        try await watcher.press(.enter)
        break
      }
      #expect(watcher.state.list.podcast.map { Array($0.utf8) } == Array(title.utf8))
      #expect(watcher.state.snapshot.count == 1)
    }
  }

  @Test func manyPodcastsScroll() async throws {
    var watcher = try Watcher((10...59).map { Episode(id: "1", podcast: "Podcast \($0)") })
    try await watcher.press(.character("P"))

    try await watcher.press(.end)
    #expect(watcher.rows.last?.hasSuffix("Podcast 59") == true)
    #expect(watcher.rows.count == 9)
    #expect(watcher.bar == "│││││││█")
    try await watcher.press(.pageUp)
    #expect(watcher.selected.first?.hasSuffix("Podcast 52") == true)
    for _ in 0..<30 { try await watcher.mouse(.wheelUp, line: 4) }
    #expect(watcher.rows[1].hasSuffix("All podcasts"))
    #expect(watcher.selected.first?.hasSuffix("Podcast 16") == true)
    try await watcher.mouse(.press, line: 4)
    #expect(watcher.selected.first?.hasSuffix("Podcast 11") == true)
    try await watcher.mouse(.press, line: 4)

    #expect(watcher.state.list.podcast == "Podcast 11")
  }

  @Test func anErrorOfTheStoreIsShown() async throws {
    struct Failure: Error {}
    var watcher = try Watcher(Self.episodes)
    try await watcher.press(.character("P"))

    try await watcher.handle(.podcasts(.failure(Failure())))

    #expect(watcher.status == " Failure()")
    #expect(watcher.rows.count == 5)
  }

  @Test func aLateValueDoesNotReturnToThePodcasts() async throws {
    var watcher = try Watcher(Self.episodes)
    try await watcher.press(.character("P"), .escape)

    try await watcher.handle(.podcasts(.success(PodcastCounts())))

    #expect(watcher.lines[0].hasPrefix(" 4 episodes"))
  }

  @Test func titlesCannotControlTheTerminal() async throws {
    var watcher = try Watcher([Episode(id: "1", podcast: "\u{1B}[2J\u{202E}")])

    try await watcher.press(.character("P"))
    #expect(watcher.rows[2].hasSuffix(#"\u{1B}[2J\u{202E}"#))
    try await watcher.press(.down, .enter)

    #expect(watcher.lines[0].contains(#"of \u{1B}[2J\u{202E}"#))
  }
}
