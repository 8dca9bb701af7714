import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// `watch` in a terminal.
@Suite(.timeLimit(.minutes(10))) struct WatchScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try EpisodeImporter(folder.store()).import(Feed(reading: ScreencastItem.three.data))
  }

  /// Runs `watch`, whose marks and messages stay, and waits until it shows the
  /// list.
  private func watch(
    width: Int = 60, height: Int = 12,
    environment: [String: String] = [:]
  ) async throws -> ScreenProgram {
    let words = [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite", "--linger", "600"]
    let program = try ScreenProgram(
      words, in: folder, width: width, height: height, environment: environment)
    try await program.wait(for: "Models")
    return program
  }

  private func importFeed(_ items: [ScreencastItem], _ options: String...) async throws {
    _ = try folder.file("feed.json", items.data)
    let result = try await Tool.episodeFeed.run(
      ["import", "feed.json", "--store", "store.sqlite"] + options, in: folder)
    #expect(result.status == 0)
  }

  private func episode(_ id: String) throws -> Episode { try folder.store().episode(id) }

  /// Quits, which leaves the terminal as it was found.
  private func quit(_ program: ScreenProgram, _ location: SourceLocation = #_sourceLocation)
    async throws
  {
    program.send("q")
    #expect(await program.waitForEnd() == 0, sourceLocation: location)
    expectCooked(program, location)
  }

  private func expectCooked(
    _ program: ScreenProgram, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(program.terminal.isCooked, sourceLocation: location)
    #expect(program.screen.modes == [7, 25], sourceLocation: location)
    #expect(program.screen.unknown == [], sourceLocation: location)
    #expect(!program.screen.text.contains("Models"), sourceLocation: location)
  }

  @Test func theListIsShownAndTheTerminalGivenBack() async throws {
    let program = try await watch()

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
    try await quit(program)
  }

  @Test func theReadmeShowsWhatIsShown() async throws {
    let readme = URL(filePath: #filePath).appending(path: "../../../../README.md").standardized
    let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```\n")
    let shown = try #require(blocks.first { $0.contains("? help") })
    let path = folder.path("demo.sqlite")
    _ = try EpisodeImporter(folder.store("demo.sqlite")).import(Feed(reading: Demo.firstVersion))
    let program = try ScreenProgram(
      [
        Tool.episodeFeed.url.path, "watch", "--store", path, "--sections", "season", "--linger",
        "600",
      ], in: folder, width: 74, height: 20)
    try await program.wait(for: "? help")
    program.send("jjjj")
    try await program.wait(for: "5/30")

    _ = try folder.file("demo.json", Demo.secondVersion)
    _ = try await Tool.episodeFeed.run(
      ["import", "demo.json", "--mirror", "--store", path], in: folder)
    try await program.wait(for: "3/30")
    try await program.wait(for: " ~   2026-04-07")

    #expect(program.screen.text == shown.trimmingCharacters(in: .newlines))
    program.send("q")
    #expect(await program.waitForEnd() == 0)
  }

  @Test func theSelectionIsKeptWhileAnotherProcessImports() async throws {
    let program = try await watch()
    program.send("j")
    try await program.wait(for: "2/3")
    var items = ScreencastItem.three
    items.insert(
      ScreencastItem(number: 116, title: "Deltas", date: "2014-04-17T08:00:00Z"), at: 0)
    items[2].date = "2014-04-24T08:00:00Z"
    items[2].title = "Charts"
    items.remove(at: 3)

    try await importFeed(items, "--mirror")
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
    #expect(program.screen.clearCount == 2, "once when it began and once for the first frame")
    try await quit(program)
  }

  @Test func aSearchIsTypedAndCleared() async throws {
    let program = try await watch()

    program.send("/")
    try await program.wait("a cursor") { $0.modes.contains(25) }
    program.send("mäps")
    try await program.wait(for: "1 episode with “mäps”")
    #expect(program.screen.lines[1] == "     2014-04-03  114  paid  Maps")
    program.send("\r")
    try await program.wait(for: "Esc shows all")
    // Esc alone, after which nothing comes.
    program.send("\u{1B}")
    try await program.wait(for: "3 episodes")

    try await quit(program)
  }

  @Test func anEpisodeIsEditedAndTheEditUndoneAndDoneAgain() async throws {
    let program = try await watch()

    program.send("\u{1B}[B")
    try await program.wait(for: "2/3")
    program.send("e")
    try await program.wait(for: "Enter saves")
    #expect(program.screen.cursor == (2, 32))
    program.send("\u{15}日本 e\u{301}🎙\u{1B}[D!\r")
    try await program.wait(for: "title of “Maps”")
    try await program.wait(for: "日本 e\u{301}!🎙")
    #expect(try episode("114").title == "日本 e\u{301}!🎙")
    program.send("u")
    try await program.wait(for: "undone: title of “Maps”")
    #expect(try episode("114").title == "Maps")
    program.send("\u{12}")
    try await program.wait(for: "done again: title")
    #expect(try episode("114").title == "日本 e\u{301}!🎙")
    program.send("d")
    try await program.wait(for: "2 episodes")
    #expect(throws: FeedError.self) { try episode("114") }
    program.send("uk ")
    try await program.wait(for: "✓")
    #expect(try episode("115").isPlayed)
    #expect(try episode("114").title == "日本 e\u{301}!🎙")

    try await quit(program)
  }

  @Test func theListFillsATerminalOfAnotherSize() async throws {
    let program = try await watch()

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
    try await quit(program)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsItAndTheTerminalIsGivenBack(signal: Int32) async throws {
    let program = try await watch()

    program.signal(signal)

    #expect(await program.waitForEnd() == 0)
    expectCooked(program)
  }

  @Test func ctrlCEndsItAlsoWhileATitleIsEdited() async throws {
    let program = try await watch()
    program.send("e")
    try await program.wait(for: "Enter saves")

    program.send("x\u{3}")

    #expect(await program.waitForEnd() == 0)
    expectCooked(program)
    #expect(try episode("115").title == "Models")
  }

  @Test func theTerminalIsGivenBackBeforeAnErrorIsReported() async throws {
    let program = try await watch()

    try await folder.store().writer.write { try $0.execute(sql: "DROP TABLE Episode") }

    let status = await program.waitForEnd()
    #expect(status != 0)
    expectCooked(program)
    #expect(program.screen.lines[0].hasPrefix("Error: "))
  }

  @Test func aProcessThatIsStoppedGivesTheTerminalBackUntilItGoesOn() async throws {
    let command = "'\(Tool.episodeFeed.url.path)' watch --store store.sqlite"
    let program = try ScreenProgram(
      ["/bin/sh", "-c", "set -m; \(command); echo in the shell; read line; fg; echo over"],
      in: folder)
    try await program.wait(for: "Models")

    program.send("j\u{1A}")
    try await program.wait(for: "in the shell")
    #expect(!program.screen.isAlternate)
    #expect(program.terminal.isCooked)
    program.send("\n")
    try await program.wait("the list") { $0.isAlternate && $0.text.contains("2/3") }
    #expect(!program.terminal.isCooked)
    program.send("q")
    try await program.wait(for: "over")

    #expect(await program.waitForEnd() == 0)
    #expect(program.terminal.isCooked)
    #expect(program.screen.modes == [7, 25])
  }

  @Test func colorsTellWhatHappenedUnlessTheyAreNotWanted() async throws {
    let styles: [(environment: [String: String], style: String)] = [
      ([:], "1;32"), (["NO_COLOR": "1"], "1"),
    ]
    for (environment, style) in styles {
      let program = try await watch(environment: environment)

      let title = "Deltas \(style)"
      try await importFeed([
        ScreencastItem(number: style.count, title: title, date: "2014-01-01T08:00:00Z")
      ])
      try await program.wait(for: title)

      #expect(program.screen.styles(of: "+") == [style])
      try await quit(program)
      try folder.store().write { _ = try $0.delete([Episode(id: "\(style.count)")]) }
    }
  }

  @Test func marksAreASCIIWhereTheTerminalIsNotOfUTF8() async throws {
    let program = try await watch(environment: ["LC_ALL": "C"])
    var items = ScreencastItem.three
    items[2].title = "Zeilen für Ⅲ"
    items[2].date = "2014-04-24T08:00:00Z"

    try await importFeed(items)
    try await program.wait(for: "Zeilen f?r ?")

    #expect(program.screen.lines[1] == " ^~  2014-04-24  113        Zeilen f?r ?")
    #expect(program.screen.text.utf8.allSatisfy { $0 < 0x80 })
    try await quit(program)
  }

  @Test func aDumbTerminalGetsLines() async throws {
    let program = try ScreenProgram(
      [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite"], in: folder,
      environment: ["TERM": "dumb"])
    try await program.wait(for: "Watching 3 episodes.")

    try await importFeed(Array(ScreencastItem.three.dropFirst()), "--mirror")
    try await program.wait(for: #"delete [0, 0]  115 "Models""#)
    program.signal(SIGTERM)

    #expect(await program.waitForEnd() == 0)
    #expect(program.screen.modes == [7, 25])
  }
}
