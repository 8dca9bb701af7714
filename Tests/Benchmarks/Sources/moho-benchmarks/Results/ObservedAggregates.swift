import CFloors
import Foundation
import GRDB
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// Observed aggregates of all rows and of groups, and writes of one row that change them.
struct ObservedAggregates {
  let samples: Int

  private static let request = ModelRequest<ListedEpisode>()

  @Sendable private static func totals(_ episode: ModelKeys<ListedEpisode>) -> [Aggregate] {
    [
      .count, .sum(episode.duration), .average(episode.duration), .minimum(episode.publishedAt),
      .maximum(episode.publishedAt),
    ]
  }

  private static let sql =
    #"count(*), sum("duration"), avg("duration"), min("publishedAt"), max("publishedAt")"#
    + #" FROM "ListedEpisode""#

  func run(_ stores: ListStores, withPeers: Bool, _ report: BenchmarkReport) async throws {
    try await run(
      "totals", .aggregates(Self.request, Self.totals), stores, report,
      peer: withPeers ? "SELECT \(Self.sql)" : nil
    ) {
      try $0.fetchAggregates(Self.request, Self.totals)
    }
    try await run(
      "totals of each show", .aggregates(Self.request, groupedBy: { [$0.show] }, Self.totals),
      stores, report, peer: withPeers ? #"SELECT "show", \#(Self.sql) GROUP BY "show""# : nil
    ) {
      try $0.fetchAggregates(Self.request, groupedBy: { [$0.show] }, Self.totals)
    }
  }

  private func run<Value: Sendable & Equatable>(
    _ name: String, _ query: ValueQuery<Value>, _ stores: ListStores, _ report: BenchmarkReport,
    peer sql: String?, fetch: (StoreReader) throws -> Value
  ) async throws {
    defer { stores.removeCopies() }
    let floor = try FloorList(path: stores.makeCopy())
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    let observed = try ListStores.open(stores.makeCopy())
    var values = observed.observe(query).makeAsyncIterator()
    guard var value = try await values.next() else { return }
    let statement = try floor.prepare(ListEdit.Kind.section.sql)
    var ofFloor = Measurement(name: "C, write")
    var ofUnobserved = Measurement(name: "Moho, write unobserved")
    var ofRead = Measurement(name: "Moho, write and read again")
    var ofObserved = Measurement(name: "Moho, write while the values are observed")
    let clock = ContinuousClock()
    // A row moves to another group and back, or a row is inserted.
    let changing: [ListEdit.Kind] = Value.self == [ValueRow].self ? [.insert, .section] : [.insert]
    let edits = ListEdit.make(samples + 20, of: [.insert, .section], in: stores.episodes)
    for (round, edit) in edits.enumerated() {
      let start = clock.now
      if edit.kind == .section { try floor.write(statement, [edit.row]) }
      let floorDone = clock.now
      try unobserved.write(edit)
      let unobservedDone = clock.now
      try observed.write(edit)
      if changing.contains(edit.kind) {
        value = try await values.next() ?? value
      }
      let done = clock.now
      guard round >= 40 else { continue }
      if edit.kind == .section { ofFloor.times.append((floorDone - start) / .seconds(1)) }
      ofUnobserved.times.append((unobservedDone - floorDone) / .seconds(1))
      ofObserved.times.append((done - unobservedDone) / .seconds(1))
    }
    // Reading evicts the data of the other contenders from the processor's caches.
    for (round, edit) in edits.enumerated() {
      let start = clock.now
      try store.write(edit)
      guard round % 10 == 0 || round == edits.count - 1 else { continue }
      let expected = try store.read(fetch)
      ofRead.times.append((clock.now - start) / .seconds(1))
      guard round < edits.count - 1 || value == expected else {
        throw ChecksumMismatch(description: "\(expected) was observed as \(value)")
      }
    }
    var added = Measurement(name: "Moho, overhead of observing")
    added.times = ofObserved.times.map { $0 - ofUnobserved.median }
    var measurements = [ofFloor, ofUnobserved, ofRead, ofObserved, added]
    if let sql { measurements.append(try peer(sql, edits: changing, stores)) }
    report.table(
      Work(number: "W20", title: "observed \(name)", rows: stores.episodes.count), measurements,
      comparing: ofObserved.name)
    report.time("overhead of observing", added.median, atMost: 15e-6)
  }

  /// Measures a GRDB observation of the values.
  ///
  /// - Parameter kinds: The edits that change the values. GRDB does not notify of others.
  private func peer(
    _ sql: String, edits kinds: [ListEdit.Kind], _ stores: ListStores
  ) throws -> Measurement {
    let pool = try DatabasePool(path: stores.makeCopy())
    let arrival = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking {
      try Row.fetchAll($0, sql: sql).map(\.description)
    }
    .start(in: pool, scheduling: .async(onQueue: DispatchQueue(label: "arrival"))) { _ in
      arrival.signal()
    } onChange: { _ in
      arrival.signal()
    }
    defer { observation.cancel() }
    arrival.wait()
    var measurement = Measurement(name: "GRDB, write and observed values")
    let clock = ContinuousClock()
    for edit in ListEdit.make(max(1, samples / 20), of: kinds, in: stores.episodes) {
      while arrival.wait(timeout: .now() + 0.02) == .success {}
      let time = try clock.measure {
        try pool.write { database in
          try database.cachedStatement(sql: edit.kind.sql).execute(arguments: edit.arguments)
        }
        arrival.wait()
      }
      measurement.times.append(time / .seconds(1))
    }
    return measurement
  }
}
