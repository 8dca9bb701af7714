import CFloors
import Foundation
import GRDB
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// An observed number of rows, and writes of one row that change the number or
/// do not change it.
struct ObservedCount {
  let samples: Int

  private enum Write: String, CaseIterable {
    case content = "a value that the count does not read"
    case condition = "a value that the count reads"
    case insertion = "an inserted row"

    func edit(_ round: Int, of episodes: ListedEpisodes) -> ListEdit {
      let number = round * 7_919 % episodes.count
      let (kind, id): (ListEdit.Kind, Int) =
        switch self {
        case .content: (.content, number + 1)
        case .condition: (.nearMove, number + 1)
        case .insertion: (.insert, episodes.count + 1 + round)
        }
      let date = episodes.publication(of: number) + 1_800 + Double(round) / 1_024
      return ListEdit(kind: kind, row: floor_edit(id: Int64(id), value: date))
    }
  }

  /// All rows but one.
  private static let request = ModelRequest<ListedEpisode>()
    .filter { $0.publishedAt > Date(timeIntervalSinceReferenceDate: 0) }

  func run(_ stores: ListStores, withPeers: Bool, _ report: BenchmarkReport) async throws {
    let floor = try FloorList(path: stores.makeCopy())
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    let observed = try ListStores.open(stores.makeCopy())
    var counts = observed.observe(.count(Self.request)).makeAsyncIterator()
    guard var count = try await counts.next() else { return }
    let clock = ContinuousClock()
    for write in Write.allCases {
      let statement = try floor.prepare(write.edit(0, of: stores.episodes).kind.sql)
      var ofFloor = Measurement(name: "C, write")
      var ofUnobserved = Measurement(name: "Moho, write unobserved")
      var ofCounted = Measurement(name: "Moho, write and count again")
      var ofObserved = Measurement(name: "Moho, write while the count is observed")
      for round in 1...samples + 20 {
        let edit = write.edit(round, of: stores.episodes)
        let start = clock.now
        try floor.write(statement, [edit.row])
        let floorDone = clock.now
        try unobserved.write(edit)
        let unobservedDone = clock.now
        try observed.write(edit)
        if write == .insertion { count = try await counts.next() ?? 0 }
        let done = clock.now
        guard round > 20 else { continue }
        ofFloor.times.append((floorDone - start) / .seconds(1))
        ofUnobserved.times.append((unobservedDone - floorDone) / .seconds(1))
        ofObserved.times.append((done - unobservedDone) / .seconds(1))
      }
      // Counting evicts the data of the other contenders from the processor's
      // caches.
      for round in 1...samples + 20 {
        let edit = write.edit(round, of: stores.episodes)
        let start = clock.now
        try store.write(edit)
        let expected = try await store.fetchCount(Self.request)
        ofCounted.times.append((clock.now - start) / .seconds(1))
        guard round < samples + 20 || count == expected else {
          throw ChecksumMismatch(description: "the count is \(expected), but observed as \(count)")
        }
      }
      var added = Measurement(name: "Moho, overhead of observing")
      added.times = ofObserved.times.map { $0 - ofUnobserved.median }
      var measurements = [ofFloor, ofUnobserved, ofCounted, ofObserved, added]
      if withPeers { measurements.append(try peer(write, stores)) }
      let title = "an observed count, \(write.rawValue)"
      report.table(
        Work(number: "W14", title: title, rows: stores.episodes.count), measurements,
        comparing: ofObserved.name)
      report.time(
        "overhead of observing", added.median, atMost: 25e-6)
    }
  }

  /// Measures a GRDB observation of the count.
  private func peer(_ write: Write, _ stores: ListStores) throws -> Measurement {
    let pool = try DatabasePool(path: stores.makeCopy())
    let arrival = DispatchSemaphore(value: 0)
    let sql = #"SELECT count(*) FROM "ListedEpisode" WHERE "publishedAt" > 0"#
    let observation = ValueObservation.tracking { try Int.fetchOne($0, sql: sql) ?? 0 }
      .start(in: pool, scheduling: .async(onQueue: DispatchQueue(label: "arrival"))) { _ in
        arrival.signal()
      } onChange: { _ in
        arrival.signal()
      }
    defer { observation.cancel() }
    arrival.wait()
    var measurement = Measurement(name: "GRDB, write and observed count")
    let clock = ContinuousClock()
    for round in 1...max(1, samples / 10) {
      while arrival.wait(timeout: .now() + 0.02) == .success {}
      let edit = write.edit(round, of: stores.episodes)
      let time = try clock.measure {
        try pool.write { database in
          try database.cachedStatement(sql: edit.kind.sql).execute(arguments: edit.arguments)
        }
        // GRDB ignores writes of other columns.
        if write != .content { arrival.wait() }
      }
      measurement.times.append(time / .seconds(1))
    }
    return measurement
  }
}
