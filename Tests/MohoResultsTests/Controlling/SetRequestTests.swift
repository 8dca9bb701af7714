import MohoChanges
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines, .timeLimit(.minutes(20))) struct SetRequestTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>()

  init() throws { store = try .cards(rankOfPike: 3) }

  @Test func aNewRequestIsAnUpdate() async throws {
    let controller = try await ResultsController(all.order(by: \.rank), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try await controller.setRequest(all.filter { $0.rank != 2 }.order(by: \.rank, .descending))

    #expect(
      try await updates.next()?.changes.description == """
        delete [0, 1]
        move [0, 2] → [0, 0]
        """)
    #expect(try controller.snapshot.models().map(\.id) == [3, 1])
  }

  @Test func commitsAreFollowedWithTheNewRequest() async throws {
    let controller = try await ResultsController(all.filter { $0.rank > 9 }, in: store)
    try await controller.setRequest(all.order(by: \.deck).order(by: \.rank), sectionedBy: \.deck)
    var updates = controller.updates.makeAsyncIterator()

    try await store.write { try $0.save(Card(id: 3, deck: "birds", rank: 0, title: "Jay")) }

    #expect(
      try await updates.next()?.changes.description == """
        delete section 1 "fish"
        move [1, 0] → [0, 0] changed deck, rank, title
        """)
  }

  @Test func aRequestInsertsAndDeletesSections() async throws {
    let controller = try await ResultsController(all.order(by: \.deck), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try await controller.setRequest(all.order(by: \.deck), sectionedBy: \.deck)
    let update = try await updates.next()

    #expect(update?.before.sections.map(\.count) == [3])
    #expect(update?.after.sections.map(\.count) == [2, 1])
    #expect(update?.changes.rows.count == 3)
  }

  @Test func aSlowConsumerReceivesOneUpdateAcrossARequestChange() async throws {
    let controller = try await ResultsController(all.order(by: \.rank), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try await store.write { try $0.save(Card(id: 1, deck: "birds", rank: 1, title: "Robin")) }
    try await controller.setRequest(all.order(by: \.rank, .descending))
    try await store.write { try $0.save(Card(id: 2, deck: "birds", rank: 2, title: "Jay")) }

    let update = try await updates.next()
    #expect(update?.changes.rows.count(where: \.isMove) == 2)
    #expect(
      update?.changes.rows.filter { !$0.changedKeys.isEmpty }.map(\.rowID).sorted() == [1, 2])
    #expect(try update?.after.models().map(\.id) == [3, 2, 1])
  }

  @Test func rowsOrderedByTheirIDAreInsertedInOrder() async throws {
    let controller = try await ResultsController(all.order(by: \.id), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try await store.write { try $0.save(Card(id: 4, deck: "fish", rank: 0, title: "Eel")) }

    #expect(try await updates.next()?.changes.description == "insert [0, 3]")
  }

  @Test func anEquivalentRequestProducesNoUpdate() throws {
    let controller = try ResultsController(all.order(by: \.rank), in: store)

    try controller.setRequest(all.order(by: \.rank).batchSize(7))

    #expect(controller.snapshot.generation == 0)
  }

  @Test func aRejectedRequestLeavesThePreviousOneInEffect() throws {
    let controller = try ResultsController(all.order(by: \.rank), in: store)

    #expect(throws: ResultsError.self) {
      try controller.setRequest(all.order(by: \.rank), sectionedBy: \.deck)
    }
    #expect(throws: StoreError.self) { try controller.setRequest(all.limit(-1)) }

    try store.write { try $0.save(Card(id: 3, deck: "birds", rank: 0, title: "Jay")) }
    #expect(try controller.snapshot.models().map(\.id) == [3, 1, 2])
  }

  @Test func calculatedValuesFormSections() throws {
    let request = all.order { $0.rank / 2 }.order(by: \.title)
    let controller = try ResultsController(request, in: store, sectionedBy: { $0.rank / 2 })

    #expect(controller.snapshot.sections.map(\.name) == ["0", "1"])
    #expect(try controller.snapshot.models().map(\.id) == [1, 2, 3])
  }

  @Test func eachRunOfSectionsHasAnIndexTitle() throws {
    try store.write { writer in
      try writer.save(Card(id: 4, deck: "bees", rank: 3, title: ""))
      try writer.save(Card(id: 5, deck: nil, rank: 3, title: ""))
    }
    let snapshot = try ResultsController(
      all.order(by: \.deck), in: store, sectionedBy: \.deck
    ).snapshot

    #expect(snapshot.indexTitles().map(\.title) == ["B", "F"])
    #expect(snapshot.indexTitles().map(\.section) == [1, 3])
    #expect(snapshot.indexTitles { "\($0.count)" }.map(\.title) == ["1", "2", "1"])
  }
}
