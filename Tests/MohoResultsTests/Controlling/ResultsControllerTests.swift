import Foundation
import MohoChanges
import MohoResults
import MohoRows
import StoreTesting
import Synchronization
import Testing

@Suite(.allEngines, .timeLimit(.minutes(20))) struct ResultsControllerTests {
  private let store: ModelStore

  init() throws {
    store = try .cards()
    try store.write { try $0.save(Card(id: 4, deck: nil, rank: 1, title: "Joker")) }
  }

  private func controller() throws -> ResultsController<Card> {
    try ResultsController(
      ModelRequest<Card>().order(by: \.deck).order(by: \.rank), in: store, sectionedBy: \.deck)
  }

  private func edit(_ id: Int, _ change: (inout Card) -> Void) throws {
    var card = try #require(try store.fetchFirst(ModelRequest<Card>().filter { $0.id == id }))
    change(&card)
    try store.write { try $0.save(card) }
  }

  @Test func sectionsFollowTheSectionKey() throws {
    let snapshot = try controller().snapshot

    #expect(snapshot.sections.map(\.name) == ["", "birds", "fish"])
    #expect(snapshot.sections.map(\.key) == [.null, .text("birds"), .text("fish")])
    #expect(snapshot.sections.map(\.count) == [1, 2, 1])
    #expect(snapshot.sections.map(\.indexTitle) == ["", "B", "F"])
    #expect(snapshot[RowPath(section: 1, row: 1)]?.title == "Owl")
    #expect(try snapshot.models().map(\.id) == [4, 1, 2, 3])
  }

  @Test func anUnsectionedResultHasOneSection() throws {
    let none = ModelRequest<Card>().filter { $0.id > 9 }

    #expect(try ResultsController(none, in: store).snapshot.sections.map(\.count) == [0])
    #expect(
      try ResultsController(none.order(by: \.deck), in: store, sectionedBy: \.deck)
        .snapshot.sections == [])
  }

  @Test func aRowThatMovesAndChangesHasOneRecord() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try edit(1) { card in
      card.rank = 3
      card.title = "Robin"
    }

    let update = try #require(try await updates.next())
    #expect(update.changes.description == "move [1, 0] → [1, 1] changed rank, title")
    #expect(update.before[RowPath(section: 1, row: 1)]?.title == "Owl")
    #expect(update.after[RowPath(section: 1, row: 1)]?.title == "Robin")
  }

  @Test func sectionsAreInsertedAndDeletedWithTheirRows() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try edit(3) { $0.deck = "ants" }

    let update = try #require(try await updates.next())
    #expect(
      update.changes.description == """
        delete section 2 "fish"
        insert section 1 "ants"
        move [2, 0] → [1, 0] changed deck
        """)
  }

  @Test func severalMissedCommitsAreOneUpdate() async throws {
    let controller = try controller()
    let known = controller.snapshot

    try edit(1) { $0.rank = 5 }
    try edit(1) { $0.title = "Robin" }
    try await store.write { try $0.save(Card(id: 5, deck: "fish", rank: 9, title: "Eel")) }
    try await store.write { try $0.delete([Card(id: 5, deck: nil, rank: 0, title: "")]) }

    var updates = controller.updates(since: known).makeAsyncIterator()
    let update = try #require(try await updates.next())
    #expect(update.changes.description == "move [1, 0] → [1, 1] changed rank, title")
    #expect(update.after.generation == known.generation + 4)
  }

  @Test func changesThatCancelOutAreNotReported() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try edit(1) { $0.rank = 5 }
    try edit(1) { $0.rank = 1 }
    try edit(2) { $0.title = "Barn owl" }

    let update = try #require(try await updates.next())
    #expect(update.changes.description == "update [1, 1] → [1, 1] changed title")
  }

  @Test func noUpdateIsEmpty() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    for round in 1...10 {
      try edit(1) { $0.rank = 5 }
      try edit(1) { $0.rank = 1 }
      async let edited: Void = edit(2) { $0.title = "\(round)" }
      let update = try await updates.next()
      try await edited

      #expect(update?.changes.description == "update [1, 1] → [1, 1] changed title")
    }
  }

  @Test func aWriteWithoutEffectProducesNoUpdate() throws {
    let controller = try controller()

    try edit(1) { _ in }
    try store.execute("UPDATE \"Card\" SET rank = rank")

    #expect(controller.snapshot.generation == 0)
  }

  @Test func aWaitingConsumerReceivesAnUpdate() async throws {
    let controller = try controller()
    let updates = controller.updates
    let first = Task { try await updates.first { _ in true }?.changes.description }

    try edit(2) { $0.title = "Barn owl" }

    #expect(try await first.value == "update [1, 1] → [1, 1] changed title")
  }

  @Test func everyConsumerReceivesEveryChange() async throws {
    let controller = try controller()
    let updates = controller.updates
    try edit(2) { $0.title = "Barn owl" }

    for _ in 0..<3 {
      var iterator = updates.makeAsyncIterator()
      #expect(try await iterator.next()?.changes.rows.count == 1)
    }
  }

  @Test func cancellationEndsTheUpdates() async throws {
    let controller = try controller()
    let task = Task {
      var count = 0
      for try await _ in controller.updates { count += 1 }
      return count
    }

    task.cancel()

    #expect(try await value(of: task) == 0)
  }

  @Test func cancellationEndsAWaitForUpdates() async throws {
    let controller = try controller()
    let updates = controller.updates
    try edit(2) { $0.title = "Barn owl" }
    let count = Mutex(0)
    let task = Task {
      for try await _ in updates { count.withLock { $0 += 1 } }
    }
    while count.withLock({ $0 == 0 }) {
      try Task.checkCancellation()
      await Task.yield()
    }

    task.cancel()

    try await value(of: task)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func readingAChangedOrDeletedRowIsAnError() throws {
    let snapshot = try controller().snapshot
    try edit(1) { $0.title = "Robin" }
    try store.write { try $0.delete(ModelRequest<Card>().filter { $0.id == 3 }) }

    let codes = [RowPath(section: 1, row: 0), RowPath(section: 2, row: 0)].map { path in
      #expect(throws: ResultsError.self) { try snapshot.model(at: path) }?.code
    }

    #expect(codes == [.rowChanged, .rowDeleted])
    #expect(snapshot[RowPath(section: 1, row: 0)] == nil)
    #expect(try snapshot.model(at: RowPath(section: 1, row: 1)).title == "Owl")
  }

  @Test func aModelThatWasReadRemainsInItsSnapshot() throws {
    let snapshot = try controller().snapshot
    _ = try snapshot.models()
    try edit(1) { $0.title = "Robin" }

    #expect(try snapshot.models().map(\.title) == ["Joker", "Wren", "Owl", "Pike"])
  }

  @Test(arguments: [
    RowPath(section: 0, row: 1), RowPath(section: 3, row: 0), RowPath(section: -1, row: 0),
    RowPath(section: 0, row: -1), RowPath(section: .max, row: .max),
  ])
  func readingAPathWithoutARowIsAnError(path: RowPath) throws {
    let snapshot = try controller().snapshot

    #expect(
      #expect(throws: ResultsError.self) { try snapshot.model(at: path) }?.code == .rowNotFound)
  }

  @Test func modelsAreReadInBatches() throws {
    try store.write { try $0.save((10..<60).map { Card(id: $0, rank: $0, title: "\($0)") }) }
    let controller = try ResultsController(
      ModelRequest<Card>().order(by: \.rank).batchSize(20), in: store)
    func statements(forRows rows: Range<Int>) throws -> Int {
      try store.statements {
        for row in rows { _ = try controller.snapshot.model(at: RowPath(section: 0, row: row)) }
      }.count
    }

    let first = try statements(forRows: 0..<20)

    #expect(first > 0)
    #expect(try statements(forRows: 20..<54) == first * 2)
  }

  /// The rows of each batch that is read when models are accessed.
  private func batches(of rows: some Sequence<Int>) throws -> [[Int]] {
    try store.write { try $0.save((10..<99).map { Card(id: $0, rank: $0, title: "\($0)") }) }
    let request = ModelRequest<Card>().order(by: \.rank).batchSize(10)
    let controller = try ResultsController(request, in: store)
    let snapshot = controller.snapshot
    var batches: [[Int]] = []
    for row in rows {
      let before = (0..<snapshot.count).filter { isCached($0, in: snapshot) }
      _ = try snapshot.model(at: RowPath(section: 0, row: row))
      let new = (0..<snapshot.count).filter { isCached($0, in: snapshot) && !before.contains($0) }
      if !new.isEmpty { batches.append(new) }
    }
    return batches
  }

  private func isCached(_ row: Int, in snapshot: ResultsSnapshot<Card>) -> Bool {
    snapshot.isModelCached(at: RowPath(section: 0, row: row))
  }

  @Test func batchesFollowTheRowWhenScrollingDown() throws {
    #expect(try batches(of: 25..<45) == [Array(25..<35), Array(35..<45)])
  }

  @Test func batchesPrecedeTheRowWhenScrollingUp() throws {
    let rows = Array((15..<36).reversed())

    #expect(try batches(of: rows) == [Array(35..<45), Array(25..<35), Array(15..<25)])
  }

  @Test func batchesExtendBackwardIfTheFollowingRowsAreCached() throws {
    #expect(
      try batches(of: [40, 34, 33, 0, 90, 82])
        == [
          Array(40..<50), Array(30..<40), Array(0..<10), Array(83..<93), Array(73..<83),
        ])
  }

  @Test func modelsThatWereReadLongAgoAreEvicted() throws {
    try store.write { try $0.save((10..<99).map { Card(id: $0, rank: $0, title: "\($0)") }) }
    let controller = try ResultsController(
      ModelRequest<Card>().order(by: \.rank).batchSize(5), in: store)
    func statements(forRow row: Int) throws -> Int {
      try store.statements {
        _ = try controller.snapshot.model(at: RowPath(section: 0, row: row))
      }.count
    }

    let first = try statements(forRow: 0)
    #expect(try statements(forRow: 1) == 0)
    for row in 5..<90 { _ = try statements(forRow: row) }

    #expect(try statements(forRow: 89) == 0)
    #expect(try statements(forRow: 0) == first)
  }

  @Test func aLargeResultIsReadCompletely() async throws {
    let cards = (1...1_500).map { Card(id: $0, rank: -$0, title: "\($0)") }
    try await store.write { try $0.save(cards) }
    let controller = try await ResultsController(ModelRequest<Card>().order(by: \.rank), in: store)
    var updates = controller.updates.makeAsyncIterator()

    #expect(try controller.snapshot.models() == cards.reversed())
    try store.execute("UPDATE \"Card\" SET title = 'new'")

    let update = try #require(try await updates.next())
    #expect(update.changes.rows.count == 1_500)
    #expect(update.changes.rows.allSatisfy { $0.changedKeys == ["title"] })
    #expect(try update.after.models().allSatisfy { $0.title == "new" })
  }

  @Test(arguments: [
    ModelRequest<Card>(), ModelRequest<Card>().order(by: \.rank).order(by: \.deck),
  ])
  func theSectionKeyMustBeTheFirstOrdering(request: ModelRequest<Card>) {
    let error = #expect(throws: ResultsError.self) {
      try ResultsController(request, in: store, sectionedBy: \.deck)
    }

    #expect(
      error?.description
        == "misordered sections: the section key `deck` is not the first ordering of the request;"
        + " order by `deck` first")
  }

  @Test func iteratingThrowsIfTheStoreCannotBeRead() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()
    try store.execute("ALTER TABLE \"Card\" RENAME TO hidden; UPDATE hidden SET deck = 'x'")

    await #expect(throws: (any Error).self) { try await updates.next() }
  }

  @Test func aReleasedControllerStopsFollowing() throws {
    weak var released: ResultsController<Card>?
    do {
      let controller = try controller()
      released = controller
      try edit(1) { $0.rank = 7 }
    }

    #expect(released == nil)
    try edit(1) { $0.rank = 8 }
  }

  @Test func manyNewRowsOutsideTheResultDoNotAffectIt() throws {
    let controller = try ResultsController(
      ModelRequest<Card>().filter { $0.rank < 100 }.order(by: \.rank), in: store)
    let snapshot = controller.snapshot

    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 90000)
      INSERT INTO "Card" (id, rank, title) SELECT i, i, 'many' FROM n
      """)

    #expect(controller.snapshot.generation == 0)
    #expect(try snapshot.models().count == 4)
  }
}
