import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// The commands `import URL`, `refresh` and `feeds`.
@Suite struct FetchCommandTests {
  private let folder: TemporaryFolder
  private let server: FeedServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FeedServer()
    for title in ["A", "B"] {
      server["/\(title)"] = jsonFeed(title: title, #"{"id": "1", "title": "One"}"#)
    }
  }

  private func run(_ arguments: String...) async throws -> Tool.Result {
    try await Tool.episodeFeed.run(arguments, in: folder)
  }

  @Test(arguments: [
    ["refresh", "--help"], ["feeds", "--help"], ["feeds", "list", "--help"],
    ["feeds", "forget", "--help"],
  ])
  func everyCommandHasHelp(arguments: [String]) async throws {
    let result = try await Tool.episodeFeed.run(arguments, in: folder)

    #expect(result.status == 0)
    #expect(
      result.output.contains("USAGE: episode-feed \(arguments.dropLast().joined(separator: " "))"))
  }

  @Test func feedsAreImportedRefreshedListedAndForgotten() async throws {
    let first = try await run("import", server.url("/A").absoluteString)
    #expect(first.status == 0)
    #expect(first.errors == "")
    #expect(first.output == "inserted 1, updated 0, unchanged 0, deleted 0, skipped 0\n")
    let second = try await run("import", server.url("/B").absoluteString, "--podcast", "Bee")
    #expect(second.output == first.output)

    server["/B"] = jsonFeed(title: "B", #"{"id": "2"}"#)
    let refreshed = try await run("refresh")
    #expect(refreshed.status == 0)
    #expect(refreshed.errors == "")
    #expect(
      refreshed.output.split(separator: "\n").sorted() == [
        "A: unchanged", "Bee: inserted 1, updated 0, unchanged 0, deleted 0, skipped 0",
      ])

    server["/A"] = nil
    let failed = try await run("refresh")
    #expect(failed.status == 66)
    #expect(failed.output == "Bee: unchanged\n")
    #expect(
      failed.errors == """
        A: failed: \(server.url("/A")): the server responded with status 404 (not found). \
        Check the URL, or find the current one on the web site of the feed.
        Error: 1 of 2 feeds failed
        Use `episode-feed feeds` to see the reasons again.

        """)

    let list = try await run("feeds")
    let lines = list.output.split(separator: "\n")
    #expect(list.status == 0)
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasSuffix(
        "  \(server.url("/A"))  failed: the server responded with status 404 (not found)") == true)
    #expect(lines.last?.hasPrefix("Bee  20") == true)

    let forgotten = try await run("feeds", "forget", "Bee")
    #expect(forgotten.output == "Bee: forgot \(server.url("/B"))\n")
    #expect(try await run("feeds", "forget", "Bee").status == 66)
    #expect(try await run("feeds", "list").output.split(separator: "\n").count == 1)
    #expect(try await run("list", "--podcast", "Bee").output.split(separator: "\n").count == 2)
  }

  @Test func titlesOfRememberedFeedsAreCandidates() async throws {
    let store = ["--store", "data.sqlite"]
    for title in ["A", "B"] {
      let arguments = ["import", server.url("/\(title)").absoluteString] + store
      #expect(try await Tool.episodeFeed.run(arguments, in: folder).status == 0)
    }

    let result = try await Tool.episodeFeed.run(
      ["---completion", "feeds", "forget", "--", "positional@0", "3", "0"]
        + ["episode-feed", "feeds", "forget", ""] + store, in: folder)

    #expect(result.output == "A\nB\n")
  }

  @Test func withoutFeedsTheCommandsSayHowToImportOne() async throws {
    _ = try folder.store("data.sqlite")

    for command in ["refresh", "feeds"] {
      let result = try await run(command, "--store", "data.sqlite")

      #expect(result.status == 0)
      #expect(result.output == "")
      #expect(
        result.errors == "No remembered feeds. Import one with `episode-feed import URL`.\n")
    }
  }

  @Test func aFetchThatFailsLeavesTheStoreUnchanged() async throws {
    let url = server.url("/missing\u{202E}").absoluteString

    let result = try await run("import", url)

    #expect(result.status == 66)
    #expect(result.output == "")
    #expect(
      result.errors == """
        Error: \(url): the server responded with status 404 (not found)
        Check the URL, or find the current one on the web site of the feed.

        """)
  }

  @Test func aPasswordIsRefusedAndNotShown() async throws {
    let result = try await run("import", "http://user:pass123@127.0.0.1/feed")

    #expect(result.status == 64)
    #expect(!result.errors.contains("pass123"))
  }
}
