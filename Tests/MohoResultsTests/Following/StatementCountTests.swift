import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// The number of statements that following a commit takes.
@Suite(.allEngines) struct StatementCountTests {
  private static let all = ModelRequest<Card>()

  private func store(rows: Int) throws -> ModelStore {
    let store = try emptyStore(Card.self, Shelf.self)
    try store.write { writer in
      try writer.save(
        (1...rows).map { id in
          Card(id: id, deck: id % 3 == 0 ? nil : "deck \(id % 5)", rank: id * 7 % rows, title: "")
        })
    }
    return store
  }

  /// Creates a controller for each deck.
  private func controllersOfDecks(in store: ModelStore) throws -> [ResultsController<Card>] {
    try (0..<5).map { deck in
      try ResultsController(
        Self.all.filter { $0.deck == "deck \(deck)" }.order(by: \.rank), in: store)
    }
  }

  @Test func aChangeOfOneRowTakesTheSameStatementsForAnyNumberOfRows() throws {
    let counts = try [10, 100, 3_000].map { rows in
      let store = try store(rows: rows)
      let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
      let statements = try store.selects {
        try store.execute("UPDATE \"Card\" SET rank = \(rows / 2) WHERE id = 3")
      }
      #expect(controller.strategyCounts.repositioned == 1)
      return statements.count
    }

    // One statement reads the row, and one finds its position.
    #expect(Set(counts) == [2], "\(counts)")
  }

  @Test func firstRowsOfGroupsTakeTheSameStatementsForAnyNumberOfRows() throws {
    let counts = try [10, 100, 3_000].map { rows in
      let store = try store(rows: rows)
      let request = Self.all.order(by: \.rank, .descending).first(1, per: { [$0.deck] })
      let controller = try ResultsController(request, in: store)
      let last = try controller.snapshot.model(at: RowPath(section: 0, row: 0))
      let statements = try store.selects {
        try store.execute("UPDATE \"Card\" SET rank = -1 WHERE id = \(last.id)")
      }
      #expect(controller.strategyCounts.repositioned == 1)
      let snapshot = controller.snapshot
      #expect(try snapshot.models().map(\.id) == store.fetch(request).map(\.id))
      return statements.count
    }

    // A further statement reads the group of the row.
    #expect(Set(counts) == [3], "\(counts)")
  }

  @Test func aRequestWithALargerBatchIsReadInItsBatches() async throws {
    let store = try store(rows: 400)
    let request = Self.all.order(by: \.id)
    let controller = try await ResultsController(request.batchSize(2), in: store)
    let first = controller.snapshot
    try await controller.setRequest(request.order(by: \.title).batchSize(200))
    let large = controller.snapshot
    try await controller.setRequest(request.batchSize(3))

    for (snapshot, batchCount) in [(large, 2), (first, 200)] {
      let statements = try store.selects {
        for row in 0..<400 { _ = try snapshot.model(at: RowPath(section: 0, row: row)) }
      }
      #expect(statements.count <= 3 * batchCount)
    }
  }

  @Test func withoutAnIndexTheNumberOfComparisonsIsLogarithmic() throws {
    let store = try store(rows: 3_000)
    let controller = try ResultsController(
      Self.all.order(by: \.deck).order(by: \.rank), in: store)

    let statements = try store.selects {
      try store.execute("UPDATE \"Card\" SET rank = 77 WHERE id = 3")
    }

    #expect(controller.strategyCounts.repositioned == 1)
    #expect(statements.count <= 2 + 12)
  }

  @Test(.engine(.sqlite)) func anIndexOnAllOrderingsFindsThePosition() throws {
    struct Entry: MappedModel, Equatable {
      var id: Int
      var shelf: String?
      var rank: Int
      static let mapping = Mapping(
        "Entry", Entry.init, .key("id", \.id, .unique), .key("shelf", \.shelf),
        .key("rank", \.rank)
      ).indexed(\.shelf, \.rank)
    }
    let request = ModelRequest<Entry>().order(by: \.shelf).order(by: \.rank)
    let counts = try [30, 3_000].map { count in
      let store = try emptyStore(Entry.self)
      let entries = (1...count).map { Entry(id: $0, shelf: $0 % 3 == 0 ? nil : "a", rank: $0 % 4) }
      try store.write { try $0.save(entries) }
      let controller = try ResultsController(request, in: store)

      // The row is moved among others that only their identities order.
      let statements = try store.selects {
        try store.execute("UPDATE \"Entry\" SET rank = 2 WHERE id = 7")
      }

      let models = try controller.snapshot.models()
      let expected = try store.fetch(request)
      #expect(controller.strategyCounts.repositioned == 1)
      #expect(models == expected)
      return statements.count
    }

    // They read the row, evaluate its values, and find the preceding identity.
    #expect(counts == [3, 3])
  }

