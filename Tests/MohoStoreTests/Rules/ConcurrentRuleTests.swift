import Campaigns
import MohoMapping
import MohoPostgres
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

/// Transactions that change different rows of one model at the same time.
@Suite(.engine(.postgres)) struct ConcurrentRuleTests {
  @Test func concurrentTransactionsDoNotBreakARuleTogether() async throws {
    let url = try PostgresServer.shared().emptySchema()
    let stores = try (0..<3).map { _ in try ModelStore(postgres: url, Schema(Houses.models)) }
    try await stores[0].write { writer in
      let rooms = (1...6).map { Houses.Room(id: $0, name: $0) }
      try writer.save(
        Houses.House(id: 1, grade: 1, rooms: rooms, owner: nil, tags: [], city: nil))
    }
    let roundCount = Campaign.count(short: 30, full: 500)

    let saved = try await withThrowingTaskGroup(of: Int.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(index))
          var count = 0
          for _ in 0..<roundCount {
            var room = Partial<Houses.Room>()
            room[\.id] = 1 + random.below(6)
            room[\.name] = random.below(9)
            let change = room
            do {
              if try await store.write({ try $0.update([change]) }).updated > 0 { count += 1 }
            } catch let error as MappingError where error.code == .failedValidation {
            } catch let error as StoreError where error.code == .conflict {}
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }

    #expect(saved > 0)
    #expect(try await stores[0].fetch(ModelRequest<Houses.House>()).count == 1)
  }
}
