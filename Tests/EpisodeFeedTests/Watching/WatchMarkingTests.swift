import Foundation
import GRDB
import Moho
import Synchronization
import TerminalScreen
import Testing

@testable import EpisodeFeed

/// Played episodes on the screen: hiding them, moving to others, and marking
/// many together.
@Suite struct WatchMarkingTests {
  /// Episodes of which those with the given numbers are played.
  private static func episodes(_ numbers: ClosedRange<Int>, played: [Int]) -> [Episode] {
    Episode.numbered(numbers).map { episode in
      var episode = episode
      episode.isPlayed = played.contains { "\($0)" == episode.id }
      return episode
    }
  }

  private func playedIDs(_ watcher: Watcher) throws -> [String] {
    try watcher.store.fetch(ModelRequest<Episode>().filter { $0.isPlayed == true }.order(by: \.id))
      .map(\.id)
  }

  @Test func playedEpisodesAreHiddenAndShown() async throws {
    var watcher = try Watcher(Self.episodes(1...3, played: [2]))

    try await watcher.press(.down, .character("H"))
    #expect(watcher.lines[0].hasPrefix(" 2 unplayed episodes, newest first"))
    #expect(watcher.rows.map { $0.suffix(9) } == ["Episode 1", "Episode 3"])
    try await watcher.press(.character(" "))
    #expect(watcher.lines[0].contains("1 removed"))
    #expect(watcher.state.snapshot.count == 1)
    try await watcher.press(.character("A"), .character("y"))
    watcher.pass(.seconds(9))
    #expect(watcher.rows == ["  All episodes are played."])
    try await watcher.press(.character("H"))

    #expect(watcher.rows.count == 3)
    #expect(try playedIDs(watcher) == ["1", "2", "3"])
  }

  @Test func theNextEpisodeThatIsNotPlayedIsSelectedAndTheEndIsFollowedByTheStart()
    async throws
  {
    var watcher = try Watcher(Self.episodes(1...9, played: [2, 3, 5, 9]))
    var ids: [String?] = []

    for key in [Key.tab, .character("N"), .tab, .tab, .tab, .tab] {
      try await watcher.press(key)
      ids.append(watcher.state.selectedEpisode?.id)
    }

    #expect(ids == ["4", "6", "7", "8", "1", "4"])
  }

  @Test func theOnlyEpisodeThatIsNotPlayedStaysSelected() async throws {
    var watcher = try Watcher(Self.episodes(1...3, played: [1, 3]))

    try await watcher.press(.down, .tab)

    #expect(watcher.state.selectedEpisode?.id == "2")
    #expect(watcher.status == "")
  }

