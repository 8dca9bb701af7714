import GRDB
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Tests results over a table that a temporary table hides.
@Suite struct TemporaryTableTests {
  private let all = ModelRequest<Card>().order(by: \.rank).batchSize(5)
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Card.self, Photo.self)
    try store.write { writer in
      try writer.save((1...100).map { Card(id: $0, rank: $0, title: "\($0)") })
    }
  }

  @Test func anErrorNamesTheTableUntilItIsDropped() async throws {
    let controller = try await ResultsController(all, in: store)
    let snapshot = controller.snapshot
    let updates = controller.updates

    try await store.writer.write { try $0.execute(sql: "CREATE TEMP TABLE card (x)") }
    let read = #expect(throws: StoreError.self) { try snapshot.models() }
    try await store.writer.write { database in
      try database.execute(sql: "UPDATE main.Card SET title = 'new' WHERE id = 2")
    }
    let update = await #expect(throws: StoreError.self) { try await updates.first { _ in true } }

    for error in [read, update] {
      #expect(error?.code == .invalidConnection)
      #expect(error?.subject == "temporary table or view `card`")
    }
    try await store.writer.write { try $0.execute(sql: "DROP TABLE temp.card") }
    try await store.write { try $0.save(Card(id: 1, rank: 1, title: "newer")) }
    let stored = try await store.fetch(all)
    #expect(try controller.snapshot.models() == stored)
    #expect(try controller.snapshot.models()[1].title == "new")
  }
}
