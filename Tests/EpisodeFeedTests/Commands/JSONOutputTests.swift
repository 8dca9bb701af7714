import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// `list --json` and `show --json`.
@Suite struct JSONOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await Tool.episodeFeed.run(
      arguments + ["--store", "store.sqlite"], in: folder)
    #expect(result.status == 0, sourceLocation: location)
    #expect(result.errors == "", sourceLocation: location)
    return result.output
  }

  private func save(_ episodes: [Episode]) throws {
    try folder.store().write { _ = try $0.save(episodes) }
  }

  @Test func anItemHasThePodcastAndWhetherItIsPlayed() async throws {
    try save([
      Episode(id: "1", title: "Loess", season: 2, podcast: "Deep Time", isPlayed: true),
      Episode(id: "2", title: "a\u{1B}\n\u{202E}\u{2028}"),
    ])

    let list = try await run("list", "--json", "--order", "title")

    #expect(
      list == #"""
        [
        {"id":"2","title":"a\u001b\n\u202e\u2028","_episode_feed":{"kind":"free","podcast":"","played":false}},
        {"id":"1","title":"Loess","_episode_feed":{"kind":"free","season":2,"podcast":"Deep Time","played":true}}
        ]

        """#)
    #expect(
      try await run("show", "1", "--json") == """
        {
          "id": "1",
          "title": "Loess",
          "_episode_feed": {
            "kind": "free",
            "season": 2,
            "podcast": "Deep Time",
            "played": true
          }
        }

        """)
  }

  @Test func aListWithoutEpisodesIsAnEmptyArray() async throws {
    try save([])

    #expect(try await run("list", "--json") == "[]\n")
  }

  @Test func playedEpisodesAreHidden() async throws {
    try save([Episode(id: "1", title: "One", isPlayed: true), Episode(id: "2", title: "Two")])

    #expect(try await run("list", "--hide-played") == "-  2  Two\n")
    #expect(try await run("list", "--json", "--hide-played").contains(#""id":"2""#))
    #expect(try await !run("list", "--json", "--hide-played").contains(#""id":"1""#))
  }

  @Test func allBatchesOfALongListAreOneArrayOfItems() async throws {
    let episodes = try Feed(reading: Demo.firstVersion).episodes.prefix(3)
    let numbered = Episode.numbered(2_000...3_000).map { episode in
      var episode = episode
      episode.contentHTML = "<p>\"\(episode.id)\"</p>\n"
      return episode
    }
    try save(Array(episodes) + numbered)

    for limit in [1_004, 400, 200, 1, 0] {
      let text = try await run("list", "--json", "--limit", "\(limit)")
      let items: [Episode] = try JSONAdapter().models(from: text)

      let stored = try await folder.store().fetch(EpisodeList(limit: limit).request)
      #expect(items == stored, "\(limit)")
      #expect(text.split(separator: "\n").count == (limit == 0 ? 1 : limit + 2))
    }
  }
}
