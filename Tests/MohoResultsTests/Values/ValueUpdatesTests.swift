import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

@testable import MohoResults

/// Tests of the consumers of observed values.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct ValueUpdatesTests {
  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.id)
  private let birds = ModelRequest<Card>().filter { $0.deck == "birds" }

  init() throws { store = try .cards() }

  private func save(_ cards: Card...) throws { try store.write { try $0.save(cards) } }

  private func delete(_ id: Int) throws {
    _ = try store.write { try $0.delete(ModelRequest<Card>().filter { $0.id == id }) }
  }

  private func owl(_ title: String, rank: Int = 2) -> Card {
    Card(id: 2, deck: "birds", rank: rank, title: title)
  }

  @Test func countsAreDelivered() async throws {
    var counts = store.observe(.count(birds)).makeAsyncIterator()

    #expect(try await counts.next() == 2)
    try save(Card(id: 4, deck: "birds", rank: 4, title: "Jay"))
    #expect(try await counts.next() == 3)
    try save(Card(id: 4, deck: "fish", rank: 4, title: "Eel"))
    #expect(try await counts.next() == 2)
    try delete(1)
    #expect(try await counts.next() == 1)
  }

  @Test func existenceIsDelivered() async throws {
    var exists = store.observe(.exists(birds.filter { $0.rank > 2 })).makeAsyncIterator()

    #expect(try await exists.next() == false)
    try save(owl("Owl", rank: 3))
    #expect(try await exists.next() == true)
  }

  @Test func aModelIsDeliveredByItsKey() async throws {
    let reference = try ModelReference<Card>(key: 2)
    var cards = store.observe(.model(reference)).makeAsyncIterator()

    #expect(try await cards.next() == owl("Owl"))
    try save(owl("Snowy owl"))
    #expect(try await cards.next() == owl("Snowy owl"))
    try delete(2)
    #expect(try await cards.next() == .some(nil))
    try save(owl("Eagle owl"))
    #expect(try await cards.next() == owl("Eagle owl"))
  }

  @Test func theFirstModelDependsOnTheOrder() async throws {
    var first = store.observe(.first(birds.order(by: \.rank, .descending))).makeAsyncIterator()

    #expect(try await first.next()??.title == "Owl")
    try save(Card(id: 1, deck: "birds", rank: 9, title: "Wren"))
    #expect(try await first.next()??.title == "Wren")
  }

  @Test func modelsValuesAndAggregatesAreDelivered() async throws {
    var models = store.observe(.models(birds.order(by: \.rank))).makeAsyncIterator()
    var titles = store.observe(.values(all) { [$0.title] }).makeAsyncIterator()
    var sums = store.observe(.aggregates(birds) { [.sum($0.rank)] }).makeAsyncIterator()
    let decks = ValueQuery.aggregates(all, groupedBy: { [$0.deck] }) { _ in [.count] }
    var groups = store.observe(decks).makeAsyncIterator()
    #expect(try await models.next()?.map(\.id) == [1, 2])
    #expect(
      try await titles.next()?.map(\.values) == ["Wren", "Owl", "Pike"].map { [.string($0)] })
    #expect(try await sums.next()?.values == [.int64(3)])
    #expect(
      try await groups.next()?.map(\.values)
        == [[.string("birds"), .int64(2)], [.string("fish"), .int64(1)]])

    try save(owl("Barn owl", rank: -1), Card(id: 4, deck: "fish", rank: 5, title: "Eel"))

    #expect(try await models.next()?.map(\.id) == [2, 1])
    #expect(
      try await titles.next()?.map(\.values)
        == ["Wren", "Barn owl", "Pike", "Eel"].map { [.string($0)] })
    #expect(try await sums.next()?.values == [.int64(0)])
    #expect(
      try await groups.next()?.map(\.values)
        == [[.string("birds"), .int64(2)], [.string("fish"), .int64(2)]])
  }

  @Test func rowsOfAnEntityAreCountedByName() async throws {
    let rows = RowRequest("Card").filter { $0["rank"] > 1 }
    var counts = store.observe(.count(rows)).makeAsyncIterator()

    #expect(try await counts.next() == 1)
    try save(Card(id: 4, rank: 2, title: ""))
    #expect(try await counts.next() == 2)
  }

  @Test(arguments: [(0, nil), (1, nil), (0, 2), (1, 1), (5, 2), (0, 0)] as [(Int, Int?)])
  func countsHaveTheLimitAndTheOffsetOfTheRequest(_ offset: Int, _ limit: Int?) async throws {
    let request = all.offset(offset).limit(limit)
    for count in 0...4 {
      _ = try await store.write { writer in
        try writer.delete(ModelRequest<Card>())
        try writer.save((0..<count).map { Card(id: $0, rank: 0, title: "") })
      }
      var counts = store.observe(.count(request)).makeAsyncIterator()
      #expect(try await counts.next() == store.fetchCount(request))
    }
  }

  @Test func onlyRealChangesAreDelivered() async throws {
    var counts = store.observe(.count(birds)).makeAsyncIterator()
    var titles = store.observe(.values(birds) { [$0.title] }).makeAsyncIterator()
    _ = try await (counts.next(), titles.next())

    // Another column, another row, the same value, one in and one out.
    try save(owl("Owl", rank: 7))
    try save(Card(id: 3, deck: "fish", rank: 8, title: "Eel"))
    try save(owl("Owl", rank: 7))
    try delete(1)
    try save(Card(id: 5, deck: "birds", rank: 1, title: "Wren"))
    try save(Card(id: 6, deck: "birds", rank: 1, title: "Jay"))

    #expect(try await counts.next() == 3)
    #expect(
      try await titles.next()?.map(\.values) == ["Owl", "Wren", "Jay"].map { [.string($0)] })
  }

  @Test func aSlowConsumerReceivesTheNewestValue() async throws {
    var titles = store.observe(.values(all) { [$0.title] }).makeAsyncIterator()
    var models = store.observe(.model(try ModelReference<Card>(key: 2))).makeAsyncIterator()
    _ = try await (titles.next(), models.next())

    for number in 1...20 { try save(owl("Owl \(number)")) }

    #expect(try await titles.next()?[1].values == [.string("Owl 20")])
    #expect(try await models.next()??.title == "Owl 20")
    // The value has changed back, so the next element is that of the next change.
    try save(owl("other"))
    try save(owl("Owl 20"))
    let delivery = try #require(titles.follower?.delivery)
    let next = Task { [titles, models] in
      var (titles, models) = (titles, models)
      return try await (titles.next()?[1].values, models.next()??.title)
    }
    while delivery.state.withLock({ $0.isIdle }) {
      try Task.checkCancellation()
      await Task.yield()
    }
    try save(owl("last"))
    let last = try await value(of: next)
    #expect(last.0 == [.string("last")])
    #expect(last.1 == "last")
  }

  @Test func aLateConsumerStartsWithTheCurrentValue() async throws {
    let counts = store.observe(.count(all))
    try save(Card(id: 4, rank: 4, title: "Jay"))
    var iterator = counts.makeAsyncIterator()
    try save(Card(id: 5, rank: 5, title: "Eel"))

    #expect(try await iterator.next() == 5)
  }

  @Test func consumersAreIndependent() async throws {
    let counts = store.observe(.count(all))
    var (one, other) = (counts.makeAsyncIterator(), counts.makeAsyncIterator())
    #expect(try await one.next() == 3)
    try delete(1)
    #expect(try await other.next() == 2)
    #expect(try await one.next() == 2)
  }

  @Test func aCanceledIterationEnds() async throws {
    let store = store
    let started = Mutex(false)
    let waiting = Task {
      var received: [Int] = []
      for try await count in store.observe(.count(ModelRequest<Card>())) {
        received.append(count)
        started.withLock { $0 = true }
      }
      return received
    }
    while !started.withLock({ $0 }) { await Task.yield() }
    waiting.cancel()
    let canceled = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.observe(.count(ModelRequest<Card>())).first { _ in true }
    }
    canceled.cancel()

    #expect(try await waiting.value == [3])
    #expect(try await canceled.value == nil)
  }

  @Test func theStoreIsFollowedDuringAnIteration() async throws {
    do {
      var counts = store.observe(.count(all)).makeAsyncIterator()
      #expect(try !store.isObserved)
      _ = try await counts.next()
      #expect(try store.isObserved)
      try delete(1)
      _ = try await counts.next()
    }
    #expect(try !store.isObserved)
  }

  @Test func rolledBackTransactionsAreNotDelivered() async throws {
    struct Undone: Error {}
    var counts = store.observe(.count(all)).makeAsyncIterator()
    _ = try await counts.next()

    await #expect(throws: Undone.self) {
      try await store.write { writer in
        try writer.delete(ModelRequest<Card>())
        throw Undone()
      }
    }
    try delete(1)

    #expect(try await counts.next() == 2)
  }

  @Test func invalidQueriesAreErrorsOfTheIteration() async throws {
    let (limit, order) = (all.limit(-1), RowRequest("Card").order(by: "missing"))
    await #expect(throws: StoreError.self) { try await store.first(.count(limit)) }
    await #expect(throws: StoreError.self) { try await store.first(.count(order)) }
    await #expect(throws: StoreError.self) { try await store.first(.exists(RowRequest("Deck"))) }
    await #expect(throws: StoreError.self) { try await store.first(.values(all) { _ in [] }) }
    await #expect(throws: StoreError.self) {
      try await store.first(.aggregates(all) { [.sum($0.title)] })
    }
    await #expect(throws: StoreError.self) { try await store.first(.models(ModelRequest<Shelf>())) }
  }

  @Test func aValueThatCannotBeReadIsAnErrorUntilItCan() async throws {
    func execute(_ sql: String) throws { try store.execute(sql) }
    var cards = store.observe(.models(all)).makeAsyncIterator()
    var counts = store.observe(.count(all)).makeAsyncIterator()
    _ = try await (cards.next(), counts.next())

    try execute("ALTER TABLE \"Card\" RENAME TO hidden")
    let error = await #expect(throws: StoreError.self) { _ = try await cards.next() }
    await #expect(throws: StoreError.self) { _ = try await counts.next() }
    try execute("DELETE FROM hidden WHERE id = 1")
    try execute("ALTER TABLE hidden RENAME TO \"Card\"")

    #expect(error?.code == .database)
    #expect(try await cards.next()?.map(\.id) == [2, 3])
    #expect(try await counts.next() == 2)
  }
}

extension ModelStore {
  fileprivate func first<Value>(_ query: ValueQuery<Value>) async throws -> Value? {
    var values = observe(query).makeAsyncIterator()
    return try await values.next()
  }
}
