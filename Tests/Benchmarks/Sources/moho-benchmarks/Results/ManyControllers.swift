import CFloors
import Dispatch
import Foundation
import GRDB
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// A hundred lists, each of one show, and a write of one row that is in one of
/// the lists or in none.
struct ManyControllers {
  let samples: Int

  private static let count = 100

  private enum Write: String, CaseIterable {
    case otherTable = "a row of another table"
    case none = "a row in no list"
    case one = "a row in one list"

    var sql: String {
      self == .otherTable
        ? #"UPDATE "ListedShow" SET "title" = 'Show, take ' || ?2 WHERE "id" = ?1"#
        : ListEdit.Kind.content.sql
    }
  }

  func run(_ stores: ListStores, withPeers: Bool, _ report: BenchmarkReport) async throws {
    let episodes = stores.episodes
    guard episodes.showCount > Self.count else { return }
    let floor = try FloorList(path: stores.makeCopy())
    let evaluation = try floor.prepare(#"SELECT "show" FROM "ListedEpisode" WHERE "id" = ?1"#)
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    var lists = try (0..<Self.count).map { show in
      try ObservedList(
        ResultsController(
          ModelRequest<ListedEpisode>().filter { $0.show == show }
            .order(by: \.publishedAt, .descending),
          in: store))
    }
    let shows = (0..<Self.count).map(Double.init)
    for write in Write.allCases {
      let statement = try floor.prepare(write.sql)
      let number = (0..<episodes.count).first {
        episodes.show(of: $0) == (write == .one ? 7 : Self.count)
      }
      let id = write == .otherTable ? 1 : Int64((number ?? 0) + 1)
      let affected = write == .one ? 1 : 0
      var ofFloor = Measurement(name: "C, write and compare a hundred numbers")
      var ofUnobserved = Measurement(name: "Moho, write unobserved")
      var ofObserved = Measurement(name: "Moho, write and change sets")
      var added = Measurement(name: "Moho, overhead per controller")
      let clock = ContinuousClock()
      for round in 0..<samples + 20 {
        let edit = floor_edit(id: id, value: Double(round))
        let before = lists.map(\.controller.snapshot.generation)
        let start = clock.now
        try floor.write(statement, [edit])
        let equal = write == .otherTable ? 0 : floor.compare(evaluation, id, shows)
        let floorDone = clock.now
        try unobserved.execute(write.sql, edit)
        let unobservedDone = clock.now
        try store.execute(write.sql, edit)
        if write == .one {
          let update = try await lists[7].next()
          guard update.predecessor(of: id) != nil else {
            throw ChecksumMismatch(
              description: "the list has a different change: \(update.changes)")
          }
        }
        let done = clock.now
        let after = lists.map(\.controller.snapshot.generation)
        guard equal == affected, zip(before, after).filter({ $0 != $1 }).count == affected else {
          throw ChecksumMismatch(description: "the changed lists differ from those of the floor")
        }
        guard round >= 20 else { continue }
        ofFloor.times.append((floorDone - start) / .seconds(1))
        ofUnobserved.times.append((unobservedDone - floorDone) / .seconds(1))
        ofObserved.times.append((done - unobservedDone) / .seconds(1))
      }
      added.times = ofObserved.times.map { ($0 - ofUnobserved.median) / Double(Self.count) }
      var measurements = [ofFloor, ofUnobserved, ofObserved, added]
      if withPeers, write != .otherTable { measurements.append(try peer(id, stores)) }
      report.table(
        Work(
          number: "W13", title: "100 controllers, \(write.rawValue)", rows: episodes.count),
        measurements, comparing: ofObserved.name)
      report.time(
        "overhead of each controller", added.median, atMost: 1e-6)
    }
  }

  /// Measures a hundred GRDB observations, each of the rows of one show.
  private func peer(_ id: Int64, _ stores: ListStores) throws -> Measurement {
    let pool = try DatabasePool(path: stores.makeCopy())
    let arrival = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "arrival")
    let sql = """
      SELECT \(EpisodeList.columns) FROM "ListedEpisode" WHERE "show" = ? \
      ORDER BY "publishedAt" DESC
      """
    let observations = (0..<Self.count).map { show in
      ValueObservation
        .tracking { try ListedRecord.fetchAll($0, sql: sql, arguments: [show]) }
        .start(in: pool, scheduling: .async(onQueue: queue)) { _ in
          arrival.signal()
        } onChange: { _ in
          arrival.signal()
        }
    }
    defer { for observation in observations { observation.cancel() } }
    for _ in observations { arrival.wait() }
    var measurement = Measurement(name: "GRDB, 100 observations of rows")
    let clock = ContinuousClock()
    for round in 0..<max(1, samples / 30) {
      while arrival.wait(timeout: .now() + 0.05) == .success {}
      let time = try clock.measure {
        try pool.write { database in
          try database.cachedStatement(sql: ListEdit.Kind.content.sql)
            .execute(arguments: [id, Double(round)])
        }
        for _ in observations { arrival.wait() }
      }
      measurement.times.append(time / .seconds(1))
    }
    return measurement
  }
}

extension ModelStore {
  fileprivate func execute(_ sql: String, _ edit: floor_edit) throws {
    try writer.write { database in
      try database.cachedStatement(sql: sql).execute(arguments: [edit.id, edit.value])
    }
  }
}
