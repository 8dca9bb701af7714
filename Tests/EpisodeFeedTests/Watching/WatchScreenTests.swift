import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// `watch` in a terminal.
@Suite(.timeLimit(.minutes(80))) struct WatchScreenTests {
  private let scene: WatchScene

  init() throws { scene = try WatchScene() }

  @Test func theListIsShownAndTheTerminalIsRestored() async throws {
    let program = try await scene.watch()

    #expect(
      program.screen.lines == [
        " 3 episodes" + String(repeating: " ", count: 45) + "1/3",
        "     2014-04-10  115        Models",
        "     2014-04-03  114  paid  Maps",
        "     2014-03-27  113        Rows",
        "", "", "", "", "", "", "",
        " ? help · q quit · / search · e edit · space played",
      ])
    #expect(program.screen.modes == [1049, 2004])
    #expect(!program.terminal.isCooked)
    #expect(program.screen.styles(of: "115") == ["7", "7", "7"])
    try await scene.quit(program)
  }

  @Test func theReadmeMatchesTheScreen() async throws {
    let readme = URL(filePath: #filePath).appending(path: "../../../../README.md").standardized
    let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```\n")
    let shown = try #require(blocks.first { $0.contains("? help") })
    let path = scene.folder.path("demo.sqlite")
    _ = try EpisodeImporter(scene.folder.store("demo.sqlite")).import(
      Feed(reading: Demo.firstVersion))
    let program = try ScreenProgram(
      [
        Tool.episodeFeed.url.path, "watch", "--store", path, "--sections", "season", "--linger",
        "600",
      ], in: scene.folder, width: 74, height: 20)
    try await program.wait(for: "? help")
    program.send("jjjj")
    try await program.wait(for: "5/30")

    _ = try scene.folder.file("demo.json", Demo.secondVersion)
    _ = try await Tool.episodeFeed.run(
      ["import", "demo.json", "--mirror", "--store", path], in: scene.folder)
    try await program.wait(for: "3/30")
    try await program.wait(for: " ~   2026-04-07")

    #expect(program.screen.text == shown.trimmingCharacters(in: .newlines))
    program.send("q")
    #expect(await program.waitForEnd() == 0)
  }

  @Test func theSelectionDoesNotChangeWhileAnotherProcessImports() async throws {
    let program = try await scene.watch()
    program.send("j")
    try await program.wait(for: "2/3")
    var items = ScreencastItem.three
    items.insert(
      ScreencastItem(number: 116, title: "Deltas", date: "2014-04-17T08:00:00Z"), at: 0)
    items[2].date = "2014-04-24T08:00:00Z"
    items[2].title = "Charts"
    items.remove(at: 3)

    try await scene.importFeed(items, "--mirror")
    try await program.wait(for: "1 new · 1 moved · 1 deleted")

    #expect(
      program.screen.lines[1...4] == [
        " ↑~  2014-04-24  114  paid  Charts",
        " +   2014-04-17  116        Deltas",
        "     2014-04-10  115        Models",
        " −   2014-03-27  113        Rows",
      ])
    #expect(program.screen.styles(of: "Charts").allSatisfy { $0.contains("7") })
    #expect(program.screen.lines[0].hasSuffix("1/3"))
    #expect(program.screen.clearCount == 2, "once at the start and once for the first frame")
    try await scene.quit(program)
  }

  @Test func aSearchIsTypedAndCleared() async throws {
    let program = try await scene.watch()

    program.send("/")
    try await program.wait("a cursor") { $0.modes.contains(25) }
    program.send("mäps")
    try await program.wait(for: "1 episode matching “mäps”")
    #expect(program.screen.lines[1] == "     2014-04-03  114  paid  Maps")
    program.send("\r")
    try await program.wait(for: "Esc shows all")
    // A single Esc byte.
    program.send("\u{1B}")
    try await program.wait(for: "3 episodes")

    try await scene.quit(program)
  }

  @Test func anEpisodeIsEditedUndoneAndRedone() async throws {
    let program = try await scene.watch()

    program.send("\u{1B}[B")
    try await program.wait(for: "2/3")
    program.send("e")
    try await program.wait(for: "Enter saves")
    #expect(program.screen.cursor == (2, 32))
    program.send("\u{15}日本 e\u{301}🎙\u{1B}[D!\r")
    try await program.wait(for: "renamed “Maps”")
    try await program.wait(for: "日本 e\u{301}!🎙")
    #expect(try scene.episode("114").title == "日本 e\u{301}!🎙")
    program.send("u")
    try await program.wait(for: "undone: renamed “Maps”")
    #expect(try scene.episode("114").title == "Maps")
    program.send("\u{12}")
    try await program.wait(for: "redone: renamed")
    #expect(try scene.episode("114").title == "日本 e\u{301}!🎙")
    program.send("d")
    try await program.wait(for: "2 episodes")
    #expect(throws: FeedError.self) { try scene.episode("114") }
    program.send("uk ")
    try await program.wait(for: "✓")
    #expect(try scene.episode("115").isPlayed)
    #expect(try scene.episode("114").title == "日本 e\u{301}!🎙")

    try await scene.quit(program)
  }

  @Test func theListIsAdjustedWhenTheTerminalIsResized() async throws {
    let program = try await scene.watch()

    program.resize(width: 30, height: 6)
    try await program.wait("a narrow header") { $0.lines[0].hasSuffix("        1/3") }
    try await program.wait(for: " ? help · q quit · / search")
    #expect(
      program.screen.lines[1...3] == [
        "     2014-04-10  Models", "     2014-04-03  Maps", "     2014-03-27  Rows",
      ])
    program.resize(width: 100, height: 20)
    try await program.wait(for: "↑↓ move")

    #expect(program.screen.lines[0].count == 99)
    #expect(program.screen.lines[19].hasPrefix(" ? help"))
    try await scene.quit(program)
  }

  @Test func marksAreColoredUnlessColorsAreDisabled() async throws {
    let styles: [(environment: [String: String], style: String)] = [
      ([:], "1;32"), (["NO_COLOR": "1"], "1"),
    ]
    for (environment, style) in styles {
      let program = try await scene.watch(environment: environment)

      let title = "Deltas \(style)"
      try await scene.importFeed([
        ScreencastItem(number: style.count, title: title, date: "2014-01-01T08:00:00Z")
      ])
      try await program.wait(for: title)

      #expect(program.screen.styles(of: "+") == [style])
      try await scene.quit(program)
      try await scene.folder.store().write {
        _ = try $0.delete([Episode(id: "\(style.count)", podcast: "Screencast")])
      }
    }
  }

  @Test func marksAreASCIIUnlessTheTerminalIsUTF8() async throws {
    let program = try await scene.watch(environment: ["LC_ALL": "C"])
    var items = ScreencastItem.three
    items[2].title = "Zeilen für Ⅲ"
    items[2].date = "2014-04-24T08:00:00Z"

    try await scene.importFeed(items)
    try await program.wait(for: "Zeilen f?r ?")

    #expect(program.screen.lines[1] == " ^~  2014-04-24  113        Zeilen f?r ?")
    #expect(program.screen.text.utf8.allSatisfy { $0 < 0x80 })
    try await scene.quit(program)
  }
}
