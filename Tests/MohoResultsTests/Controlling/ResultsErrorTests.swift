import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines, .timeLimit(.minutes(20))) struct ResultsErrorTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.rank)

  init() throws {
    store = try emptyStore(Card.self, Photo.self)
    try store.write { writer in
      try writer.save((1...4).map { Card(id: $0, rank: $0, title: "\($0)") })
      try writer.save([Photo(id: 1, digest: Data([1])), Photo(id: 2, digest: Data([2]))])
    }
  }

  private func execute(_ sql: String) throws {
    try store.execute(sql)
  }

  @Test func aResultRecoversWhenItsStoreCanBeReadAgain() async throws {
    let controller = try await ResultsController(all, in: store)
    let known = controller.snapshot
    var updates = controller.updates(since: known).makeAsyncIterator()

    try execute("ALTER TABLE \"Card\" RENAME TO hidden")
    try execute("UPDATE hidden SET title = 'unseen', rank = 9 WHERE id = 2")
    let error = await #expect(throws: StoreError.self) { try await updates.next() }
    try execute("ALTER TABLE hidden RENAME TO \"Card\"")

    #expect(error?.code == .database)
    #expect(try await controller.snapshot.models() == store.fetch(all))
    updates = controller.updates(since: known).makeAsyncIterator()
    #expect(
      try await updates.next()?.changes.description == """
        update [0, 0] → [0, 0] changed id, deck, rank, title, note
        update [0, 2] → [0, 1] changed id, deck, rank, title, note
        update [0, 3] → [0, 2] changed id, deck, rank, title, note
        move [0, 1] → [0, 3] changed id, deck, rank, title, note
        """)
  }

  @Test func aResultRecoversEvenIfNothingChanged() async throws {
    let controller = try await ResultsController(all, in: store)

    for round in 1...10 {
      try execute("ALTER TABLE \"Card\" RENAME TO hidden")
      await #expect(throws: StoreError.self) { try await controller.updates.first { _ in true } }
      try execute("ALTER TABLE hidden RENAME TO \"Card\"")

      let updates = controller.updates
      async let edited: Void = execute("UPDATE \"Card\" SET title = 'new \(round)' WHERE id = 1")
      let update = try await updates.first { _ in true }
      try await edited
      #expect(update?.changes.description == "update [0, 0] → [0, 0] changed title")
    }
  }

  @Test func anErrorOfOneResultDoesNotAffectOthers() async throws {
    let photos = try await ResultsController(
      ModelRequest<Photo>().order(by: \.digest), in: store)
    let cards = try await ResultsController(all, in: store)

    try execute("ALTER TABLE \"Photo\" RENAME TO hidden")
    var updates = cards.updates.makeAsyncIterator()
    try await store.write { try $0.save(Card(id: 1, rank: 1, title: "new")) }

    #expect(
      try await updates.next()?.changes.description == "update [0, 0] → [0, 0] changed title")
    await #expect(throws: StoreError.self) { try await photos.updates.first { _ in true } }
  }

  @Test func sectionsOfBinaryValuesAreRejected() throws {
    let error = #expect(throws: ResultsError.self) {
      try ResultsController(
        ModelRequest<Photo>().order(by: \.digest), in: store, sectionedBy: \.digest)
    }

    #expect(error?.code == .invalidSectionKey)
  }

  @Test func sectionsCompareDecimalsByTheirValue() async throws {
    let store = try emptyStore(Priced.self)
    try await store.write { try $0.save([Priced(id: 1, price: 2), Priced(id: 2, price: 3)]) }
    try store.execute("UPDATE \"Priced\" SET price = '2.0' WHERE id = 2")
    let request = ModelRequest<Priced>().order(by: \.price)

    let controller = try await ResultsController(request, in: store, sectionedBy: \.price)
    #expect(controller.snapshot.sections.map(\.key) == [.text("2")])
    for (price, counts) in [("'2.00'", [2]), ("'3.0'", [1, 1]), ("'2.000'", [2])] {
      try store.execute("UPDATE \"Priced\" SET price = \(price) WHERE id = 1")
      #expect(controller.snapshot.sections.map(\.count) == counts)
      let again = try await ResultsController(request, in: store, sectionedBy: \.price)
      #expect(again.snapshot.sections == controller.snapshot.sections)
    }
  }

  @Test func sectionsAreComputedOnce() throws {
    let controller = try ResultsController(
      ModelRequest<Card>().order(by: \.deck), in: store, sectionedBy: \.deck)
    let snapshot = controller.snapshot

    let addresses = (0..<3).map { _ in
      snapshot.sections.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    #expect(!snapshot.sections.isEmpty)
    #expect(Set(addresses).count == 1)
  }

  @Test func sectionsCompareTextByItsBytes() throws {
    let decks = ["e\u{301}\u{323}", "e\u{323}\u{301}", "f", "\u{1eb9}\u{301}"]
    try store.write { writer in
      try writer.delete(all)
      try writer.save(
        decks.enumerated().map { Card(id: $0 + 1, deck: $1, rank: 0, title: "") })
    }

    let controller = try ResultsController(
      ModelRequest<Card>().order(by: \.deck), in: store, sectionedBy: \.deck)

    #expect(controller.snapshot.sections.map(\.count) == [1, 1, 1, 1])
    #expect(
      controller.snapshot.sections.map(\.key)
        == decks.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .text($0) })
  }

  @Test func updatesSinceASnapshotOfAnotherControllerAreRejected() async throws {
    let controller = try await ResultsController(all, in: store)
    let other = try await ResultsController(all.limit(2), in: store)
    var updates = controller.updates(since: other.snapshot).makeAsyncIterator()
    try await store.write { try $0.save(Card(id: 9, rank: 9, title: "")) }

    let error = await #expect(throws: ResultsError.self) { try await updates.next() }

    #expect(error?.code == .foreignSnapshot)
  }

  @Test func aRowThatCannotBeDecodedLeavesItsBatchReadable() throws {
    let controller = try ResultsController(ModelRequest<Photo>().order(by: \.id), in: store)
    try execute("UPDATE \"Photo\" SET kind = 'x' WHERE id = 2")

    let snapshot = controller.snapshot

    #expect(try snapshot.model(at: RowPath(section: 0, row: 0)).id == 1)
    let path = RowPath(section: 0, row: 1)
    let one = #expect(throws: MappingError.self) { try snapshot.model(at: path) }
    let all = #expect(throws: MappingError.self) { try snapshot.models() }
    #expect([one?.row, all?.row] == ["`Photo` 2", "`Photo` 2"])
    #expect(snapshot[path] == nil)
  }

  @Test func aRowThatCannotBeDecodedIsReportedWithTheModelsOfTheOthers() throws {
    let controller = try ResultsController(ModelRequest<Photo>().order(by: \.id), in: store)
    let count = controller.snapshot.count
    try execute("UPDATE \"Photo\" SET kind = 'x' WHERE id = 2")

    let result = try controller.snapshot.lossyModels()

    #expect(result.failures.map(\.identity) == [RowIdentity(entity: "Photo", stored: 2)])
    #expect(result.models.count == count - 1)
    #expect(result.identities.count == count - 1)
  }

  @Test(arguments: [Int.min, 0, .max])
  func anyBatchSizeIsAccepted(size: Int) throws {
    let controller = try ResultsController(all.batchSize(size), in: store)

    let titles = try (0..<4).map {
      try controller.snapshot.model(at: RowPath(section: 0, row: $0)).title
    }

    #expect(titles == ["1", "2", "3", "4"])
  }

  @Test func aControllerCanBeCreatedInsideAReadButNotInsideAWrite() throws {
    let controller = try store.read { _ in try ResultsController(all, in: store) }

    let error = #expect(throws: StoreError.self) {
      try store.write { _ in _ = try ResultsController(all, in: store) }
    }

    #expect(error?.code == .invalidRequest)
    try store.write { try $0.save(Card(id: 1, rank: 7, title: "1")) }
    #expect(try controller.snapshot.models().map(\.id) == [2, 3, 4, 1])
  }

  @Test func aSnapshotInsideAWriteHasTheStateBefore() throws {
    let controller = try ResultsController(all, in: store)
    struct Refusal: Error {}

    try? store.write { writer in
      try writer.save(Card(id: 1, rank: 9, title: "new"))
      #expect(controller.snapshot.generation == 0)
      #expect(throws: ResultsError.self) { try controller.snapshot.models() }
      #expect(try controller.snapshot.model(at: RowPath(section: 0, row: 1)).title == "2")
      throw Refusal()
    }

    #expect(try controller.snapshot.models().map(\.title) == ["1", "2", "3", "4"])
  }

  @Test func aConsumerMayWrite() async throws {
    let controller = try await ResultsController(all, in: store)
    let known = controller.snapshot
    try await store.write { try $0.save(Card(id: 1, rank: 0, title: "0")) }

    let consumer = Task { [store] in
      for try await update in controller.updates(since: known) {
        var card = try #require(update.after[RowPath(section: 0, row: 0)])
        guard card.title.count < 5 else { break }
        card.title += "0"
        let longer = card
        try await store.write { try $0.save(longer) }
      }
    }

    try await value(of: consumer)
    #expect(try controller.snapshot.models()[0].title == "00000")
  }
}

struct Photo: MappedModel, Equatable {
  enum Kind: String, FieldValue, CaseIterable { case raw, edited }

  var id: Int
  var digest: Data
  var kind = Kind.raw

  static let mapping = Mapping(
    "Photo", Photo.init,
    .key("id", \.id, .unique), .key("digest", \.digest), .key("kind", \.kind))
}

private struct Priced: MappedModel {
  var id: Int
  var price: Decimal
  static let mapping = Mapping(
    "Priced", Priced.init, .key("id", \.id, .unique), .key("price", \.price))
}
