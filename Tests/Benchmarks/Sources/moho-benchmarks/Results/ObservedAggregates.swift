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

  /// Totals of all rows.
  static var totalsOfAll: ValueQuery<ValueRow> { .aggregates(request, totals) }

  /// Totals of the rows of each show.
  static var totalsOfShows: ValueQuery<[ValueRow]> {
    .aggregates(request, groupedBy: { [$0.show] }, totals)
  }

  /// The groups of a key that is different for almost all rows, the longest first.
  static let dates = request.grouped(by: { [$0.publishedAt] }) {
    [.count, .sum($0.duration)]
  }.order(.descending) { .sum($0.duration) }

  /// An observed value, and how it is compared with one that is read.
  private struct Observed<Value: Sendable> {
    let name: String
    let query: ValueQuery<Value>
    /// Returns the values of the groups.
    let rows: (Value) -> [ValueRow]
    /// What a consumer does with the next value.
    var receive: (_ old: Value, _ new: Value) throws -> Void = { _, _ in }
    let fetch: (StoreReader) throws -> [ValueRow]
    /// The SQL of the values, after `SELECT`.
    let sql: String
    /// An edit that moves a row to another group, and whether the value then changes.
    let move: (kind: ListEdit.Kind, isDelivered: Bool)
  }

  func run(_ stores: ListStores, withPeers: Bool, _ report: BenchmarkReport) async throws {
    try await run(
      Observed(
        name: "totals", query: Self.totalsOfAll, rows: { [$0] },
        fetch: { [try $0.fetchAggregates(Self.request, Self.totals)] }, sql: Self.sql,
        move: (.section, false)),
      stores, withPeers: withPeers, report)
    try await run(
      Observed(
        name: "totals of each show",
        query: Self.totalsOfShows, rows: { $0 },
        fetch: {
          try $0.fetchAggregates(Self.request, groupedBy: { [$0.show] }, Self.totals)
        }, sql: #""show", \#(Self.sql) GROUP BY "show""#, move: (.section, true)),
      stores, withPeers: withPeers, report)
    try await run(
      Observed(
        name: "groups of each date, with their changes", query: .groups(Self.dates),
        rows: { $0.map(\.values) }, receive: { _ = try $1.changes(since: $0) },
        fetch: { try $0.fetchGroups(Self.dates) },
        sql: #""publishedAt", count(*), sum("duration") FROM "ListedEpisode" "#
          + #"GROUP BY "publishedAt" ORDER BY 3 DESC, 1"#,
        move: (.farMove, true)),
      stores, withPeers: withPeers, report)
  }

  private func run<Value: Sendable>(
    _ work: Observed<Value>, _ stores: ListStores, withPeers: Bool, _ report: BenchmarkReport
  ) async throws {
    defer { stores.removeCopies() }
    let floor = try FloorList(path: stores.makeCopy())
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    let observed = try ListStores.open(stores.makeCopy())
    var values = observed.observe(work.query).makeAsyncIterator()
    guard var value = try await values.next() else { return }
    let statement = try floor.prepare(work.move.kind.sql)
    var ofFloor = Measurement(name: "C, write")
    var ofUnobserved = Measurement(name: "Moho, write unobserved")
    var ofRead = Measurement(name: "Moho, write and read again")
    var ofObserved = Measurement(name: "Moho, write while the values are observed")
    let clock = ContinuousClock()
    // A row moves to another group and back, or a row is inserted.
    let changing = [.insert] + (work.move.isDelivered ? [work.move.kind] : [])
    let edits = ListEdit.make(samples + 20, of: [.insert, work.move.kind], in: stores.episodes)
    for (round, edit) in edits.enumerated() {
      let start = clock.now
      if edit.kind != .insert { try floor.write(statement, [edit.row]) }
      let floorDone = clock.now
      try unobserved.write(edit)
      let unobservedDone = clock.now
      try observed.write(edit)
      if changing.contains(edit.kind), let next = try await values.next() {
        try work.receive(value, next)
        value = next
      }
      let done = clock.now
      guard round >= 40 else { continue }
      if edit.kind != .insert { ofFloor.times.append((floorDone - start) / .seconds(1)) }
      ofUnobserved.times.append((unobservedDone - floorDone) / .seconds(1))
      ofObserved.times.append((done - unobservedDone) / .seconds(1))
    }
    // Reading evicts the data of the other contenders from the processor's caches.
    for (round, edit) in edits.enumerated() {
      let start = clock.now
      try store.write(edit)
      guard round % 10 == 0 || round == edits.count - 1 else { continue }
      let expected = try store.read(work.fetch)
      ofRead.times.append((clock.now - start) / .seconds(1))
      guard round < edits.count - 1 || work.rows(value) == expected else {
        throw ChecksumMismatch(description: "\(work.name) are not as they were observed")
      }
    }
    var added = Measurement(name: "Moho, overhead of observing")
    let unobservedTime = ofUnobserved.median
    added.times = ofObserved.times.map { $0 - unobservedTime }
    var measurements = [ofFloor, ofUnobserved, ofRead, ofObserved, added]
    if withPeers { measurements.append(try peer(work.sql, edits: changing, stores)) }
    report.table(
      Work(number: "W20", title: "observed \(work.name)", rows: stores.episodes.count),
      measurements, comparing: ofObserved.name)
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
      try Row.fetchAll($0, sql: "SELECT \(sql)").map(\.description)
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
