import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Lists and values that are observed while their store is closed.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct ClosedStoreTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.id)

  init() throws { store = try .cards() }

  private func saveJay() async throws {
    try await store.write { try $0.save(Card(id: 4, deck: "birds", rank: 4, title: "Jay")) }
  }

  @Test func updatesEndAfterTheLastOne() async throws {
    let controller = try await ResultsController(all, in: store)
    var updates = controller.updates.makeAsyncIterator()

    try await saveJay()
    try await store.close()

    #expect(try await updates.next()?.changes.description == "insert [0, 3]")
    #expect(try await updates.next() == nil)
    #expect(try await updates.next() == nil)
    #expect(controller.snapshot.count == 4)
  }

  @Test func waitingConsumersEnd() async throws {
    let controller = try await ResultsController(all, in: store)
    let consumers = (0..<3).map { _ in
      Task {
        var count = 0
        for try await _ in controller.updates { count += 1 }
        return count
      }
    }
    let values = Task { [store, all] in
      var counts: [Int] = []
      for try await count in store.observe(.count(all)) { counts.append(count) }
      return counts
    }
    for _ in 0..<100 { await Task.yield() }

    try await store.close()

    for consumer in consumers { #expect(try await consumer.value == 0) }
    // The store may have been closed before the value was read.
    do { #expect(try await values.value == [3]) } catch let error as StoreError {
      #expect(error.code == .closed)
    }
  }

  @Test func valuesEndAfterTheLastOne() async throws {
    var counts = store.observe(.count(all)).makeAsyncIterator()
    #expect(try await counts.next() == 3)

    try await saveJay()
    try await store.close()

    #expect(try await counts.next() == 4)
    #expect(try await counts.next() == nil)
  }

  @Test func observingAClosedStoreThrows() async throws {
    try await store.close()

    let list = await #expect(throws: StoreError.self) {
      _ = try await ResultsController(all, in: store)
    }
    let value = await #expect(throws: StoreError.self) {
      for try await _ in store.observe(.count(all)) {}
    }
    #expect(list?.code == .closed)
    #expect(value?.code == .closed)
  }

  @Test func modelsThatWereReadRemainReadable() async throws {
    let controller = try await ResultsController(all, in: store)
    let path = RowPath(section: 0, row: 0)
    let wren = try controller.snapshot.model(at: path)

    try await store.close()

    #expect(try controller.snapshot.model(at: path) == wren)
  }

  @MainActor @Test func observableObjectsRetainTheLastState() async throws {
    let controller = try await ResultsController(all, in: store)
    let results = ObservableResults(controller)
    let value = try await ObservableValue(.count(all), in: store)

    try await store.close()
    for _ in 0..<100 { await Task.yield() }

    #expect(results.snapshot.count == 3)
    #expect(results.error == nil)
    #expect(value.value == 3)
    #expect(value.error == nil)
  }
}
