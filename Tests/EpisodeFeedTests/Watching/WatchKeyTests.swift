import EpisodeFeed
import Foundation
import Moho
import TerminalScreen
import Testing

/// The effects of keys on the screen and the store.
@Suite struct WatchKeyTests {
  @Test func aSearchUpdatesTheListWhileItIsTyped() async throws {
    var watcher = try Watcher(Episode.numbered(1...40), height: 8)
    try await watcher.press(.down, .down, .character("/"))
    #expect(watcher.frame.cursor == Frame.Position(line: 6, column: 1))

    try await watcher.type("episode 3")
    #expect(watcher.lines[0].hasPrefix(" 11 episodes matching “episode 3”"))
    #expect(watcher.status == "/episode 3")
    // A search does not mark rows as inserted or deleted.
    #expect(watcher.rows[0] == "     2025-12-29  3   Episode 3")
    try await watcher.type("9")
    #expect(watcher.rows == ["     2025-11-23  39  Episode 39"])
    try await watcher.press(.enter)
    #expect(watcher.status == " Esc shows all episodes")
    try await watcher.press(.escape)

    #expect(watcher.lines[0].hasPrefix(" 40 episodes, newest first "))
    #expect(watcher.state.selectedEpisode?.id == "3", "the selection before the search")
    #expect(watcher.state.list == EpisodeList())
  }

  @Test func aSearchWithoutMatchesShowsANote() async throws {
    var watcher = try Watcher(Episode.numbered(1...3))

    try await watcher.press(.character("/"), .paste("no\nsuch"))
    #expect(watcher.rows == ["  No episodes match “no such”."])
    try await watcher.press(.escape)

    #expect(watcher.rows.count == 3)
  }

