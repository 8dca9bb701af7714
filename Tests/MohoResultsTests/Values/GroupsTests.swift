import MohoChanges
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

@testable import MohoResults

/// Groups that are followed from commit to commit, and their changes.
@Suite(.allEngines) struct GroupsTests {
  private let store: ModelStore
  private let decks = ModelRequest<Card>().grouped(by: { [$0.deck] }) { [.count, .sum($0.rank)] }

  init() throws { store = try .cards() }

  private func save(_ cards: Card...) throws { try store.write { try $0.save(cards) } }

  private func card(_ id: Int, _ deck: String?, rank: Int) -> Card {
    Card(id: id, deck: deck, rank: rank, title: "\(id)")
  }

  private func delete(_ id: Int) throws {
    _ = try store.write { try $0.delete(ModelRequest<Card>().filter { $0.id == id }) }
  }

  private func follow(
    _ request: GroupRequest<ModelRequest<Card>>
  ) throws -> ValueFollower<GroupsSnapshot> {
    try .following(.groups(request), in: store)
  }

  /// The changes that a closure causes, and the texts of the groups after it.
  private func changes(
    of request: GroupRequest<ModelRequest<Card>>, _ body: () throws -> Void
  ) throws -> (changes: String, groups: [String]) {
    let follower = try follow(request)
    let before = follower.state.value
    try body()
    let after = follower.state.value
    return (try after.changes(since: before).description, after.map { "\($0.values)" })
  }

  @Test func aGroupIsInsertedWithItsFirstRowAndDeletedWithItsLast() throws {
    let born = try changes(of: decks) { try save(card(4, "cats", rank: 5)) }
    #expect(born.changes == "insert [0, 1]")
    #expect(
      born.groups == [
        "deck: \"birds\", count: 2, sum(rank): 3", "deck: \"cats\", count: 1, sum(rank): 5",
        "deck: \"fish\", count: 1, sum(rank): 1",
      ])

