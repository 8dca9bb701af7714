import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct EpisodeListTests {
  private let store: ModelStore

  init() throws {
    store = try ModelStore(inMemory: Episode.self)
    try store.write { writer in
      try writer.save([
        Episode(id: "1", title: "Été", publishedAt: day(1), season: 1, podcast: "B"),
        Episode(id: "2", title: "Winter", summary: "After the ÉTÉ", publishedAt: day(2), season: 2),
        Episode(id: "3", title: "Bonus", publishedAt: day(3), podcast: "B"),
        Episode(id: "4", title: "Trailer", season: 2, podcast: "A"),
      ])
    }
  }

  private func day(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: 86_400 * Double(number))
  }

  /// The sections of a list, fetched in batches.
  private func sections(_ list: EpisodeList, batchSize: Int = 500) throws -> [EpisodeSection] {
    var result: [EpisodeSection] = []
    try list.forEachBatch(in: store, of: batchSize) { result += $0 }
    return result
  }

  private func outline(_ list: EpisodeList) throws -> [String] {
    let sections = try sections(list)
    let live = list.sections(of: try list.controller(in: store).snapshot)
    #expect(live.map { EpisodeText.lines($0) } == EpisodeText.lines(sections))
    for size in 1...4 {
      let parts = try self.sections(list, batchSize: size)
      #expect(EpisodeText.lines(parts) == EpisodeText.lines(sections), "batches of \(size)")
    }
    return sections.flatMap { [$0.heading].compactMap { $0 } + $0.rows.map(\.episode.id) }
  }

  @Test func theNewestEpisodeIsFirstAndUndatedEpisodesAreLast() throws {
    #expect(try outline(EpisodeList()) == ["3", "2", "1", "4"])
  }

  @Test func seasonsAreSectionsWithTheLatestFirst() throws {
    #expect(
      try outline(EpisodeList(sections: .season))
        == ["Season 2", "2", "4", "Season 1", "1", "No season", "3"])
  }

  @Test func podcastsAreSectionsByName() throws {
    #expect(
      try outline(EpisodeList(sections: .podcast))
        == ["No podcast", "2", "A", "4", "B", "3", "1"])
  }

  @Test(arguments: ["été", "ETE", "e\u{301}te\u{301}"])
  func aSearchIgnoresCaseAndAccentsInTitleAndSummary(text: String) throws {
    #expect(try outline(EpisodeList(search: text)) == ["2", "1"])
  }

  @Test(arguments: [
    ("win", ["2"]), ("éT", ["2", "1"]), ("inter", []), ("ete after", ["2"]), ("win after", []),
    ("winter aft", ["2"]), ("\"after the\"", ["2"]), ("\"the after\"", []), ("et*", ["2", "1"]),
    ("x' OR 1", []), ("winter OR bonus", []),
  ])
  func aSearchFindsWordsAndTheBeginningOfTheLastOne(text: String, ids: [String]) throws {
    #expect(try outline(EpisodeList(search: text)) == ids)
  }

  @Test(arguments: ["?", "?!", " ! ", "\"", "—"])
  func aSearchWithoutWordsFindsTheTextItself(text: String) throws {
    try store.write { try $0.save(Episode(id: "5", title: "Why?! — a \" ! mark")) }

    #expect(try outline(EpisodeList(search: text)) == ["5"])
  }

  @Test func aListCanBeLimitedToAPodcastAndToACount() throws {
    #expect(try outline(EpisodeList(podcast: "B", limit: 1)) == ["3"])
  }

  @Test func onlyTheBatchesThatAreReadAreInMemory() throws {
    struct Enough: Error {}
    var count = 0

    #expect(throws: Enough.self) {
      try EpisodeList().forEachBatch(in: store, of: 1) { _ in
        count += 1
        throw Enough()
      }
    }

    #expect(count == 1)
  }

  @Test func rowsAreAlignedAndTruncated() throws {
    let sections = try sections(EpisodeList(sections: .season))

    #expect(
      EpisodeText.lines(sections, width: 20) == [
        "Season 2",
        "2001-01-03  2  Wint…",
        "-           4  Trai…",
        "Season 1",
        "2001-01-02  1  Été",
        "No season",
        "2001-01-04  3  Bonus",
      ])
  }
}
