import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

@testable import MohoResults

/// The number of statements that following a commit with an observed value takes.
@Suite(.allEngines) struct ValueCostTests {
  private func store() throws -> ModelStore {
    let store = try emptyStore(Card.self, Shelf.self)
    try store.write { writer in
      try writer.save(
        (1...1_000).map { Card(id: $0, deck: "deck \($0 % 5)", rank: $0, title: "\($0)") })
      try writer.save(Shelf(id: 1, name: "A", rank: 1))
    }
    return store
  }

  /// The statements that read while a commit is followed.
  private func selects(
    after sql: String, following query: ValueQuery<some Sendable>
  ) throws -> [String] {
    let store = try store()
    let follower = try ValueFollower.following(query, in: store)
    defer { withExtendedLifetime(follower) {} }
    return try store.selects { try store.execute(sql) }
  }

  private let some = ModelRequest<Card>().filter { $0.rank > 500 && $0.deck != nil }

  @Test(arguments: [
    // Another table.
    ("UPDATE \"Shelf\" SET rank = 2", 0),
    // A column that is not read: the row is read to compare its values.
    ("UPDATE \"Card\" SET title = 'new' WHERE id = 700", 1),
    // A row that is counted before and after, one that is inserted, and one that
    // is not counted. The condition is evaluated once.
    ("UPDATE \"Card\" SET rank = 900 WHERE id = 700", 2),
    ("INSERT INTO \"Card\" (id, rank, title) VALUES (-1, 900, '')", 2),
    ("UPDATE \"Card\" SET rank = 3 WHERE id = 1", 2),
    ("UPDATE \"Card\" SET rank = 0 WHERE id BETWEEN 690 AND 710", 2),
    // Many rows: all identities are read again.
    ("UPDATE \"Card\" SET rank = -rank", 2),
  ])
  func aCountIsUpdatedFromTheChangedRows(_ sql: String, _ count: Int) throws {
    let selects = try selects(after: sql, following: .count(some))

    #expect(selects.count == count, "\(selects)")
    #expect(!selects.contains { $0.contains("count(") })
  }

  @Test(arguments: [
    "UPDATE \"Card\" SET deck = 'new' WHERE id = 700",
    "UPDATE \"Card\" SET rank = 1 WHERE id BETWEEN 690 AND 710",
  ])
  func aCountOfFirstRowsIsUpdatedFromTheChangedRows(_ sql: String) throws {
    let selects = try selects(after: sql, following: .count(some.first(2, per: { [$0.deck] })))

    #expect(selects.count == 2, "\(selects)")
    #expect(!selects.contains { $0.contains("count(") || $0.contains("row_number") })
  }

  @Test(arguments: [
    ("UPDATE \"Shelf\" SET rank = 2", false),
    ("UPDATE \"Card\" SET note = 'new' WHERE id = 700", false),
    ("UPDATE \"Card\" SET title = 'new' WHERE id = 7", false),
    ("UPDATE \"Card\" SET rank = 8 WHERE id = 7", false),
    ("UPDATE \"Card\" SET title = 'new' WHERE id = 700", true),
    ("UPDATE \"Card\" SET rank = 1 WHERE id = 700", true),
  ])
  func aValueIsReadIfItMayHaveChanged(_ sql: String, _ isRead: Bool) throws {
    let values = try selects(after: sql, following: .values(some) { [$0.title] })

    #expect(values.contains { $0.contains(" AS g0") } == isRead)
  }

  @Test(arguments: [
    ("UPDATE \"Shelf\" SET rank = 2", [0, 0]),
    ("UPDATE \"Card\" SET note = 'new' WHERE id = 700", [1, 1]),
    ("UPDATE \"Card\" SET title = 'new' WHERE id = 7", [2, 1]),
    ("UPDATE \"Card\" SET title = 'new' WHERE id = 700", [2, 1]),
    ("UPDATE \"Card\" SET rank = 1 WHERE id = 1000", [2, 2]),
    ("UPDATE \"Card\" SET deck = 'new' WHERE id BETWEEN 690 AND 710", [2, 2]),
    ("DELETE FROM \"Card\" WHERE id = 1000", [2, 2]),
    ("INSERT INTO \"Card\" (id, deck, rank, title) VALUES (-1, '', 2000, '')", [2, 2]),
  ])
  func aggregatesAreUpdatedFromTheChangedRows(_ sql: String, _ counts: [Int]) throws {
    let whole = ValueQuery.aggregates(some) {
      [.count, .sum($0.rank), .average($0.rank), .minimum($0.title), .maximum($0.rank)]
    }
    let groups = some.grouped(by: { [$0.deck] }) { [.sum($0.rank)] }
    let longest = groups.having { .sum($0.rank) > 9 }.order { .sum($0.rank) }.limit(2)

    let selects = try [
      selects(after: sql, following: whole), selects(after: sql, following: .groups(groups)),
      selects(after: sql, following: .groups(longest)),
    ]

    #expect(selects.map(\.count) == counts + counts.suffix(1), "\(selects)")
  }

  @Test func aSumIsKnownAgainAfterItHasExceeded64Bits() throws {
    let store = try store()
    let query = ValueQuery.aggregates(ModelRequest<Card>()) { [.count, .sum($0.rank)] }
    let follower = try ValueFollower.following(query, in: store)
    let first = follower.state.value

    try store.execute("UPDATE \"Card\" SET rank = 9223372036854775807 WHERE id IN (1, 2)")
    #expect(follower.delivery.state.withLock { $0.failure } is StoreError)

    try store.execute("UPDATE \"Card\" SET rank = id WHERE id IN (1, 2)")
    #expect(follower.delivery.state.withLock { $0.failure } == nil)
    #expect(follower.state.value == first)
  }

  @Test func aModelIsReadOnlyIfItsRowHasChanged() throws {
    let query = ValueQuery.model(try ModelReference<Card>(key: 7))

    #expect(
      try selects(after: "UPDATE \"Card\" SET note = 'new' WHERE id = 8", following: query).count
        == 1)
    #expect(
      try selects(after: "UPDATE \"Card\" SET note = 'new' WHERE id = 7", following: query).count
        == 2)
  }
}
