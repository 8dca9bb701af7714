import Foundation
import GRDB
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// A hundred observed values, each of one show, and a write of one row that changes one of
/// them or none. The same with a single value.
struct ManyValues {
  let samples: Int

  private static let count = 100
  private static let changedShow = 7

  private static func query(_ show: Int) -> ValueQuery<ValueRow> {
    .aggregates(ModelRequest<ListedEpisode>().filter { $0.show == show }) {
      [.count, .sum($0.duration)]
    }
  }

  func run(_ stores: ListStores, _ report: BenchmarkReport) async throws {
    let episodes = stores.episodes
    guard episodes.showCount > Self.count else { return }
    let unobserved = try ListStores.open(stores.makeCopy())
    let (one, many) = (
      try ListStores.open(stores.makeCopy()), try ListStores.open(stores.makeCopy())
    )
    var single = one.observe(Self.query(Self.changedShow)).makeAsyncIterator()
    _ = try await single.next()
    var values = (0..<Self.count).map { many.observe(Self.query($0)).makeAsyncIterator() }
    for show in values.indices { _ = try await values[show].next() }
    let clock = ContinuousClock()
    for show in [Self.changedShow, Self.count] {
      let number = (0..<episodes.count).first { episodes.show(of: $0) == show } ?? 0
      let isDelivered = show == Self.changedShow
      var ofUnobserved = Measurement(name: "Moho, write unobserved")
      var ofOne = Measurement(name: "Moho, write with one observed value")
      var ofMany = Measurement(name: "Moho, write with 100 observed values")
      for round in 0..<samples + 20 {
        let sql = #"UPDATE "ListedEpisode" SET "duration" = \#(round) WHERE "id" = \#(number + 1)"#
        let start = clock.now
        try unobserved.execute(sql)
        let unobservedDone = clock.now
        try one.execute(sql)
        let expected = isDelivered ? try await single.next() : nil
        let oneDone = clock.now
        try many.execute(sql)
        let value = isDelivered ? try await values[show].next() : nil
        let done = clock.now
        guard value == expected else {
          throw ChecksumMismatch(description: "the value of the show is not the single one")
        }
        guard round >= 20 else { continue }
        ofUnobserved.times.append((unobservedDone - start) / .seconds(1))
        ofOne.times.append((oneDone - unobservedDone) / .seconds(1))
        ofMany.times.append((done - oneDone) / .seconds(1))
      }
      report.table(
        Work(
          number: "W20",
          title: "100 observed values, a row \(isDelivered ? "of one of them" : "of none")",
          rows: episodes.count),
        [ofUnobserved, ofOne, ofMany], comparing: ofMany.name)
      report.ratio("÷ \(ofOne.name)", ofMany.median / ofOne.median, atMost: 2)
    }
  }
}

extension ModelStore {
  fileprivate func execute(_ sql: String) throws {
    try writer.write { try $0.execute(sql: sql) }
  }
}
