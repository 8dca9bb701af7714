import CFloors
import Foundation
import GRDB
import MohoResults
import MohoRows
import MohoSQLite
import MohoTesting

/// Reads pages of a list that is already open.
final class ListScrolling {
  private let store: ModelStore
  private let controller: ResultsController<ListedEpisode>
  private let floor: FloorList
  private let page: Int32
  private let ids: [Int64]

  init(_ stores: ListStores) throws {
    let path = try stores.makeCopy()
    store = try ListStores.open(path)
    controller = try EpisodeList.newest.controller(in: store)
    floor = try FloorList(path: path)
    let count = try floor.scan(floor.prepare(EpisodeList.newest.scan))
    page = try floor.prepare(EpisodeList.page)
    ids = Array(floor.ids(0..<max(0, count)))
  }

  /// The first positions of all full pages.
  var inOrder: [Int] {
    let last = ids.count / EpisodeList.pageSize
    return (0..<last).map { $0 * EpisodeList.pageSize }
  }

  /// Returns the first positions of random full pages.
  func atRandom(_ count: Int) -> [Int] {
    var generator = SeededGenerator(seed: 1)
    let pages = inOrder
    return (0..<count).compactMap { _ in pages.randomElement(using: &generator) }
  }

  /// Returns first positions of random pages that straddle two batches.
  func acrossBatches(_ count: Int) -> [Int] {
    atRandom(count).map { max(0, $0 - EpisodeList.pageSize / 2) }
  }

  func contenders(_ starts: [Int]) -> [Contender] {
    [
      Contender(name: "C, one statement per page") {
        starts.reduce(0) { $0 + self.floor.read(self.page, self.floor.ids(self.rows(from: $1))) }
      },
      Contender(name: "Moho, 50 models of a snapshot") {
        let snapshot = self.controller.snapshot
        return try starts.reduce(0) { try $0 + checksum(of: snapshot, from: $1) }
      },
      Contender(name: "GRDB, cached statement by index") {
        try starts.reduce(0) { try $0 + self.recordsChecksum(from: $1) }
      },
    ]
  }

  private func rows(from start: Int) -> Range<Int> { start..<start + EpisodeList.pageSize }

  private func recordsChecksum(from start: Int) throws -> Double {
    let arguments = StatementArguments(ids[rows(from: start)])
    let records = try store.writer.read { database in
      try ListedRecord.fetchAll(
        database.cachedStatement(sql: EpisodeList.page), arguments: arguments)
    }
    return records.reduce(0) { $0 + $1.checksum }
  }
}
