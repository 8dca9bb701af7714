import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoResults

@Suite(.allEngines) struct ValueExplanationTests {
  private let cards = ModelRequest<Card>().filter { $0.rank > 2 }

  private func store() throws -> ModelStore {
    let store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save((1...1_000).map { Card(id: $0, deck: "\($0 % 5)", rank: $0, title: "\($0)") })
    }
    return store
  }

  private func parts(
    of query: ValueQuery<some Any>, in store: ModelStore
  ) throws -> [String] {
    try store.explain(query).parts.map(\.description)
  }

  @Test func eachValueHasAStrategy() throws {
    let store = try store()
    let totals = ValueQuery.aggregates(cards) {
      [.count, .sum($0.rank), .distinctCount($0.deck), .average($0.rank), .minimum($0.title)]
    }
    let groups = cards.grouped(by: { [$0.deck] }) { [.maximum($0.rank)] }.limit(3)
    let titles = ValueQuery.values(cards.limit(3)) { [$0.title, $0.rank] }

    #expect(
      try parts(of: .count(cards.limit(3)), in: store) == ["count: computed from the changed rows"])
    #expect(try parts(of: .exists(cards), in: store) == ["count: computed from the changed rows"])
    #expect(
      try parts(of: totals, in: store) == [
        "count: computed from the changed rows", "sum(rank): computed from the changed rows",
        "distinctCount(deck): computed from the changed rows",
        "average(rank): computed from the changed rows",
        "minimum(title): computed from the changed rows, or found among all rows",
      ])
    #expect(
      try parts(of: .groups(groups), in: store) == [
        "maximum(rank): computed from the changed rows, or found among all rows"
      ])
    #expect(try parts(of: titles, in: store) == ["title: read again", "rank: read again"])
    #expect(try parts(of: .first(cards), in: store) == ["Card: read again"])
    #expect(try parts(of: .models(cards), in: store) == ["Card: read again"])
  }

  @Test func aggregatesOfAPageAreReadAgain() throws {
    let store = try store()

    for page in [cards.limit(3), cards.offset(1), cards.first(2, per: { [$0.deck] })] {
      let query = ValueQuery.aggregates(page) { [.count, .maximum($0.rank)] }
      #expect(
        try parts(of: query, in: store) == ["count: read again", "maximum(rank): read again"])
    }
  }

  @Test func theRequestIsThatOfTheRowsThatAreRead() throws {
    let store = try store()
    let page = cards.order(by: \.title).limit(3)
    let count = ValueQuery.count(page)
    let titles = ValueQuery.values(page) { [$0.title] }

    #expect(try store.explain(count).request == store.explain(cards))
    #expect(try store.explain(titles).request == store.explain(page))
    #expect(
      try store.explain(count).description
        == "\(store.explain(cards))\ncount: computed from the changed rows")
  }

  @Test func anInvalidQueryIsAnError() throws {
    let store = try store()
    let rows = RowRequest("Card")
    func code(_ query: ValueQuery<some Any>) -> StoreError.Code? {
      #expect(throws: StoreError.self) { try store.explain(query) }?.code
    }

    #expect(code(.aggregates(cards) { [.sum($0.title)] }) == .invalidRequest)
    #expect(code(.count(rows.filter { $0["unknown"] == 1 })) == .invalidRequest)
    #expect(code(.values(rows) { [$0["unknown"]] }) == .invalidRequest)
  }

  private typealias Update = FollowedRows.UpdateCounts

  /// What following a commit takes.
  private func update(
    after sql: String, following query: ValueQuery<some Sendable>
  ) throws -> Update {
    let store = try store()
    let follower = try ValueFollower.following(query, in: store)
    let first = follower.counts
    try store.execute(sql)
    let last = follower.counts
    return Update(
      incremental: last.incremental - first.incremental, full: last.full - first.full,
      statements: last.statements - first.statements)
  }

  private static let unchanged = Update()

  @Test(arguments: [
    // A value that is not read, and a row that is not in the request.
    (#"UPDATE "Card" SET note = 'new' WHERE id = 7"#, unchanged, unchanged, unchanged),
    (
      #"UPDATE "Card" SET title = 'new' WHERE id = 1"#, unchanged, unchanged, Update(incremental: 1)
    ),
    (
      #"UPDATE "Card" SET rank = 70 WHERE id = 7"#, Update(incremental: 1),
      Update(incremental: 1, statements: 1), Update(incremental: 1, statements: 1)
    ),
    (
      #"UPDATE "Card" SET title = 'new' WHERE id = 7"#, unchanged, unchanged,
      Update(incremental: 1, statements: 1)
    ),
    (
      #"UPDATE "Card" SET rank = 0"#, Update(full: 1), Update(full: 1, statements: 1),
      Update(full: 1, statements: 1)
    ),
  ])
  private func commitsAreFollowedByTheExplainedStrategies(
    _ sql: String, _ totals: Update, _ page: Update, _ titles: Update
  ) throws {
    let store = try store()
    func expect(_ query: ValueQuery<some Sendable>, _ expected: Update) throws {
      #expect(try update(after: sql, following: query) == expected)
      let strategies = try store.explain(query).parts.map(\.strategy)
      #expect(expected.statements == 0 || strategies.contains(.statement))
    }

    try expect(.aggregates(cards) { [.sum($0.rank), .maximum($0.rank)] }, totals)
    try expect(.aggregates(cards.limit(3)) { [.sum($0.rank)] }, page)
    try expect(.values(cards) { [$0.title] }, titles)
  }

  @Test func aSumThatExceeds64BitsIsReadByAStatement() throws {
    let found = try update(
      after: #"UPDATE "Card" SET rank = 9223372036854775807 WHERE id IN (3, 4)"#,
      following: .aggregates(cards) { [.sum($0.rank)] })

    #expect(found == Update(incremental: 1, statements: 1))
  }
}
