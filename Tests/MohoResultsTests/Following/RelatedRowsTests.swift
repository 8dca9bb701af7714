import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines, .timeLimit(.minutes(20))) struct RelatedRowsTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Leaf.self, Branch.self)
    try execute(
      """
      INSERT INTO "Branch" (id, rank) VALUES (1, 1), (2, 2), (3, 3);
      INSERT INTO "Leaf" (id, color, branch) VALUES (1, 'green', 1), (2, 'red', 2), (3, 'red', 3);
      """)
  }

  private func execute(_ sql: String) throws {
    try store.execute(sql)
  }

  private func rows(_ controller: ResultsController<Leaf>) -> [Int64] {
    Array(controller.snapshot.index.rowIDs)
  }

  @Test func aChangedRelatedRowUpdatesFilterAndOrder() throws {
    let controller = try ResultsController(
      ModelRequest<Leaf>().filter { $0.branch.rank > 1 }.order(.descending) { $0.branch.rank },
      in: store)
    #expect(rows(controller) == [3, 2])

    try execute("UPDATE \"Branch\" SET rank = 9 WHERE id = 1")
    #expect(rows(controller) == [1, 3, 2])

    try execute("DELETE FROM \"Branch\" WHERE id = 3")
    #expect(rows(controller) == [1, 2])
  }

  @Test func aNewLinkUpdatesTheFilter() throws {
    let controller = try ResultsController(
      ModelRequest<Leaf>().filter { $0.friends.any { $0.rank == 3 } }, in: store)
    #expect(rows(controller) == [])

    try execute("INSERT INTO \"_moho_Leaf_friends\" (source, target) VALUES (2, 3)")
    #expect(rows(controller) == [2])

    try execute("DELETE FROM \"_moho_Leaf_friends\"")
    #expect(rows(controller) == [])
  }

  /// No row of the list depends on the related row.
  @Test func aChangedRelatedRowUpdatesASummaryAlone() throws {
    let controller = try ResultsController(
      ModelRequest<Leaf>(), in: store, summaries: { [.sum($0.branch.rank)] })
    let known = controller.snapshot
    #expect(known.sections.map { $0.summary?.values } == [[.int64(6)]])

    try execute("UPDATE \"Branch\" SET rank = 9 WHERE id = 1")

    #expect(controller.snapshot.sections.map { $0.summary?.values } == [[.int64(14)]])
    #expect(
      try controller.changes(since: known).description
        == "update section 0 all changed sum(branch.rank)")
  }

  @Test func changedKeysAreNamedInModelsWithRelations() async throws {
    let controller = try await ResultsController(ModelRequest<Leaf>(), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try execute("UPDATE \"Leaf\" SET color = 'blue' WHERE id = 1")
    #expect(try await updates.next()?.changes.rows.map(\.changedKeys) == [["color"]])

    try execute("UPDATE \"Leaf\" SET branch = 3 WHERE id = 1")
    #expect(try await updates.next()?.changes.rows.map(\.changedKeys) == [["branch"]])
  }
}

/// Lists of models that refer to models with several identifying keys.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct RelatedIdentityTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Visit.self)
    try store.write { writer in
      try writer.save(["x", "y"].map { Site(url: $0) })
      try writer.save(
        ["x", "y"].flatMap { url in
          try ["a", "b"].map { Page(site: try ModelReference(key: url), path: $0) }
        })
      try writer.save([
        Visit(id: 1, page: ModelReference(key: "x", "a")),
        Visit(id: 2, page: ModelReference(key: "y", "a")), Visit(id: 3, page: nil),
      ])
    }
  }

  private func execute(_ sql: String) throws {
    try store.execute(sql)
  }

  @Test func aConditionComparesAllIdentifyingKeys() throws {
    let page = try ModelReference<Page>(key: "y", "a")
    let controller = try ResultsController(
      ModelRequest<Visit>().filter { $0.page == page }, in: store)
    #expect(Array(controller.snapshot.index.rowIDs) == [2])

    try store.write { try $0.save(Visit(id: 3, page: page)) }
    #expect(Array(controller.snapshot.index.rowIDs) == [2, 3])

    try execute("UPDATE \"Site\" SET url = 'z' WHERE url = 'y'")
    #expect(Array(controller.snapshot.index.rowIDs) == [])
  }

  @Test func aChangedPartOfAnIdentityChangesTheReference() async throws {
    let controller = try await ResultsController(ModelRequest<Visit>(), in: store)
    var updates = controller.updates.makeAsyncIterator()

    try execute("UPDATE \"Page\" SET path = 'c' WHERE path = 'a'")
    let pages = try await updates.next()
    #expect(pages?.changes.rows.map(\.changedKeys) == [["page"], ["page"]])

    try execute("UPDATE \"Site\" SET url = 'z' WHERE url = 'x'")
    let sites = try await updates.next()
    #expect(sites?.changes.rows.map(\.changedKeys) == [["page"]])
    #expect(try controller.snapshot.models()[0].page == ModelReference(key: "z", "c"))
  }
}

private struct Site: MappedModel {
  var url: String

  static let mapping = Mapping("Site", Site.init, .key("url", \.url, .unique))
}

private struct Page: MappedModel {
  var site: ModelReference<Site>
  var path: String

  static let mapping = Mapping(
    "Page", Page.init, .toOne("site", \.site), .key("path", \.path)
  )
  .identified(by: \.site, \.path)
}

private struct Visit: MappedModel {
  var id: Int
  var page: ModelReference<Page>?

  static let mapping = Mapping(
    "Visit", Visit.init, .key("id", \.id, .unique), .toOne("page", \.page))
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
