import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// A followed list with summaries of its sections, the same list without them, and
/// writes of one row that change the list and the summaries.
struct ObservedSummaries {
  let samples: Int

  private typealias List = ResultsController<ListedEpisode>

  private static let request = ModelRequest<ListedEpisode>()
    .order(by: \.show).order(by: \.publishedAt, .descending)

  @Sendable private static func summaries(_ episode: ModelKeys<ListedEpisode>) -> [Aggregate] {
    [.count, .sum(episode.duration), .maximum(episode.publishedAt)]
  }

  func run(_ stores: ListStores, _ report: BenchmarkReport) throws {
    defer { stores.removeCopies() }
    let unobserved = try ListStores.open(stores.makeCopy())
    let plain = try ListStores.open(stores.makeCopy())
    let summarized = try ListStores.open(stores.makeCopy())
    let list = try List(Self.request, in: plain, sectionedBy: \.show)
    let lists = try List(
      Self.request, in: summarized, sectionedBy: \.show, summaries: Self.summaries)
    var ofUnobserved = Measurement(name: "Moho, write unobserved")
    var ofPlain = Measurement(name: "Moho, write with a followed list")
    var ofSummarized = Measurement(name: "Moho, write with a followed list and summaries")
    let clock = ContinuousClock()
    let edits = ListEdit.make(samples + 20, of: [.insert, .section, .delete], in: stores.episodes)
    for (round, edit) in edits.enumerated() {
      let start = clock.now
      try unobserved.write(edit)
      let unobservedDone = clock.now
      try plain.write(edit)
      let plainDone = clock.now
      try summarized.write(edit)
      let done = clock.now
      guard round >= 60 else { continue }
      ofUnobserved.times.append((unobservedDone - start) / .seconds(1))
      ofPlain.times.append((plainDone - unobservedDone) / .seconds(1))
      ofSummarized.times.append((done - plainDone) / .seconds(1))
    }
    let expected = try summarized.fetchAggregates(
      Self.request, groupedBy: { [$0.show] }, Self.summaries)
    let found = lists.snapshot.sections.map { $0.summary?.values }
    guard found == expected.map({ Array($0.values.dropFirst()) }) else {
      throw ChecksumMismatch(description: "the summaries are not as they were followed")
    }
    guard list.snapshot.index == lists.snapshot.index else {
      throw ChecksumMismatch(description: "a list with summaries has other rows")
    }
    var added = Measurement(name: "Moho, overhead of summaries")
    added.times = ofSummarized.times.map { $0 - ofPlain.median }
    report.table(
      Work(number: "W20", title: "summaries of sections", rows: stores.episodes.count),
      [ofUnobserved, ofPlain, ofSummarized, added], comparing: ofSummarized.name)
    report.time("overhead of summaries", added.median, atMost: 15e-6)
  }
}
