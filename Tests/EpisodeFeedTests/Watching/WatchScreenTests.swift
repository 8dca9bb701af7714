import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// `watch` in a terminal.
@Suite(.timeLimit(.minutes(20))) struct WatchScreenTests {
  private let scene: WatchScene

  init() throws { scene = try WatchScene() }

  @Test func theListIsShownAndTheTerminalIsRestored() async throws {
    let program = try await scene.watch()

    #expect(
      program.screen.lines == [
        " 3 episodes, newest first" + String(repeating: " ", count: 31) + "1/3",
        "     2014-04-10  115        Models",
        "     2014-04-03  114  paid  Maps",
        "     2014-03-27  113        Rows",
        "", "", "", "", "", "", "",
        " ? help · q quit · / search · P podcasts · R refresh",
      ])
    #expect(program.screen.modes == [1000, 1006, 1049, 2004])
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
    try await program.wait("a narrow header") { $0.lines[0] == " 3 episodes, newest first 1/3" }
    try await program.wait(for: " ? help · q quit · / search")
    #expect(
      program.screen.lines[1...3] == [
        "     2014-04-10  Models", "     2014-04-03  Maps", "     2014-03-27  Rows",
      ])
    program.resize(width: 130, height: 20)
    try await program.wait(for: "H hide played")

    #expect(program.screen.lines[0].count == 129)
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

  /// A replacement of `xdg-open`, which writes its arguments to a
  /// file.
  private func environment(openerStatus: Int) throws -> [String: String] {
    let opener = "#!/bin/sh\nprintf '%s\\n' \"$@\" >>opened\nexit \(openerStatus)\n"
    let path = try scene.folder.file("xdg-open", Data(opener.utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return ["PATH": scene.folder.url.path + ":/usr/bin:/bin"]
  }

  private func savePage(_ address: String) throws {
    let url = try #require(URL(string: address))
    #expect(url.absoluteString == address)
    try scene.folder.store().write { writer in
      var episode = try writer.reader.fetch(EpisodeList(search: "Maps").request)[0]
      episode.url = url
      try writer.save(episode)
    }
  }

  @Test func theMouseSelectsAndOpensAPageWithoutAShell() async throws {
    let address = "https://example.com/?a=$(touch)pwned&b;touch+pwned'"
    try savePage(address)
    let program = try await scene.watch(environment: environment(openerStatus: 0))

    program.send("\u{1B}[<0;20;3M\u{1B}[<0;20;3m")
    try await program.wait(for: "2/3")
    program.send("\u{1B}[<0;20;3M\u{1B}[<0;20;3m\u{1B}[<0;20;3M\u{1B}[<0;20;3m")
    try await program.wait(for: "opened https")

    let opened = try String(contentsOfFile: scene.folder.path("opened"), encoding: .utf8)
    #expect(opened == address + "\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
    #expect(!files.contains { $0.contains("pwned") })
    try await scene.quit(program)
  }

  @Test func anErrorOfTheBrowserIsShown() async throws {
    try savePage("https://example.com/")
    let program = try await scene.watch(environment: environment(openerStatus: 3))

    program.send("jo")
    try await program.wait(for: "the page cannot be opened: xdg-open found no browser")
    program.send("k")
    try await program.wait(forEndOf: "cannot be opened")
    program.send("\r")
    try await program.wait(for: "the episode has no web page")

    try await scene.quit(program)
  }

  @Test func theWheelScrollsTheListAndTheNotes() async throws {
    try await scene.folder.store().write { writer in
      let episodes = (1...60).map { number in
        Episode(
          id: "e\(number)", title: "Old \(number)",
          contentText: (1...40).map { "note \($0)" }.joined(separator: "\n"),
          publishedAt: Date(timeIntervalSince1970: Double(-number) * 86_400))
      }
      _ = try writer.save(episodes)
    }
    let program = try await scene.watch(width: 120, height: 20)
    program.send("jjj")
    try await program.wait(for: "note 1")

    program.send("\u{1B}[<65;10;9M\u{1B}[<65;10;9M")
    try await program.wait(forEndOf: "Models")
    program.send("\u{1B}[<65;100;9M\u{1B}[<65;100;9M")
    try await program.wait("scrolled notes") { screen in
      !screen.lines.contains { $0.hasSuffix("note 1") }
        && screen.lines.contains { $0.hasSuffix("note 4") }
    }

    #expect(program.screen.unknown == [])
    program.send("q")
    #expect(await program.waitForEnd() == 0)
    #expect(program.screen.modes == [7, 25])
  }

  @Test func theTerminalSelectsTextWithoutTheMouse() async throws {
    let program = try ScreenProgram(
      [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite", "--no-mouse"],
      in: scene.folder)
    try await program.wait(for: "Models")

    #expect(program.screen.modes == [1049, 2004])
    try await scene.quit(program)
  }

  @Test func datesAreInTheTimeZoneOfTheEnvironment() async throws {
    let program = try await scene.watch(
      height: 24, environment: ["TZ": "Pacific/Kiritimati"])

    #expect(program.screen.lines[3] == "     2014-03-27  113        Rows")
    program.send("n")
    // 08:00 in UTC.
    try await program.wait(for: "2014-04-10 22:00 +1400")
    try await scene.quit(program)
  }

  @Test func aNewOrderIsShownAsMoves() async throws {
    let program = try await scene.watch()

    program.send("s")
    try await program.wait(for: "2 moved")

    #expect(program.screen.text.contains("order: oldest first"))
    #expect(program.screen.lines[1].hasSuffix("Rows"))
    program.send("S")
    try await program.wait(for: "No season")
    try await scene.quit(program)
  }
}