  @Test(arguments: [0, 3, 450]) func aListWithoutSuchEpisodesHasAMessage(count: Int) async throws {
    var watcher = try Watcher(
      count == 0 ? [] : Self.episodes(1...count, played: Array(1...max(1, count))))

    try await watcher.press(.tab)

    #expect(
      watcher.status
        == (count == 0 ? " the list has no episodes" : " all episodes of the list are played"))
  }

  @Test func aFarEpisodeIsFoundByTheStore() async throws {
    var watcher = try Watcher(
      Self.episodes(1...2_000, played: (1...2_000).filter { $0 != 700 && $0 != 1_900 }))
    let reads = Mutex(0)
    try watcher.store.writer.unsafeReentrantWrite { database in
      database.trace { event in
        if "\(event)".contains("SELECT") { reads.withLock { $0 += 1 } }
      }
    }

    for id in ["700", "1900", "700"] {
      try await watcher.press(.tab)
      #expect(watcher.state.selectedEpisode?.id == id)
    }

    #expect(watcher.actions == Array(repeating: .findUnplayed(EpisodeList()), count: 3))
    #expect(reads.withLock { $0 } < 40, "batches of rows near the selection, and ids")
  }

  @Test(arguments: [true, false])
  func allEpisodesOfTheListAreMarkedWithOneUndoStep(isPlayed: Bool) async throws {
    let other = Episode(id: "other", title: "Other", podcast: "Crust", isPlayed: !isPlayed)
    var watcher = try Watcher(
      Self.episodes(1...5, played: [2, 3]) + [other], EpisodeList(podcast: ""))
    let before = try playedIDs(watcher)
    let generation = watcher.controller.snapshot.generation

    try await watcher.press(.character(isPlayed ? "A" : "U"))
    #expect(watcher.status == " mark 5 episodes as \(isPlayed ? "played" : "not played")? y/n")
    try await watcher.press(.character("y"))

    let count = isPlayed ? 3 : 2
    let step = "marked \(count) episodes as \(isPlayed ? "played" : "not played")"
    #expect(watcher.status == " \(step)")
    #expect(try playedIDs(watcher) == (isPlayed ? ["1", "2", "3", "4", "5"] : ["other"]))
    #expect(watcher.controller.snapshot.generation == generation + 1, "one transaction")
    try await watcher.press(.end, .character("u"))
    #expect(watcher.status == " undone: \(step)")
    #expect(try playedIDs(watcher) == before)
    #expect(watcher.state.selectedEpisode?.id == "5", "the step has no single row to select")
    try await watcher.press(.character("r"))
    #expect(try playedIDs(watcher) == (isPlayed ? ["1", "2", "3", "4", "5"] : ["other"]))
    try await watcher.press(.character("u"), .character("u"))
    #expect(watcher.status == " nothing to undo")
  }

  @Test(arguments: [Key.character("n"), .character("q"), .character("d"), .enter, .escape])
  func otherAnswersMarkNothing(key: Key) async throws {
    var watcher = try Watcher(Self.episodes(1...3, played: []))

    try await watcher.press(.character("A"), key)

    #expect(watcher.actions == [])
    #expect(watcher.status == "")
    #expect(try playedIDs(watcher) == [])
  }

  @Test func nothingIsMarkedTwice() async throws {
    var watcher = try Watcher(Self.episodes(1...1, played: [1]))

    try await watcher.press(.character("A"))
    #expect(watcher.status == " mark 1 episode as played? y/n")
    try await watcher.press(.character("y"))

    #expect(watcher.status == " all episodes are played already")
    try await watcher.press(.character("u"))
    #expect(watcher.status == " nothing to undo")
  }

  @Test func onlyTheRowsWithinTheLimitAreMarked() async throws {
    var watcher = try Watcher(Self.episodes(1...6, played: [1]), EpisodeList(limit: 3))

    try await watcher.press(.character("A"), .character("y"))

    #expect(watcher.status == " marked 2 episodes as played")
    #expect(try playedIDs(watcher) == ["1", "2", "3"])
  }

  @Test func changesByAnotherProgramArePreserved() async throws {
    var watcher = try Watcher(Self.episodes(1...3, played: []))
    try await watcher.press(.character(" "), .character("A"))

    try await watcher.write { writer in
      _ = try writer.save(Episode.numbered(1...3).map { Episode(id: $0.id, title: "Theirs") })
      try writer.save(Episode(id: "4", title: "New"))
    }
    #expect(watcher.status == " mark 4 episodes as played? y/n")
    try await watcher.press(.character("y"))

    let episodes = try await watcher.store.fetch(ModelRequest<Episode>().order(by: \.id))
    #expect(episodes.map(\.title) == ["Theirs", "Theirs", "Theirs", "New"])
    #expect(episodes.map(\.isPlayed) == [true, true, true, true])
  }

  @Test func theScreenShowsThatTheStoreIsMarkingUntilTheResultArrives() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { _ = try $0.save(Episode.numbered(1...2)) }
    let controller = try EpisodeList().controller(in: store)
    var state = WatchState(
      EpisodeList(), controller.snapshot, size: TerminalSize(width: 60, height: 10))
    _ = state.handle(.key(.character("A")), at: .zero)
    let action = state.handle(.key(.character("y")), at: .zero).first
    guard case .edit(let edit) = action else {
      Issue.record("not an edit: \(action as Any)")
      return
    }
    _ = state.handle(.tick, at: .seconds(60))
    #expect(state.frame().lines[8].text == " marking 2 episodes…")

    let outcome = Result<_, any Error> { try EpisodeEditor(store).perform(edit) }
    _ = state.handle(.edited(edit, outcome), at: .seconds(60))

    #expect(state.frame().lines[8].text == " marked 2 episodes as played")
  }
}
