import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// A followed list with sections, the same list with summaries of its sections, the first
/// rows of each section, and writes of one row that change all of them.
struct FollowedSections {
  let samples: Int

  private typealias List = ResultsController<ListedEpisode>

  private static let request = ModelRequest<ListedEpisode>()
    .order(by: \.show).order(by: \.publishedAt, .descending)
  private static let newest = request.first(3, per: { [$0.show] })

  @Sendable private static func summaries(_ episode: ModelKeys<ListedEpisode>) -> [Aggregate] {
    [.count, .sum(episode.duration), .maximum(episode.publishedAt)]
  }

  func run(_ stores: ListStores, _ report: BenchmarkReport) throws {
    defer { stores.removeCopies() }
    let unobserved = try ListStores.open(stores.makeCopy())
    let followed = try (0..<3).map { _ in try ListStores.open(stores.makeCopy()) }
    let lists = [
      try List(Self.request, in: followed[0], sectionedBy: \.show),
      try List(
        Self.request, in: followed[1], sectionedBy: \.show, summaries: Self.summaries),
      try List(Self.newest, in: followed[2], sectionedBy: \.show),
    ]
    var ofUnobserved = Measurement(name: "Moho, write unobserved")
    var ofLists = [
      "Moho, write with a followed list", "Moho, with summaries",
      "Moho, with the first rows",
    ].map { Measurement(name: $0) }
    let clock = ContinuousClock()
    let edits = ListEdit.make(samples + 20, of: [.insert, .section, .delete], in: stores.episodes)
    for (round, edit) in edits.enumerated() {
      let time = try clock.measure { try unobserved.write(edit) }
      if round >= 60 { ofUnobserved.times.append(time / .seconds(1)) }
      for index in followed.indices {
        let time = try clock.measure { try followed[index].write(edit) }
        if round >= 60 { ofLists[index].times.append(time / .seconds(1)) }
      }
    }
    try check(lists, followed)
    for (list, name) in zip(ofLists.dropFirst(), ["summaries", "first rows"]) {
      var added = Measurement(name: "Moho, overhead of \(name)")
      added.times = list.times.map { $0 - ofLists[0].median }
      report.table(
        Work(number: "W20", title: "\(name) of sections", rows: stores.episodes.count),
        [ofUnobserved, ofLists[0], list, added], comparing: list.name)
      report.time("overhead of \(name)", added.median, atMost: 15e-6)
    }
  }

  private func check(_ lists: [List], _ stores: [ModelStore]) throws {
    let expected = try stores[1].fetchAggregates(
      Self.request, groupedBy: { [$0.show] }, Self.summaries)
    let found = lists[1].snapshot.sections.map { $0.summary?.values }
    guard found == expected.map({ Array($0.values.dropFirst()) }) else {
      throw ChecksumMismatch(description: "the summaries are not as they were followed")
    }
    for (list, request) in zip(lists, [Self.request, Self.request, Self.newest]) {
      guard try Array(list.snapshot.index.rowIDs) == stores[0].fetchIdentities(request) else {
        throw ChecksumMismatch(description: "the rows are not as they were followed")
      }
    }
  }
}
