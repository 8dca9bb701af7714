import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// Feeds that cannot be imported.
@Suite struct BadFeedTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var data: Data
    var errors: String

    init(_ name: String, _ data: Data, _ errors: String) {
      (testDescription, self.data, self.errors) = (name, data, errors)
    }
  }

  private static func items(_ change: (inout [ScreencastItem]) -> Void) -> Data {
    var items = ScreencastItem.three
    change(&items)
    return items.data
  }

  static let cases: [Case] = [
    Case(
      "not JSON", Data("hello".utf8),
      """
      Error: feed.json: invalid JSON: unexpected "hello" at line 1, column 1
      Check that the file is complete, or download it again.

      """),
    Case(
      "empty file", Data(),
      """
      Error: feed.json: invalid JSON: the input is empty
      Check that the file is complete, or download it again.

      """),
    Case(
      "truncated", ScreencastItem.three.data.prefix(250),
      """
      Error: feed.json: invalid JSON: unexpected end of input at line 2, column 51
      Check that the file is complete, or download it again.

      """),
    Case(
      "not a feed", Data(#"{"items": []}"#.utf8),
      """
      Error: feed.json: the document is an object without `version`
      Use RSS, Atom, a JSON Feed (an object whose `version` begins with \
      "https://jsonfeed.org/version/") or an array of {"episode": {…}}.

      """),
    Case(
      "wrong type", jsonFeed(#"{"id": "1", "title": 5}"#, #"{"id": "2"}"#),
      """
      Error: feed.json: 1 of 2 items is invalid; nothing was imported
        invalid type: number 5, expected string - `Episode.title` at /items/0/title, 2:33
      Correct the file, or import what is valid without --strict.

      """),
    Case(
      "unknown type of episode", items { $0[1].type = "series" },
      """
      Error: feed.json: 1 of 3 items is invalid; nothing was imported
        invalid value: string "series", expected one of "free", "paid" - `Episode.kind` \
      at /1/episode/episode_type, 2:100
      Correct the file, or import what is valid without --strict.

      """),
    Case(
      "duplicate id", items { $0[2].number = 115 },
      """
      Error: feed.json: 1 of 3 items is invalid; nothing was imported
        duplicate id: "115" - `Episode.id` at /2/episode/episode_number, first at \
      /0/episode/episode_number
      Correct the file, or import what is valid without --strict.

      """),
    Case(
      "bad date", items { $0[0].date = "2014-13-01T00:00:00Z" },
      """
      Error: feed.json: 1 of 3 items is invalid; nothing was imported
        invalid value: string "2014-13-01T00:00:00Z", expected ISO 8601 date and time - \
      `Episode.publishedAt` at /0/episode/published_at, 1:125
      Correct the file, or import what is valid without --strict.

      """),
    Case(
      "empty array", Data("[]".utf8),
      """
      Error: feed.json: the feed has no episodes
      Check that the file is the right one.

      """),
  ]

  @Test(arguments: cases)
  func aBadFeedIsReportedAndLeavesTheStoreUnchanged(bad: Case) async throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    let before = try await store.fetch(EpisodeList().request)
    _ = try folder.file("feed.json", bad.data)

    for policy in [[], ["--mirror"]] {
      let result = try await Tool.episodeFeed.run(
        ["import", "feed.json", "--strict", "--store", "store.sqlite"] + policy, in: folder)

      #expect(result.status == 65)
      #expect(result.output == "")
      #expect(result.errors == bad.errors)
      #expect(try await store.fetch(EpisodeList().request) == before)
    }
  }

  @Test func aLossyImportImportsValidItemsAndListsInvalidOnes() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let data = Self.items { items in
      items[1].type = "series"
      items.append(items[0])
    }

    let result = try await Tool.episodeFeed.run(
      ["import", "-", "--store", "store.sqlite"], in: folder, input: data)

    #expect(result.status == 0)
    #expect(result.output == "inserted 2, updated 0, unchanged 0, deleted 0, skipped 2\n")
    #expect(
      result.errors == """
        Not imported from standard input:
          invalid value: string "series", expected one of "free", "paid" - `Episode.kind` \
        at /1/episode/episode_type, 2:100
          duplicate id: "115" - `Episode.id` at /3/episode/episode_number, first at \
        /0/episode/episode_number

        """)
    #expect(try await store.fetch(EpisodeList().request).map(\.id) == ["115", "113"])
  }

  @Test func onlyTheFirstTwentyMistakesAreListed() async throws {
    let folder = try TemporaryFolder()
    let data = Self.items { items in
      items = (1...50).map { ScreencastItem(number: $0, title: "x", date: "never") } + items
    }

    let result = try await Tool.episodeFeed.run(
      ["import", "-", "--strict"], in: folder, input: data)

    #expect(result.status == 65)
    #expect(result.errors.contains("50 of 53 items are invalid"))
    #expect(result.errors.contains("\n  … and 30 more\n"))
    #expect(result.errors.split(separator: "\n").count == 23)
  }
}