  @Test func aChangeOfContentReadsOnlyTheRow() throws {
    let store = try store(rows: 100)
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    let statements = try store.selects {
      try store.execute("UPDATE \"Card\" SET title = 'new' WHERE id = 3")
    }

    #expect(controller.lastTransition.changes.rows.map(\.changedKeys) == [["title"]])
    #expect(statements.count == 1)
  }

  @Test func severalControllersShareTheReadOfWrittenRows() throws {
    let store = try store(rows: 100)
    let controllers = try controllersOfDecks(in: store)

    let statements = try store.selects {
      try store.execute("UPDATE \"Card\" SET title = 'new' WHERE id = 4")
    }

    #expect(statements.count == 1)
    #expect(controllers.map(\.lastTransition.generation) == [0, 0, 0, 0, 1])
  }

  @Test func aRowExcludedByAUUIDOrAnUnsignedIntegerIsNotLookedUp() throws {
    struct Device: MappedModel {
      var id: Int
      var number: Int
      var uuid: UUID
      var size: UInt64
      static let mapping = Mapping(
        "Device", Device.init, .key("id", \.id, .unique), .key("number", \.number),
        .key("uuid", \.uuid), .key("size", \.size))
    }
    let uuid = UUID()
    let all = ModelRequest<Device>()
    let requests = [
      all.filter { $0.number == 1 }, all.filter { $0.uuid == uuid }, all.filter { $0.size == 1 },
    ]
    let counts = try requests.map { request in
      let store = try emptyStore(Device.self)
      try store.write { try $0.save(Device(id: 1, number: 1, uuid: uuid, size: 1)) }
      let controller = try ResultsController(request, in: store)
      func save(_ device: Device) throws { try store.write { _ = try $0.save(device) } }

      let excluded = try store.selects {
        try save(Device(id: 2, number: 2, uuid: UUID(), size: 2))
      }
      #expect(controller.lastTransition.generation == 0)
      try save(Device(id: 3, number: 1, uuid: uuid, size: 1))
      #expect(controller.lastTransition.generation == 1)
      return excluded.count
    }

    // Other integers are an example of values that exclude a row.
    #expect(Set(counts).count == 1, "\(counts)")
  }

  @Test func aRowExcludedByItsValuesIsNotLookedUp() throws {
    let store = try store(rows: 100)
    let controllers = try controllersOfDecks(in: store)
    func counts(of sql: String) throws -> Int {
      try store.selects { try store.execute(sql) }.count
    }

    // In deck 4, then in no deck, then in deck 2.
    #expect(try counts(of: "UPDATE \"Card\" SET rank = -1 WHERE id = 4") > 1)
    #expect(try counts(of: "UPDATE \"Card\" SET deck = NULL WHERE id = 4") == 2)
    #expect(try counts(of: "UPDATE \"Card\" SET rank = -2 WHERE id = 4") == 1)
    #expect(try counts(of: "UPDATE \"Card\" SET deck = 'deck 2' WHERE id = 4") > 1)
    #expect(controllers.map(\.lastTransition.generation) == [0, 0, 1, 0, 2])
  }

  @Test func aDeletedRowThatNoResultContainedIsNotLookedUp() throws {
    let store = try store(rows: 100)
    let controllers = try controllersOfDecks(in: store)

    // The row is in no deck. At most one statement looks for the written row.
    let statements = try store.selects {
      try store.execute("DELETE FROM \"Card\" WHERE id = 3")
    }

    #expect(statements.count <= 1, "\(statements)")
    #expect(controllers.map(\.lastTransition.generation) == [0, 0, 0, 0, 0])
  }

  @Test func aChangeOfAnotherTableRunsNoStatement() throws {
    let store = try store(rows: 100)
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    let statements = try store.selects {
      try store.execute("INSERT INTO \"Shelf\" (id, rank) VALUES (1, 1)")
    }

    #expect(statements == [])
    #expect(controller.lastTransition.generation == 0)
  }

  @Test func aChangeOfManyRowsIsARescan() throws {
    let store = try store(rows: 3_000)
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute("UPDATE \"Card\" SET rank = -rank WHERE id < 190")
    #expect(controller.strategyCounts.repositioned == 1)
    try store.execute("UPDATE \"Card\" SET rank = -rank")

    #expect(controller.strategyCounts.rescanned == 1)
    #expect(
      try Array(controller.snapshot.index.rowIDs)
        == store.fetchIdentities(Self.all.order(by: \.rank)))
  }

  @Test func anEditInAContextReadsALogarithmicNumberOfRows() throws {
    let store = try store(rows: 3_000)
    let context = EditingContext(store)
    let results = try ContextResultsController(Self.all.order(by: \.rank), in: context)
    let row = try context.row(RowIdentity(entity: "Card", stored: 3))
    #expect(try row[\Card.title] == "")

    let moving = try store.selects { try row.set(\Card.rank, to: 77) }
    let editing = try store.selects { try row.set(\Card.title, to: "new") }

    #expect(moving.count <= 1 + 12)
    #expect(editing == [])
    #expect(results.snapshot.generation == 2)
  }
}
