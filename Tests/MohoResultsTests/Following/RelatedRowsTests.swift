import GRDB
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import Testing

@Suite struct RelatedRowsTests {
  private let store: ModelStore

  init() throws {
    store = try ModelStore(inMemory: Leaf.self, Branch.self)
    try execute(
      """
      INSERT INTO Branch (id, rank) VALUES (1, 1), (2, 2), (3, 3);
      INSERT INTO Leaf (id, color, branch) VALUES (1, 'green', 1), (2, 'red', 2), (3, 'red', 3);
      """)
  }

  private func execute(_ sql: String) throws {
    try store.writer.write { try $0.execute(sql: sql) }
  }

  private func rows(_ controller: ResultsController<Leaf>) -> [Int64] {
    Array(controller.snapshot.index.rowIDs)
  }

  @Test func aChangedRelatedRowUpdatesFilterAndOrder() throws {
    let controller = try ResultsController(
      ModelRequest<Leaf>().filter { $0.branch.rank > 1 }.order(.descending) { $0.branch.rank },
      in: store)
    #expect(rows(controller) == [3, 2])

    try execute("UPDATE Branch SET rank = 9 WHERE id = 1")
    #expect(rows(controller) == [1, 3, 2])

    try execute("DELETE FROM Branch WHERE id = 3")
    #expect(rows(controller) == [1, 2])
  }

  @Test func aNewLinkUpdatesTheFilter() throws {
    let controller = try ResultsController(
      ModelRequest<Leaf>().filter { $0.friends.any { $0.rank == 3 } }, in: store)
    #expect(rows(controller) == [])

    try execute("INSERT INTO _moho_Leaf_friends (source, target) VALUES (2, 3)")
    #expect(rows(controller) == [2])

    try execute("DELETE FROM _moho_Leaf_friends")
    #expect(rows(controller) == [])
  }

  @Test func changedKeysAreNamedInModelsWithRelations() async throws {
    let controller = try ResultsController(ModelRequest<Leaf>(), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try execute("UPDATE Leaf SET color = 'blue' WHERE id = 1")
    #expect(try await updates.next()?.changes.rows.map(\.changedKeys) == [["color"]])

    try execute("UPDATE Leaf SET branch = 3 WHERE id = 1")
    #expect(try await updates.next()?.changes.rows.map(\.changedKeys) == [["branch"]])
  }
}

private struct Branch: MappedModel {
  var id: Int
  var rank: Int

  static let mapping = Mapping(
    "Branch", Branch.init, .key("id", \.id, .unique), .key("rank", \.rank))
}

/// A leaf that declares its relations before its last key.
private struct Leaf: MappedModel {
  var id: Int
  var branch: ModelReference<Branch>?
  var friends: [ModelReference<Branch>]
  var color: String

  static let mapping = Mapping(
    "Leaf", Leaf.init,
    .key("id", \.id, .unique),
    .toOne("branch", \.branch),
    .toMany("friends", \.friends),
    .key("color", \.color))
}
