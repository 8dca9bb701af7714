import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct CommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the command, which must succeed and write nothing to standard error.
  private func run(
    _ arguments: String..., input: Data = Data(), location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await Tool.episodeFeed.run(arguments, in: folder, input: input)
    #expect(result.status == 0, sourceLocation: location)
    #expect(result.errors == "", sourceLocation: location)
    return result.output
  }

  @Test(arguments: ["", "import", "list", "show", "edit", "export", "watch", "serve", "demo"])
  func everyCommandHasHelp(command: String) async throws {
    let arguments = command.isEmpty ? ["--help"] : [command, "--help"]

    let result = try await Tool.episodeFeed.run(arguments, in: folder)

    #expect(result.status == 0)
    #expect(result.output.contains("USAGE: episode-feed"))
    #expect(command.isEmpty == result.output.contains("EXIT STATUS:"))
  }

  @Test(arguments: [
    [], ["import"], ["import", "-", "--lossy"], ["list", "--limit", "-1"],
    ["edit", "113"], ["edit", "113", "--date", "soon"], ["list", "--lock-timeout", "-1"],
    ["edit", "113", "--season", "1", "--clear", "season"], ["export", "--format", "rss"],
    ["list", "--store", ""], ["edit", "113", "--title", ""],
    ["edit", "113", "--title", " \u{A0} "], ["edit", "113", "--title", "\u{200B}"],
    ["edit", "113", "--summary", ""], ["edit", "113", "--season=-1"], ["list", "--search", ""],
    ["import", "-", "--podcast", " "], ["watch", "--search", ""], ["watch", "--linger=-1"],
    ["watch", "--linger", "nan"], ["list", "--lock-timeout", "inf"], ["watch", "--keys", "-"],
    ["import", "file://server/feed.xml"], ["import", "feed:"], ["import", "feed:file:///feed.xml"],
  ])
  func invalidArgumentsAreRejected(arguments: [String]) async throws {
    let result = try await Tool.episodeFeed.run(arguments, in: folder)

    // Without a command, the program prints its help.
    #expect(result.status == (arguments.isEmpty ? 0 : 64))
    #expect(arguments.isEmpty || result.errors.hasPrefix("Error: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("data")))
  }

  @Test func aFeedIsImportedListedEditedAndShown() async throws {
    let feed = ScreencastItem.three.data

    #expect(
      try await run("import", "-", input: feed)
        == "inserted 3, updated 0, unchanged 0, deleted 0, skipped 0\n")
    #expect(
      try await run("import", "-", input: feed)
        == "inserted 0, updated 0, unchanged 3, deleted 0, skipped 0\n")
    #expect(
      try await run(
        "edit", "113", "--title", "Row", "--date", "2014-04-17", "--season", "2", "--clear",
        "summary") == "113: changed title, summary, publishedAt, season\n")
    #expect(try await run("edit", "113", "--title", "Row") == "113: nothing changed\n")
    #expect(
      try await run("list", "--sections", "season") == """
        Season 2
        2014-04-17  113        Row
        No season
        2014-04-10  115        Models
        2014-04-03  114  paid  Maps

        """)
    #expect(
      try await run("list", "--search", "MAPS", "--limit", "1") == "2014-04-03  114  paid  Maps\n")
    #expect(
      try await run("show", "113") == """
        id         113
        title      Row
        podcast    Screencast
        season     2
        published  2014-04-17T00:00:00Z
        kind       free
        image      https://example.com/113.png

        """)
    #expect(
      FileManager.default.fileExists(atPath: folder.path("data/episode-feed/episodes.sqlite")))
  }

  @Test(arguments: ["", "trap '' PIPE; "])
  func aListEndsWithoutAMessageWhenItsReaderHasEnough(setting: String) async throws {
    // More than a pipe can hold.
    try await folder.store().write { _ = try $0.save(Episode.numbered(1...4_000)) }

    let result = try await Tool.episodeFeed.run(
      ["list", "--store", "store.sqlite"], in: folder,
      prefix: ["sh", "-c", "\(setting){ \"$0\" \"$@\"; echo $? >&2; } | head -n 1"])

    #expect(result.output == "2025-12-31  1    Episode 1\n")
    #expect(result.errors == "141\n")
  }

  @Test(arguments: ["", " ", "\t\n", "\u{2003}\u{200B}"])
  func aTitleWithoutVisibleCharactersIsRefusedAndNothingIsWritten(title: String) async throws {
    _ = try await run(
      "import", "-", "--store", "store.sqlite", input: ScreencastItem.three.data)
    let before = try Data(contentsOf: URL(filePath: folder.path("store.sqlite")))

    let result = try await Tool.episodeFeed.run(
      ["edit", "113", "--title", title, "--season", "4", "--store", "store.sqlite"], in: folder)

    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("Error: --title must not be empty.\n"))
    #expect(try Data(contentsOf: URL(filePath: folder.path("store.sqlite"))) == before)
  }

  @Test(arguments: [("json-feed", Demo.firstVersion), ("screencast", ScreencastItem.three.data)])
  func anExportedFeedImportsAsEqualEpisodes(format: String, feed: Data) async throws {
    _ = try await run("import", "-", "--store", "one.sqlite", input: feed)

    let exported = try await run("export", "--format", format, "--store", "one.sqlite")
    _ = try await run("import", "-", "--store", "two.sqlite", input: Data(exported.utf8))
    let again = try await run("import", "-", "--store", "one.sqlite", input: Data(exported.utf8))
    #expect(try await run("export", "feed.json", "--format", format, "--store", "one.sqlite") == "")

    let request = EpisodeList().request
    #expect(
      try await folder.store("two.sqlite").fetch(request)
        == folder.store("one.sqlite").fetch(request))
    #expect(again.hasPrefix("inserted 0, updated 0, unchanged "))
    #expect(try String(contentsOfFile: folder.path("feed.json"), encoding: .utf8) == exported)
  }

  @Test func exportingOneOfSeveralPodcastsRequiresItsTitle() async throws {
    _ = try await run("import", "-", input: Demo.firstVersion)
    _ = try await run(
      "import", "-", "--podcast", "Casts", input: [ScreencastItem.three[0]].data.renumbered)

    let result = try await Tool.episodeFeed.run(["export"], in: folder)
    #expect(result.status == 64)
    #expect(
      result.errors == """
        Error: the store has 2 podcasts
          "Casts"
          "Deep Time"
        Choose one with --podcast.

        """)
    let exported = try await run("export", "--podcast", "Casts")
    #expect(try Feed(reading: Data(exported.utf8)).episodes.map(\.id) == ["9115"])
  }

  @Test func theDemoPrintsListRecordsAndNewList() async throws {
    #expect(try await run("demo") == DemoOutput.text)
  }

  @Test func theDemoCanBeRepeatedWithAPermanentStore() async throws {
    _ = try await run("demo", "--store", "demo.sqlite")
    let second = try await run("demo", "--store", "demo.sqlite")

    #expect(
      second.hasSuffix(DemoOutput.text.split(separator: "\n\n").suffix(2).joined(separator: "\n\n"))
    )
    #expect(try await folder.store("demo.sqlite").fetchCount(ModelRequest<Episode>()) == 30)
  }
}

extension Data {
  /// The screencast's feed with ids that are unique among all feeds.
  fileprivate var renumbered: Data {
    Data(
      String(decoding: self, as: UTF8.self)
        .replacing("\"episode_number\":", with: "\"episode_number\":9").utf8)
  }
}