  @Test func onlyOneSearchIsPending() throws {
    let store = try ModelStore(inMemory: Episode.self)
    let controller = try EpisodeList().controller(in: store)
    var state = WatchState(
      EpisodeList(), controller.snapshot, size: TerminalSize(width: 40, height: 10))
    _ = state.handle(.key(.character("/")), at: .zero)

    #expect(
      state.handle(.key(.character("a")), at: .zero) == [.follow(EpisodeList(search: "a"))])
    #expect(state.handle(.key(.character("b")), at: .zero) == [])
    #expect(state.handle(.key(.character("c")), at: .zero) == [])
    #expect(
      state.handle(.followed(.success(0)), at: .zero) == [.follow(EpisodeList(search: "abc"))])
    #expect(state.handle(.followed(.success(0)), at: .zero) == [])
  }

  @Test func aFailedSearchIsReportedAndDoesNotChangeTheList() throws {
    struct Failure: Error {}
    let store = try ModelStore(inMemory: Episode.self)
    let controller = try EpisodeList().controller(in: store)
    var state = WatchState(
      EpisodeList(), controller.snapshot, size: TerminalSize(width: 40, height: 10))
    _ = state.handle(.key(.character("/")), at: .zero)
    _ = state.handle(.key(.character("a")), at: .zero)

    #expect(state.handle(.followed(.failure(Failure())), at: .zero) == [])

    #expect(state.list == EpisodeList())
    #expect(state.handle(.key(.enter), at: .zero) == [])
    _ = state.handle(.followed(.failure(Failure())), at: .zero)
    #expect(state.frame().lines.contains { $0.text == " Failure()" })
  }

  @Test func aTitleIsEditedInItsRow() async throws {
    var watcher = try Watcher(Episode.numbered(1...3))
    try await watcher.press(.down, .character("e"))
    #expect(watcher.frame.cursor == Frame.Position(line: 2, column: 29))

    try await watcher.press(.backspace)
    try await watcher.type("two")
    #expect(watcher.rows[1] == "     2025-12-30  2  Episode two")
    try await watcher.press(.enter)

    #expect(watcher.frame.cursor == nil)
    #expect(try watcher.store.episode("2").title == "Episode two")
    #expect(watcher.status == " renamed “Episode 2”")
    #expect(watcher.selected == ["~   2025-12-30  2  Episode two"])
  }

  @Test(arguments: ["", "  "])
  func anEmptyTitleIsRejectedAndCanBeCorrected(title: String) async throws {
    var watcher = try Watcher(Episode.numbered(1...1))

    try await watcher.press(.character("e"), .control("u"))
    try await watcher.type(title)
    try await watcher.press(.enter)

    #expect(watcher.status == " invalid edit: the title is empty")
    #expect(try watcher.store.episode("1").title == "Episode 1")
    try await watcher.type("One")
    try await watcher.press(.enter)
    #expect(try watcher.store.episode("1").title == title + "One")
  }

  @Test func anUntitledEpisodeMayStayUntitled() async throws {
    var watcher = try Watcher([Episode(id: "1")])

    try await watcher.press(.character("e"), .enter)

    #expect(watcher.frame.cursor == nil)
    #expect(watcher.status == "")
  }

  @Test func escCancelsEditingATitle() async throws {
    var watcher = try Watcher(Episode.numbered(1...1))

    try await watcher.press(.character("e"), .character("x"), .escape)

    #expect(try watcher.store.episode("1").title == "Episode 1")
    #expect(watcher.rows == ["     2025-12-31  1  Episode 1"])
  }

  @Test func commandKeysAreTextInATitle() async throws {
    var watcher = try Watcher(Episode.numbered(1...1))

    try await watcher.press(.character("e"), .control("u"))
    try await watcher.type("q d? p/u")
    try await watcher.press(.enter)

    #expect(try watcher.store.episode("1").title == "q d? p/u")
    #expect(!watcher.actions.contains(.quit))
  }

  @Test func aConflictingEditFailsFirstAndThenOverwrites() async throws {
    var watcher = try Watcher(Episode.numbered(1...3))
    try await watcher.press(.character("e"))
    try await watcher.type("!")

    try await watcher.write { writer in
      try writer.save(Episode(id: "1", title: "Theirs", publishedAt: Episode.day(-1)))
    }
    try await watcher.press(.enter)

    #expect(try watcher.store.episode("1").title == "Theirs")
    #expect(watcher.lines.contains { $0.contains("save conflict: `Episode` 1 changed") })
    #expect(watcher.lines.contains { $0.contains("Enter saves your title anyway") })
    #expect(watcher.rows[0] == " ~   2025-12-31  1  Episode 1!")
    try await watcher.press(.enter)

    #expect(try watcher.store.episode("1").title == "Episode 1!")
    try await watcher.press(.character("u"))
    #expect(try watcher.store.episode("1").title == "Theirs")
  }

  @Test func changesOfOtherKeysByAnotherProgramArePreserved() async throws {
    var watcher = try Watcher(Episode.numbered(1...1))
    try await watcher.press(.character("e"), .character("!"))

    try await watcher.write { writer in
      try writer.save(Episode(id: "1", title: "Episode 1", summary: "Theirs"))
    }
    try await watcher.press(.enter)

    #expect(try watcher.store.episode("1").title == "Episode 1!")
    #expect(try watcher.store.episode("1").summary == "Theirs")
  }

  @Test func editingEndsWhenTheEpisodeIsDeleted() async throws {
    var watcher = try Watcher(Episode.numbered(1...2))
    try await watcher.press(.character("e"), .character("!"))

    try await watcher.write { _ = try $0.delete([Episode(id: "1")]) }

    #expect(watcher.status.contains("another program deleted or changed the episode"))
    #expect(watcher.frame.cursor == nil)
    try await watcher.press(.character("u"))
    #expect(watcher.status == " nothing to undo")
  }

  @Test func playedEpisodesAreCheckedAndImportsDoNotChangeThat() async throws {
    var watcher = try Watcher(Episode.numbered(1...2))

    try await watcher.press(.character(" "))
    #expect(watcher.rows[0] == " ~ ✓ 2025-12-31  1  Episode 1")
    try await watcher.write { _ = try $0.save(Episode.numbered(1...2)) }
    #expect(try watcher.store.episode("1").isPlayed)
    try await watcher.press(.character("p"))

    #expect(try !watcher.store.episode("1").isPlayed)
  }

  @Test func aLateSaveDoesNotMoveTheSelection() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { _ = try $0.save(Episode.numbered(1...5)) }
    let controller = try EpisodeList().controller(in: store)
    var state = WatchState(
      EpisodeList(), controller.snapshot, size: TerminalSize(width: 40, height: 10))
    let action = state.handle(.key(.character(" ")), at: .zero).first
    guard case .edit(let edit) = action else {
      Issue.record("not an edit: \(action as Any)")
      return
    }
    _ = state.handle(.key(.down), at: .zero)
    _ = state.handle(.key(.character("e")), at: .zero)

    let outcome = Result<_, any Error> { try EpisodeEditor(store).perform(edit) }
    _ = state.handle(.edited(edit, outcome), at: .zero)

    #expect(state.frame().cursor?.line == 2)
    #expect(state.frame().lines[2].pieces.allSatisfy { !$0.style.isReversed })
    _ = state.handle(.key(.escape), at: .zero)
    #expect(state.frame().lines[2].pieces.allSatisfy { $0.style.isReversed })
  }

  @Test func editsAreUndoneAndRedone() async throws {
    var watcher = try Watcher(Episode.numbered(1...5))
    let before = try await watcher.store.fetch(EpisodeList().request)
    try await watcher.press(.down, .character("d"), .character(" "), .character("e"))
    try await watcher.type("!")
    try await watcher.press(.enter)
    let after = try await watcher.store.fetch(EpisodeList().request)
    #expect(after.map(\.id) == ["1", "3", "4", "5"])

    for name in ["renamed “Episode 3”", "marked “Episode 3” as played", "deleted “Episode 2”"] {
      try await watcher.press(.character("u"))
      #expect(watcher.status == " undone: \(name)")
    }
    #expect(try await watcher.store.fetch(EpisodeList().request) == before)
    #expect(watcher.state.selectedEpisode?.id == "2", "the restored episode")
    try await watcher.press(.character("u"))
    #expect(watcher.status == " nothing to undo")
    try await watcher.press(.character("r"), .control("r"), .character("r"))
    #expect(watcher.status == " redone: renamed “Episode 3”")
    #expect(try await watcher.store.fetch(EpisodeList().request) == after)
    try await watcher.press(.character("r"))
    #expect(watcher.status == " nothing to redo")
  }

  @Test func allFailuresOfAnUndoAreListed() async throws {
    var watcher = try Watcher(Episode.numbered(1...2))
    try await watcher.press(.character("d"))
    try await watcher.write { _ = try $0.save(Episode.numbered(1...1)) }

    try await watcher.press(.character("u"))

    #expect(watcher.status.contains("not unique: string \"\", string \"1\""))
    #expect(try await watcher.store.fetchCount(ModelRequest<Episode>()) == 2)
    try await watcher.press(.down)
    #expect(watcher.status == "")
  }

  @Test(arguments: [Key.control("c"), .control("z"), .control("l")])
  func terminalKeysWorkInEveryMode(key: Key) async throws {
    let action: WatchAction =
      key == .control("c") ? .quit : key == .control("z") ? .suspend : .redraw
    for mode in [[], [Key.character("/")], [.character("e")], [.character("?")]] {
      var watcher = try Watcher(Episode.numbered(1...2))
      for key in mode { try await watcher.press(key) }

      try await watcher.press(key)

      #expect(watcher.actions.last == action)
    }
  }

  @Test func helpIsShownUntilAKeyIsPressed() async throws {
    var watcher = try Watcher(Episode.numbered(1...2), width: 80, height: 24)

    try await watcher.press(.character("?"))
    #expect(watcher.rows.contains { $0.contains("search titles and summaries") })
    try await watcher.press(.character("d"))

    #expect(watcher.rows.count == 2)
    #expect(try await watcher.store.fetchCount(ModelRequest<Episode>()) == 2)
  }

  @Test func frameFillsAnyTerminalSize() async throws {
    var watcher = try Watcher(
      (1...30).map { number in
        Episode(
          id: "id-\(number)", title: "日本 e\u{301} 🎙 \(number) and so on", kind: .paid,
          publishedAt: Episode.day(-number), duration: 3_000, season: number / 4)
      }, EpisodeList(sections: .season))
    let modes: [[Key]] = [
      [], [.character("?")], [.escape, .end], [.character("e")], [.escape, .character("/")],
      [.character("🎙"), .enter, .character("d")],
    ]
    for keys in modes {
      for key in keys { try await watcher.press(key) }
      for width in [1, 2, 3, 7, 20, 27, 28, 41, 57, 100] {
        for height in 1...14 {
          try await watcher.handle(.resize(TerminalSize(width: width, height: height)))
          let frame = watcher.frame
          #expect(frame.lines.count == height, "\(keys) at \(width)×\(height)")
          #expect(frame.lines.allSatisfy { $0.width <= width }, "\(keys) at \(width)×\(height)")
          if let cursor = frame.cursor {
            #expect(cursor.column < width && cursor.line < height, "\(keys) at \(width)×\(height)")
          }
        }
      }
    }
  }
}
