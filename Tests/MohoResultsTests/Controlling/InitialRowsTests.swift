import MohoChanges
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines, .timeLimit(.minutes(20))) struct InitialRowsTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.rank).batchSize(20)

  init() throws {
    store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save((1...500).map { Card(id: $0, deck: "\($0 / 60)", rank: -$0, title: "\($0)") })
    }
  }

  /// Creates a controller that cannot read its remaining rows before a closure returns.
  private func controller(
    _ request: ModelRequest<Card>,
    _ body: (ResultsController<Card>, ResultsSnapshot<Card>) throws -> Void = { _, _ in }
  ) throws -> (ResultsController<Card>, ResultsSnapshot<Card>) {
    // Reading the remaining rows waits for this write access.
    try store.delayingObservers {
      let controller = try ResultsController(request, in: store, startingWith: .firstBatch)
      let snapshot = controller.snapshot
      try body(controller, snapshot)
      return (controller, snapshot)
    }
  }

  @Test func theFirstBatchIsAvailableImmediatelyAndTheRestIsAnUpdate() async throws {
    let (controller, first) = try controller(all) { _, snapshot in
      let models = try snapshot.models()
      #expect(models.map(\.id) == (481...500).reversed())
      #expect(snapshot.count == 20)
      #expect(!snapshot.isComplete)
    }

    var updates = controller.updates(since: first).makeAsyncIterator()
    let update = try await updates.next()

    #expect(update?.after.isComplete == true)
    #expect(update?.after.count == 500)
    #expect(update?.changes.rows.map(\.kind) == Array(repeating: .insert, count: 480))
    #expect(try update?.after.models().map(\.id) == (1...500).reversed())
  }

  @Test func aCommitBeforeTheRestWasReadIsPartOfTheUpdate() async throws {
    let (controller, first) = try controller(all) { _, _ in
      try store.write { writer in
        try writer.save(Card(id: 500, deck: "8", rank: -500, title: "new"))
        try writer.save(Card(id: 499, deck: "8", rank: 0, title: "499"))
      }
    }

    var updates = controller.updates(since: first).makeAsyncIterator()
    let update = try await updates.next()

    #expect(update?.after.count == 500)
    #expect(update?.changes.rows.count == 482)
    #expect(update?.changes.rows.filter { $0.kind == .move }.map(\.rowID) == [499])
    #expect(update?.changes.rows.filter { $0.kind == .update }.map(\.changedKeys) == [["title"]])
  }

  @Test func aResultOfOneBatchIsComplete() throws {
    for request in [all.filter { $0.id <= 20 }, all.batchSize(500), all.filter { $0.id < 0 }] {
      let (_, snapshot) = try controller(request)
      #expect(snapshot.isComplete)
      #expect(snapshot.count == (try store.fetchCount(request)))
    }
  }

  @Test func limitsAndOffsetsApply() async throws {
    let (controller, first) = try controller(all.offset(10).limit(30))
    #expect(first.count == 20)

    var updates = controller.updates(since: first).makeAsyncIterator()
    #expect(try await updates.next()?.after.count == 30)
    #expect(
      try await Array(controller.snapshot.index.rowIDs)
        == store.fetchIdentities(all.offset(10).limit(30))
    )
  }
}
