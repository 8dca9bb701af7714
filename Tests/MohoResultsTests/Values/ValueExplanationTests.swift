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

  @Test func theExplanationBeginsWithTheRequest() throws {
    let store = try store()

    let explanation = try store.explain(.count(cards))

    #expect(explanation.request == (try store.explain(cards)))
    #expect(
      explanation.description
        == "\(explanation.request)\ncount: computed from the changed rows")
  }

  @Test func anInvalidQueryIsAnError() throws {
    let store = try store()

    #expect(throws: StoreError.self) {
      try store.explain(.aggregates(cards) { [.sum($0.title)] })
    }
    #expect(throws: StoreError.self) {
      try store.explain(.count(RowRequest("Card").filter { $0["unknown"] == 1 }))
    }
  }

  /// How often rows and values were found in each way: from changed rows, from all rows, and
  /// by statements.
  private func counts(
    after sql: String, following query: ValueQuery<some Sendable>
  ) throws -> [Int] {
    let store = try store()
    let follower = try ValueFollower.following(query, in: store)
    let first = follower.counts
    try store.execute(sql)
    let last = follower.counts
    return [
      last.changedRows - first.changedRows, last.allRows - first.allRows,
      last.statements - first.statements,
    ]
  }

  @Test(arguments: [
    // A value that is not read, and a row that is not in the request.
    (#"UPDATE "Card" SET note = 'new' WHERE id = 7"#, [0, 0, 0], [0, 0, 0], [0, 0, 0]),
    (#"UPDATE "Card" SET title = 'new' WHERE id = 1"#, [0, 0, 0], [0, 0, 0], [1, 0, 0]),
    (#"UPDATE "Card" SET rank = 70 WHERE id = 7"#, [1, 0, 0], [1, 0, 1], [1, 0, 1]),
    (#"UPDATE "Card" SET title = 'new' WHERE id = 7"#, [0, 0, 0], [0, 0, 0], [1, 0, 1]),
    (#"UPDATE "Card" SET rank = 0"#, [0, 1, 0], [0, 1, 1], [0, 1, 1]),
  ])
  func theWaysOfFollowingCommitsAreCounted(
    _ sql: String, _ totals: [Int], _ page: [Int], _ titles: [Int]
  ) throws {
    let sum = ValueQuery.aggregates(cards) { [.sum($0.rank)] }
    let sumOfPage = ValueQuery.aggregates(cards.limit(3)) { [.sum($0.rank)] }

    #expect(try counts(after: sql, following: sum) == totals)
    #expect(try counts(after: sql, following: sumOfPage) == page)
    #expect(try counts(after: sql, following: .values(cards) { [$0.title] }) == titles)
  }
}
