import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import Observation
import StoreTesting
import Synchronization
import Testing

/// Tests of the objects for views that use Observation.
@MainActor @Suite(.allEngines, .timeLimit(.minutes(20))) struct ObservableTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.rank)

  init() throws { store = try .cards() }

  /// The number of changes that Observation has reported.
  private final class ChangeCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
  }

  /// Counts the changes of the properties that a closure reads.
  private func track(_ read: @escaping @MainActor () -> Void) -> ChangeCount {
    let count = ChangeCount()
    track(read, count)
    return count
  }

  private func track(_ read: @escaping @MainActor () -> Void, _ count: ChangeCount) {
    withObservationTracking {
      read()
    } onChange: {
      count.add()
      Task { @MainActor in track(read, count) }
    }
  }

  private func wait(until condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  /// Saves a card without leaving the main actor.
  private func save(_ card: Card) throws { try store.write { try $0.save(card) } }

  private func execute(_ sql: String) throws { try store.execute(sql) }

  @Test func aChangeOfTheResultNotifiesViewsOnce() async throws {
    let results = ObservableResults(try await ResultsController(all, in: store))
    let changes = track { _ = results.snapshot }

    try await store.write { try $0.save(Card(id: 9, rank: -1, title: "Jay")) }
    await wait { results.snapshot.count == 4 }

    #expect(changes.value == 1)
    #expect(results.snapshot.rows().map { $0.model?.title } == ["Jay", "Wren", "Pike", "Owl"])
    #expect(results.snapshot.rows().map(\.id) == [9, 1, 3, 2])
  }

  @Test func aChangeOfTheValueNotifiesViewsOnce() async throws {
    let card = try await ObservableValue(.model(ModelReference<Card>(key: 2)), in: store)
    let changes = track { _ = card.value }
    #expect(card.value?.title == "Owl")

    try await store.write { try $0.save(Card(id: 2, deck: "birds", rank: 2, title: "Barn owl")) }
    await wait { card.value?.title == "Barn owl" }
    try await store.write { try $0.delete(ModelRequest<Card>()) }
    await wait { card.value == nil }

    #expect(changes.value == 2)
  }

  @Test func commitsThatDoNotChangeTheResultNotifyNoView() async throws {
    let results = ObservableResults(
      try await ResultsController(all.filter { $0.deck == "birds" }, in: store))
    let count = try await ObservableValue(.count(all.filter { $0.rank < 9 }), in: store)
    let changes = track { _ = (results.snapshot, count.value) }
    let errors = track { _ = (results.error == nil, count.error == nil) }

    try await store.write { try $0.save(Card(id: 3, deck: "fish", rank: 0, title: "Eel")) }
    try await store.write { try $0.save(Card(id: 4, deck: "fish", rank: 9, title: "Cod")) }
    #expect(changes.value == 0)

    // The objects process commits in order.
    try await store.write { try $0.save(Card(id: 8, deck: "birds", rank: 4, title: "Jay")) }
    await wait { results.snapshot.count == 3 && count.value == 4 }
    #expect(changes.value >= 1 && changes.value <= 2)
    #expect(errors.value == 0)
  }

  @Test func theClosureAppliesUpdates() async throws {
    var updates: [String] = []
    let results = ObservableResults(try await ResultsController(all, in: store)) {
      update, setSnapshot in
      updates.append("\(update.before.count) \(update.changes)")
      setSnapshot()
      updates.append("\(update.after.count)")
    }
    let count = try await ObservableValue(.count(all), in: store) { newValue, setValue in
      setValue()
      updates.append("count \(newValue)")
    }

    try await store.write { try $0.save(Card(id: 9, rank: -1, title: "Jay")) }
    await wait { results.snapshot.count == 4 && count.value == 4 }

    #expect(updates.sorted() == ["3 insert [0, 0]", "4", "count 4"])
  }

  @Test func anUpdateIsAppliedEvenIfTheClosureDoesNothing() async throws {
    var calls = 0
    let results = ObservableResults(try await ResultsController(all, in: store)) { _, _ in
      calls += 1
    }
    let count = try await ObservableValue(.count(all), in: store) { _, _ in calls += 1 }

    try await store.write { try $0.save(Card(id: 9, rank: -1, title: "Jay")) }
    await wait { results.snapshot.count == 4 && count.value == 4 }

    #expect(calls == 2)
  }

  @Test func aNewRequestIsAnUpdate() async throws {
    let results = ObservableResults(try await ResultsController(all, in: store))

    try await results.controller.setRequest(all.filter { $0.deck == "birds" })
    await wait { results.snapshot.count == 2 }

    #expect(results.snapshot.rows().map { $0.model?.title } == ["Wren", "Owl"])
  }

  @Test func errorsAreReportedUntilTheStoreCanBeRead() async throws {
    let results = ObservableResults(try await ResultsController(all, in: store))
    let count = try await ObservableValue(.count(all), in: store)
    let changes = track { _ = (results.snapshot, count.value) }

    try execute("ALTER TABLE \"Card\" RENAME TO hidden")
    await wait { results.error is StoreError && count.error is StoreError }
    #expect(results.snapshot.count == 3)
    #expect(count.value == 3)
    #expect(changes.value == 0)

    // Several commits that cannot be read.
    try execute("DELETE FROM hidden WHERE id = 1")
    try execute("UPDATE hidden SET rank = rank + 1")
    #expect(results.error is StoreError && count.error is StoreError)

    try execute("ALTER TABLE hidden RENAME TO \"Card\"")
    await wait { results.snapshot.count == 2 && count.value == 2 }
    #expect(results.error == nil)
    #expect(count.error == nil)
  }

  @Test func anErrorEndsEvenIfNothingHasChanged() async throws {
    let empty = all.filter { $0.rank > 100 }
    let results = ObservableResults(try await ResultsController(empty, in: store))
    let count = try await ObservableValue(.count(all), in: store)
    let changes = track { _ = (results.snapshot, count.value) }

    try execute("ALTER TABLE \"Card\" RENAME TO hidden")
    await wait { results.error is StoreError && count.error is StoreError }
    try execute("ALTER TABLE hidden RENAME TO \"Card\"")
    await wait { results.error == nil && count.error == nil }

    #expect(changes.value == 0)
    try await store.write { try $0.save(Card(id: 9, rank: 101, title: "Jay")) }
    await wait { results.snapshot.count == 1 && count.value == 4 }
  }

  @Test func aReleasedObjectNoLongerFollowsTheStore() async throws {
    weak var releasedController: ResultsController<Card>?
    weak var released: ObservableResults<Card>?
    weak var releasedValue: ObservableValue<Int>?
    var updateCount = 0
    do {
      let controller = try await ResultsController(all, in: store)
      let results = ObservableResults(controller) { _, _ in updateCount += 1 }
      let count = try await ObservableValue(.count(all), in: store) { _, _ in updateCount += 1 }
      (releasedController, released, releasedValue) = (controller, results, count)
      try await store.write { try $0.save(Card(id: 9, rank: -1, title: "Jay")) }
      await wait { results.snapshot.count == 4 && count.value == 4 }
      try save(Card(id: 10, rank: 10, title: "Kite"))
    }
    #expect(released == nil)
    #expect(releasedValue == nil)

    // The last commit has not been delivered: the main actor was not free.
    await wait { releasedController == nil }
    #expect(updateCount == 2)
  }

  @Test func aReleasedObjectDoesNotWaitForAnotherCommit() async throws {
    weak var released: ResultsController<Card>?
    do {
      let controller = try await ResultsController(all, in: store)
      let results = ObservableResults(controller)
      released = controller
      try await store.write { try $0.save(Card(id: 9, rank: -1, title: "Jay")) }
      await wait { results.snapshot.count == 4 }
    }

    await wait { released == nil }
  }

  @Test func anInvalidQueryIsAnError() async throws {
    await #expect(throws: StoreError.self) {
      _ = try await ObservableValue(.count(all.limit(-1)), in: store)
    }
  }

  @Test func aValueCanBeReadWithoutAwaiting() throws {
    func open() throws -> ObservableValue<Int> { try ObservableValue(.count(all), in: store) }
    #expect(try open().value == 3)
  }
}
