import CFloors
import Foundation
import GRDB
import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite

/// Opening a list until its first page, or its whole order, is available.
final class ListFetching {
  private let list: EpisodeList
  private let count: Int
  private let store: ModelStore
  private let floor: FloorList
  private let scan: Int32
  private let firstPage: Int32
  private var controller: ResultsController<ListedEpisode>?

  init(_ list: EpisodeList, _ stores: ListStores) throws {
    self.list = list
    count = stores.episodes.count
    let path = try stores.makeCopy()
    store = try ListStores.open(path)
    floor = try FloorList(path: path)
    scan = try floor.prepare(list.scan)
    firstPage = try floor.prepare(list.firstPage)
  }

  /// Verifies that the controller and the floor have the same order.
  func check() throws {
    let index = try list.controller(in: store).snapshot.index
    let count = floor.scan(scan)
    guard index.rowIDs.elementsEqual(floor.ids(0..<max(0, count))) else {
      throw ChecksumMismatch(
        description: "the order of the controller differs from that of the floor")
    }
  }

  func pageContenders(withPeers: Bool) -> [Contender] {
    let floor = Contender(name: "C, the first 50 rows") { self.floor.read(self.firstPage) }
    func own(_ name: String, startingWith start: InitialRows) -> Contender {
      Contender(name: name, reset: { self.releaseController() }) {
        let snapshot = try self.makeController(startingWith: start).snapshot
        return try checksum(of: snapshot, from: 0)
      }
    }
    let peer = Contender(name: "GRDB, fetchAll by index") {
      let rows = try self.store.writer.read { try ListedRecord.fetchAll($0, sql: self.list.rows) }
      return rows.prefix(EpisodeList.pageSize).reduce(0) { $0 + $1.checksum }
    }
    return [
      floor, own("Moho, first batch and 50 models", startingWith: .firstBatch),
      own("Moho, all rows and 50 models", startingWith: .allRows),
    ] + (withPeers ? [peer] : [])
  }

  func indexContenders(withPeers: Bool) -> [Contender] {
    let isSectioned = list == .sectioned
    let floor = Contender(name: isSectioned ? "C, row IDs and sections" : "C, row IDs") {
      Double(self.floor.scan(self.scan))
    }
    let own = Contender(name: "Moho, controller", reset: { self.releaseController() }) {
      Double(try self.makeController().snapshot.count)
    }
    let peer = Contender(name: "GRDB, row IDs") {
      let ids = try self.store.writer.read { try Int64.fetchAll($0, sql: self.list.scan) }
      return Double(ids.count)
    }
    return [floor, own] + (withPeers ? [peer] : [])
  }

  private func makeController(
    startingWith start: InitialRows = .allRows
  ) throws -> ResultsController<ListedEpisode> {
    let controller = try list.controller(in: store, startingWith: start)
    self.controller = controller
    return controller
  }

  /// Releases the controller after its background work is complete.
  private func releaseController() {
    while controller?.snapshot.isComplete == false { usleep(200) }
    controller = nil
  }
}

/// Reads a page of models one by one, as a table view does.
func checksum(of snapshot: ResultsSnapshot<ListedEpisode>, from start: Int) throws -> Double {
  var sum = 0.0
  for position in start..<min(start + EpisodeList.pageSize, snapshot.count) {
    guard let path = snapshot.index.path(atPosition: position) else { return .nan }
    sum += try snapshot.model(at: path).checksum
  }
  return sum
}