    let gone = try changes(of: decks) { try delete(3) }
    #expect(gone.changes == "delete [0, 2]")
  }

  @Test func aGroupThatMovesAndChangesHasOneRecord() throws {
    let request = decks.order(.descending) { .sum($0.rank) }

    let moved = try changes(of: request) { try save(card(3, "fish", rank: 9)) }
    #expect(moved.changes == "move [0, 1] → [0, 0] changed sum(rank)")

    let changed = try changes(of: request) { try save(card(3, "fish", rank: 8)) }
    #expect(changed.changes == "update [0, 0] → [0, 0] changed sum(rank)")
  }

  @Test func theOnlyRowOfAGroupThatChangesItsKeyIsAnotherGroup() throws {
    let result = try changes(of: decks) { try save(card(3, "ants", rank: 1)) }

    #expect(result.changes == "delete [0, 1]\ninsert [0, 0]")
  }

  @Test func aRowThatChangesItsKeyChangesBothGroups() throws {
    let result = try changes(of: decks) { try save(card(2, "fish", rank: 2)) }

    #expect(
      result.changes == """
        update [0, 0] → [0, 0] changed count, sum(rank)
        update [0, 1] → [0, 1] changed count, sum(rank)
        """)
  }

  @Test func groupsThatStartToMeetTheConditionsAreInserted() throws {
    let request = decks.having { _ in .count > 1 }

    let entered = try changes(of: request) { try save(card(4, "fish", rank: 0)) }
    #expect(entered.changes == "insert [0, 1]")
    let left = try changes(of: request) { try delete(1) }
    #expect(left.changes == "delete [0, 0]")
  }

  @Test func groupsCrossTheLimit() throws {
    let request = decks.order(.descending) { .sum($0.rank) }.limit(1)

    let pushed = try changes(of: request) { try save(card(3, "fish", rank: 9)) }
    #expect(pushed.changes == "delete [0, 0]\ninsert [0, 0]")
    let refilled = try changes(of: request) { try delete(3) }
    #expect(refilled.changes == "delete [0, 0]\ninsert [0, 0]")
    #expect(refilled.groups == ["deck: \"birds\", count: 2, sum(rank): 3"])
  }

  @Test func changesOutsideOfTheLimitAreNotDelivered() throws {
    let follower = try follow(decks.order(.descending) { .sum($0.rank) }.limit(1))

    try save(card(4, "fish", rank: 0), card(5, nil, rank: -7))

    #expect(follower.state.generation == 0)
  }

  @Test func groupsAreThoseOfKeysWithDifferentBytes() throws {
    let names = ["a", "A", "é", "e\u{301}", "", nil]
    try save(
      card(1, nil, rank: 0), card(2, nil, rank: 0), card(3, nil, rank: 0),
      card(4, "b", rank: 1))
    let result = try changes(of: decks) {
      for (index, name) in names.enumerated() { try save(card(10 + index, name, rank: 1)) }
    }

    #expect(
      result.groups == [
        "deck: null, count: 4, sum(rank): 1", "deck: \"\", count: 1, sum(rank): 1",
        "deck: \"A\", count: 1, sum(rank): 1", "deck: \"a\", count: 1, sum(rank): 1",
        "deck: \"b\", count: 1, sum(rank): 1", "deck: \"e\u{301}\", count: 1, sum(rank): 1",
        "deck: \"é\", count: 1, sum(rank): 1",
      ])
    #expect(try store.fetchGroups(decks).map { "\($0)" } == result.groups)
  }

  @Test func groupsOfEqualOrderAreSortedByTheirKeys() throws {
    try save(card(4, "ants", rank: 3), card(5, nil, rank: 3))
    let follower = try follow(decks.order(.descending) { .sum($0.rank) })

    #expect(
      follower.state.value.map { $0.values.values[0] }
        == [.null, .string("ants"), .string("birds"), .string("fish")])
  }

  @Test func extremesThatLeaveAreReplaced() throws {
    let request = ModelRequest<Card>()
      .grouped(by: { [$0.deck] }) { [.minimum($0.rank), .maximum($0.title)] }
      .order(.descending) { .minimum($0.rank) }
    let result = try changes(of: request) { try delete(1) }

    #expect(
      result.groups == [
        "deck: \"birds\", minimum(rank): 2, maximum(title): \"Owl\"",
        "deck: \"fish\", minimum(rank): 1, maximum(title): \"Pike\"",
      ])
    #expect(result.changes == "update [0, 0] → [0, 0] changed minimum(rank), maximum(title)")
  }

  @Test func aSlowConsumerReceivesOneChangeSet() async throws {
    var iterator = store.observe(.groups(decks)).makeAsyncIterator()
    let first = try #require(try await iterator.next())

    for rank in 1...300 { try save(card(3, "fish", rank: rank), card(4, "cats", rank: rank)) }
    try delete(4)

    let last = try #require(try await iterator.next())
    #expect(
      try last.changes(since: first).description
        == "update [0, 1] → [0, 1] changed sum(rank)")
    // The group has changed back, so nothing is delivered before the next change.
    try save(card(3, "fish", rank: 1))
    try save(card(3, "fish", rank: 300))
    try save(card(3, "fish", rank: 7))
    #expect(try await iterator.next()?.last?.values["sum(rank)"] == .int64(7))
  }

  @Test func groupsThatChangedBackAreEqualToTheEarlierOnes() throws {
    let follower = try follow(decks)
    let before = follower.state.value

    try save(card(3, "fish", rank: 9))
    #expect(!follower.state.value.isEqual(to: before))
    try save(card(3, "fish", rank: 1))
    #expect(follower.state.value.isEqual(to: before))
  }

  @Test func aGroupThatReturnsIsAnotherGroup() throws {
    let follower = try follow(decks)
    let before = follower.state.value
    try delete(3)
    try save(card(3, "ants", rank: 1))
    try save(card(4, "fish", rank: 1))
    let after = follower.state.value

    #expect(
      try after.changes(since: before).description
        == "delete [0, 1]\ninsert [0, 0]\ninsert [0, 2]")
    #expect(Set(after.map(\.id)).intersection(before.map(\.id)).count == 1)
  }

  @Test func aGroupThatReturnsInTheSameCommitIsTheSameGroup() throws {
    let result = try changes(of: decks) {
      try store.write { writer in
        try writer.delete(ModelRequest<Card>())
        try writer.save([card(1, "birds", rank: 3), card(2, "birds", rank: 0)])
      }
    }

    #expect(result.changes == "delete [0, 1]")
  }

  @Test func groupsAreTheSameAfterAllRowsWereReadAgain() throws {
    try save((10..<400).map { card($0, "deck \($0 % 4)", rank: 1) })
    let result = try changes(of: decks) {
      try store.execute("UPDATE \"Card\" SET rank = 2 WHERE id >= 10")
    }

    #expect(
      result.changes
        == (1...4).map { "update [0, \($0)] → [0, \($0)] changed sum(rank)" }
        .joined(separator: "\n"))
  }

  private func save(_ cards: [Card]) throws { try store.write { try $0.save(cards) } }

  @Test func groupsOfAPageAreFollowed() throws {
    let request = ModelRequest<Card>().order(by: \.rank, .descending).limit(2)
      .grouped(by: { [$0.deck] }) { [.count, .sum($0.rank)] }
      .order(.descending) { _ in .count }
    let result = try changes(of: request) { try save(card(1, "birds", rank: 7)) }
    #expect(result.groups == ["deck: \"birds\", count: 2, sum(rank): 9"])

    let other = try changes(of: request) { try save(card(3, "fish", rank: 8)) }
    #expect(
      other.groups == [
        "deck: \"birds\", count: 1, sum(rank): 7", "deck: \"fish\", count: 1, sum(rank): 8",
      ])
    #expect(
      other.changes == "update [0, 0] → [0, 0] changed count, sum(rank)\ninsert [0, 1]")
  }

  @Test func aGroupThatReturnsToAPageIsAnotherGroup() throws {
    let request = ModelRequest<Card>().order(by: \.rank, .descending).limit(1)
      .grouped(by: { [$0.deck] }) { _ in [.count] }
    let follower = try follow(request)
    let before = follower.state.value.map(\.id)

    try save(card(4, "cats", rank: 9))
    #expect(follower.state.value.map(\.values) != [])
    try delete(4)

    #expect(follower.state.value.count == 1)
    #expect(follower.state.value.map(\.id) != before)
  }

  @Test func groupsAreTheSameAfterASumHasExceeded64Bits() throws {
    let follower = try follow(decks.order(.descending) { .sum($0.rank) })
    let before = follower.state.value

    try store.execute("UPDATE \"Card\" SET rank = 9223372036854775807 WHERE id IN (1, 2)")
    #expect(follower.delivery.state.withLock { $0.failure } is StoreError)
    try store.execute("UPDATE \"Card\" SET rank = 0 WHERE id = 2")

    let after = follower.state.value
    #expect(
      try after.changes(since: before).description
        == "update [0, 0] → [0, 0] changed sum(rank)")
    #expect(after.first?.values["sum(rank)"] == .int64(.max))
  }

  @Test func allRowsAreAGroupWithoutKeys() throws {
    let all = ModelRequest<Card>().grouped(by: { _ in [] }) { [.count, .sum($0.rank)] }
    let result = try changes(of: all) {
      _ = try store.write { try $0.delete(ModelRequest<Card>()) }
    }

    #expect(result.changes == "update [0, 0] → [0, 0] changed count, sum(rank)")
    #expect(result.groups == ["count: 0, sum(rank): null"])
  }

  @Test func zerosOfBothSignsAreOneGroup() throws {
    let store = try emptyStore(Reading.self)
    try store.write { try $0.save([1, 2, 3].map { Reading(id: $0, level: Double($0 - 1)) }) }
    let levels = ModelRequest<Reading>()
      .grouped(by: { [$0.level] }) { [.count, .minimum($0.level)] }
    let follower = try ValueFollower.following(.groups(levels), in: store)

    try store.execute("UPDATE \"Reading\" SET level = -0.0 WHERE id = 2")

    #expect(
      follower.state.value.map(\.values.values)
        == [[.double(0), .int64(2), .double(0)], [.double(2), .int64(1), .double(2)]])
  }

  private struct Reading: MappedModel {
    var id: Int
    var level: Double

    static let mapping = Mapping(
      "Reading", Reading.init, .key("id", \.id, .unique), .key("level", \.level))
  }

  @Test func aSnapshotOfAnotherIterationIsAnError() throws {
    let (one, other) = try (follow(decks).state.value, follow(decks).state.value)

    let error = #expect(throws: ResultsError.self) { try one.changes(since: other) }
    #expect(error?.code == .foreignSnapshot)
    #expect(try one.changes(since: GroupsSnapshot()).description == "insert [0, 0]\ninsert [0, 1]")
  }

  @Test func groupsHavePathsAndIdentities() throws {
    let groups = try follow(decks).state.value

    #expect(groups.count == 2)
    #expect(groups[RowPath(section: 0, row: 1)] == groups[1])
    #expect(groups[RowPath(section: 0, row: 2)] == nil)
    #expect(groups.index.rowIDs.elementsEqual(groups.map(\.id)))
  }
}
