import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct SessionTests {
  let all = ModelRequest<Episode>().order(by: \.id).batchSize(2)

  @Test func aWriteInsideAReadIsCommitted() throws {
    let store = try emptyStore(Episode.self)

    try store.read { _ in _ = try store.write { try $0.save(Episode.number(1)) } }

    #expect(try store.fetchCount(all) == 1)
  }

  @Test func batchesGoOnWhereTheirRequestIsReadInBetween() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...5).map { Episode.number($0) }) }
    var batches: [[Int]] = []

    try store.read { reader in
      try reader.forEachBatch(of: all) { batch in
        try #require(batches.count < 3)
        batches.append(batch.map(\.id))
        #expect(try reader.fetch(all).count == 5)
        try reader.forEachBatch(of: all) { _ in }
      }
    }

    #expect(batches == [[1, 2], [3, 4], [5]])
  }

  @Test func batchesGoOnWhereAnotherReaderReadsBatchesInBetween() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...5).map { Episode.number($0) }) }
    var batches: [[[Int]]] = []

    try store.read { reader in
      try reader.forEachBatch(of: all) { batch in
        var inner: [[Int]] = []
        try store.read { try $0.forEachBatch(of: all) { inner.append($0.map(\.id)) } }
        batches.append([batch.map(\.id)] + inner)
      }
    }

    let inner = [[1, 2], [3, 4], [5]]
    #expect(batches == inner.map { [$0] + inner })
  }

  @Test func batchesThatEndEarlyLeaveNoTemporaryTables() throws {
    struct Stop: Error {}
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...5).map { Episode.number($0) }) }

    for _ in 0..<2 {
      #expect(throws: Stop.self) {
        try store.read { try $0.forEachBatch(of: all) { _ in throw Stop() } }
      }
    }

    #expect(try store.fetch(all).count == 5)
    try store.execute("DROP TABLE \"Episode\"")
  }

  @Test func escapedSessionsThrow() throws {
    let store = try emptyStore(Episode.self)
    let writer = try store.write { $0 }
    let reader = try store.read { $0 }

    let errors = [
      #expect(throws: StoreError.self) { try writer.save(Episode.number(1)) },
      #expect(throws: StoreError.self) { try writer.delete([Episode.number(1)]) },
      #expect(throws: StoreError.self) { try writer.delete(all) },
      #expect(throws: StoreError.self) { try writer.reader.fetchCount(all) },
      #expect(throws: StoreError.self) { try reader.fetch(all) },
      #expect(throws: StoreError.self) { try reader.fetchFirst(all) },
      #expect(throws: StoreError.self) { try reader.forEachBatch(of: all) { _ in } },
    ]

    #expect(errors.allSatisfy { $0?.code == .invalidRequest })
  }
}
