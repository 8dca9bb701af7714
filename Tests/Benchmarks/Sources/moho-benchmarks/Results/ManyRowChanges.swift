import CFloors
import GRDB
import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite
import MohoTesting

/// A transaction that moves and changes many rows.
struct ManyRowChanges {
  let rounds: Int

  private static let sql = """
    UPDATE "ListedEpisode" SET "publishedAt" = ?2, "title" = 'Episode, take ' || ?2 \
    WHERE "id" = ?1
    """

  func run(_ stores: ListStores, _ report: BenchmarkReport) async throws {
    let list = EpisodeList.newest
    let floor = try FloorList(path: stores.makeCopy())
    let scan = try floor.prepare(
      #"SELECT "id", "publishedAt" FROM "ListedEpisode" ORDER BY "publishedAt" DESC"#)
    let statement = try floor.prepare(Self.sql)
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    var observed = ObservedList(try list.controller(in: store))
    let rows = stores.episodes.count
    guard floor.scan(scan) == rows else {
      throw ChecksumMismatch(description: "the number of rows that the floor reads is wrong")
    }

    var ofFloor = Measurement(name: "C, write, sort and merge")
    var ofUnobserved = Measurement(name: "Moho, write unobserved")
    var ofObserved = Measurement(name: "Moho, write and change set")
    var added = Measurement(name: "Moho, overhead of observing")
    let clock = ContinuousClock()
    for round in 0...rounds {
      let edits = edits(round, in: stores.episodes)
      let start = clock.now
      try floor.write(statement, edits)
      try floor.merge(edits)
      let floorDone = clock.now
      try write(edits, to: unobserved)
      let unobservedDone = clock.now
      try write(edits, to: store)
      let update = try await observed.next()
      let done = clock.now

      let after = Array(update.after.index.rowIDs)
      guard after.elementsEqual(floor.ids(0..<rows)) else {
        throw ChecksumMismatch(
          description: "the order of the controller differs from that of the floor")
      }
      try MoveOracle(
        before: Array(update.before.index.rowIDs), after: after, touched: Set(edits.map(\.id))
      ).check(update.changes)
      guard round > 0 else { continue }
      ofFloor.times.append((floorDone - start) / .seconds(1))
      ofUnobserved.times.append((unobservedDone - floorDone) / .seconds(1))
      ofObserved.times.append((done - unobservedDone) / .seconds(1))
    }
    added.times = ofObserved.times.map { $0 - ofUnobserved.median }
    let count = edits(0, in: stores.episodes).count
    report.table(
      Work(
        number: "W8", title: "\(count) rows moved and changed in one transaction", rows: rows),
      [ofFloor, ofUnobserved, ofObserved, added], comparing: ofObserved.name)
    report.time(
      "overhead of observing", added.median, atMost: 5e-3)
    report.ratio(
      "÷ \(ofFloor.name)", ofObserved.median / ofFloor.median, atMost: 2)
  }

  /// Returns random edits, different in each round.
  private func edits(_ round: Int, in episodes: ListedEpisodes) -> [floor_edit] {
    var generator = SeededGenerator(seed: UInt64(round))
    var numbers: Set<Int> = []
    let count = min(1_000, episodes.count / 4)
    while numbers.count < count {
      numbers.insert(Int.random(in: 0..<episodes.count, using: &generator))
    }
    return numbers.sorted().map { number in
      let far = episodes.publication(of: (number + episodes.count / 2) % episodes.count)
      return floor_edit(id: Int64(number + 1), value: far + Double(round + 1) / 1_024)
    }
  }

  private func write(_ edits: [floor_edit], to store: ModelStore) throws {
    try store.writer.write { database in
      let statement = try database.cachedStatement(sql: Self.sql)
      for edit in edits { try statement.execute(arguments: [edit.id, edit.value]) }
    }
  }
}
