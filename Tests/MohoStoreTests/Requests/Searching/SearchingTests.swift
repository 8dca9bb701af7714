import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite(.allEngines) struct SearchingTests {
  struct Podcast: MappedModel, Equatable {
    var id: Int
    var name: String

    static let mapping = Mapping(
      "Podcast", Podcast.init, .key("id", \.id, .unique), .key("name", \.name, .searchable))
  }

  struct Episode: MappedModel, Equatable {
    var guid: String
    var title: String
    var summary: String?
    var season = 1
    var podcast: ModelReference<Podcast>?
    var chapters: [Chapter] = []

    static let mapping = Mapping(
      "Episode", Episode.init, .key("guid", \.guid, .unique),
      .key("title", \.title, .searchable), .key("summary", \.summary, .searchable),
      .key("season", \.season), .toOne("podcast", \.podcast),
      .toMany("chapters", \.chapters, onDelete: .cascade))
  }

  struct Chapter: MappedModel, Equatable {
    var id: Int
    /// FTS5 reserves this name.
    var rank: String

    static let mapping = Mapping(
      "Chapter", Chapter.init, .key("id", \.id, .unique), .key("rank", \.rank, .searchable))
  }

  private static func store() throws -> ModelStore {
    let store = try emptyStore(Podcast.self, Episode.self)
    try store.write { writer in
      try writer.save([Podcast(id: 1, name: "Deep Space"), Podcast(id: 2, name: "Crust")])
      try writer.save([
        Episode(
          guid: "a", title: "The Moon Landing", summary: "Apollo in the sea of tranquility",
          podcast: ModelReference(key: 1), chapters: [Chapter(id: 1, rank: "Descent")]),
        Episode(
          guid: "b", title: "Éclogite", summary: "Rocks from the moon?", season: 2,
          podcast: ModelReference(key: 2)),
        Episode(
          guid: "c", title: "Moonlight", summary: nil, season: 2,
          chapters: [Chapter(id: 2, rank: "A descent by night")]),
      ])
    }
    return store
  }

  private static func found(
    _ store: ModelStore, _ condition: (ModelKeys<Episode>) -> Filter
  ) throws -> String {
    try store.fetch(ModelRequest<Episode>().filter(condition).order(by: \.guid)).map(\.guid)
      .joined()
  }

  @Test(arguments: [
    ("moon", "ab"), ("MOON landing", "a"), ("moon*", "abc"), ("eclogite", "b"),
    ("apollo moon", "a"),
    (#""landing moon""#, ""), (#""moon landing""#, "a"), ("moon rocks", "b"), ("", "abc"),
    ("?!", "abc"), ("mars", ""), ("sea-of", "a"),
  ])
  func rowsWithAllWordsAreFound(_ text: String, _ expected: String) throws {
    let store = try Self.store()

    #expect(try Self.found(store) { $0.matches(text) } == expected)
    let rows = RowRequest("Episode").filter { $0.matches(text) }
    #expect(try store.fetchCount(rows) == expected.count)
  }

  @Test func someKeysCanBeSearched() throws {
    let store = try Self.store()

    #expect(try Self.found(store) { $0.matches("moon", in: \.title) } == "a")
    #expect(try Self.found(store) { $0.matches("moon", in: \.summary) } == "b")
    #expect(try Self.found(store) { $0.matches("moon", in: \.summary, \.title) } == "ab")
    #expect(try Self.found(store) { $0.matches("apollo moon", in: \.title) } == "")
    #expect(try Self.found(store) { $0.matches("moon", in: \.title, lastWord: .prefix) } == "ac")
  }

  @Test func searchesAreConditionsLikeOthers() throws {
    let store = try Self.store()

    #expect(try Self.found(store) { $0.matches("moon") && $0.season == 2 } == "b")
    #expect(try Self.found(store) { !$0.matches("moon") } == "c")
    #expect(try Self.found(store) { $0.matches("apollo") || $0.matches("moonlight") } == "ac")
    #expect(try Self.found(store) { $0.podcast.matches("space") } == "a")
    #expect(try Self.found(store) { !$0.podcast.matches("space", in: \.name) } == "bc")
    #expect(try Self.found(store) { $0.podcast.matches("") } == "ab")
    #expect(try Self.found(store) { $0.chapters.any { $0.matches("descent") } } == "ac")
    #expect(try Self.found(store) { $0.chapters.none { $0.matches("night") } } == "ab")
    let counts = try store.fetchValues(ModelRequest<Episode>().order(by: \.guid)) {
      [$0.chapters.count { $0.matches("descent") }]
    }
    #expect(counts.map(\.values) == [[.int64(1)], [.int64(0)], [.int64(1)]])
  }

  @Test func theDescriptionOfASearchIsAFormula() {
    let request = ModelRequest<Episode>()

    #expect(
      request.filter { $0.matches("moon la*") }.filter.description == #"row matches "moon" "la"*"#)
    #expect(
      request.filter { $0.matches("a", in: \.title, \.summary) }.filter.description
        == #"title, summary matches "a""#)
    #expect(
      request.filter { $0.podcast.matches("a") }.filter.description == #"podcast matches "a""#)
  }

  @Test func theIndexFollowsEveryWrite() throws {
    let store = try Self.store()
    func expectFound(_ text: String, _ expected: String) throws {
      #expect(try Self.found(store) { $0.matches(text) } == expected, "\(text)")
    }

    // An upsert.
    try store.write { try $0.save(Episode(guid: "a", title: "Sun", summary: "Star")) }
    try expectFound("moon", "b")
    try expectFound("star", "a")
    // A partial update, and nil.
    let cleared = Partial<Episode>(Episode(guid: "b", title: "Rock", summary: nil))
    _ = try store.write { try $0.update([cleared]) }
    try expectFound("moon", "")
    try expectFound("rock", "b")
    // SQL.
    try store.write {
      try $0.execute(
        sql: """
          INSERT INTO "Episode" (guid, title, season) VALUES ('x', 'Mars', 1), ('v', 'Venus', 1)
          """)
      try $0.execute(
        sql: """
          UPDATE "Episode" SET title = 'Red ' || title WHERE guid = 'x'
          """)
      try $0.execute(
        sql: """
          UPDATE "Episode" SET _moho_id = 90 WHERE guid = 'v'
          """)
    }
    try expectFound("mars", "x")
    try expectFound("red", "x")
    try expectFound("venus", "v")
    // A rollback to a savepoint.
    try store.write { writer in
      try? store.write { inner in
        try inner.save(Episode(guid: "z", title: "Pluto"))
        throw CancellationError()
      }
      try writer.save(Episode(guid: "w", title: "Ceres"))
    }
    try expectFound("pluto", "")
    try expectFound("ceres", "w")
    // Deletions.
    let count = try store.write { writer in
      try writer.delete(
        ModelRequest<Episode>().filter { $0.matches("venus") || $0.matches("ceres") })
    }
    #expect(count == 2)
    try expectFound("venus", "")
  }

  @Test(.engine(.sqlite)) func theIndexFollowsReplacedRows() throws {
    let store = try Self.store()
    func expectFound(_ text: String, _ expected: String) throws {
      #expect(try Self.found(store) { $0.matches(text) } == expected, "\(text)")
    }

    // A replaced row, and a replaced row with another identity.
    try store.write {
      try $0.execute(
        sql: "REPLACE INTO Episode (_moho_id, guid, title, season) VALUES (1, 'x', 'Mars', 1)")
      try $0.execute(
        sql: "REPLACE INTO Episode (_moho_id, guid, title, season) VALUES (50, 'b', 'Venus', 1)")
    }
    try expectFound("landing", "")
    try expectFound("mars", "x")
    try expectFound("eclogite", "")
    try expectFound("venus", "b")
    // The identity of a replaced row is used again.
    try store.write {
      try $0.execute(
        sql: "INSERT INTO Episode (_moho_id, guid, title, season) VALUES (2, 'y', 'Io', 1)")
      try $0.execute(sql: "UPDATE Episode SET _moho_id = 90 WHERE guid = 'y'")
      try $0.execute(sql: "UPDATE OR REPLACE Episode SET _moho_id = 90 WHERE guid = 'x'")
    }
    try expectFound("io", "")
    try expectFound("mars", "x")
    #expect(try store.writer.read { try Self.check($0) } == [])
  }

  @Test func cascadesRemoveRowsFromTheIndex() throws {
    let store = try Self.store()
    let descents = ModelRequest<Chapter>().filter { $0.matches("descent") }
    #expect(try store.fetchCount(descents) == 2)

    _ = try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.season == 2 }) }

    #expect(try store.fetchCount(descents) == 1)
    if !store.isOnPostgres { #expect(try store.count("_moho search (Chapter)") == 1) }
  }

  @Test func reportsAndPlansDoNotCountTheIndex() throws {
    let store = try Self.store()
    let changed = try Episode(guid: "a", title: "Sun", podcast: ModelReference(key: 1))

    let plan = try store.plan(saving: [changed, Episode(guid: "n", title: "New")])
    #expect(try Self.found(store) { $0.matches("sun") || $0.matches("new") } == "")
    let report = try store.write { try $0.save([changed, Episode(guid: "n", title: "New")]) }

    #expect(plan.inserts.count == 1 && plan.updates.count == 1 && plan.deletes.isEmpty)
    #expect(report.inserted == 1)
    #expect(report.updated == 1)
    let again = try store.write { try $0.save([changed]) }
    #expect(again.updated == 0)
    #expect(try Self.found(store) { $0.matches("sun") || $0.matches("new") } == "an")
  }

  @Test(.engine(.sqlite)) func otherConnectionsMaintainTheIndex() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      let other = try DatabaseQueue(path: path)

      try other.write {
        try $0.execute(
          sql: "INSERT INTO Episode (guid, title, season) VALUES ('q', 'Other words', 1)")
      }

      #expect(try Self.found(store) { $0.matches("words") } == "q")
      try other.close()
    }
  }

  @Test(.engine(.sqlite)) func otherConnectionsCanChangeTheSchemaBeforeADeletion() throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self, Podcast.self)
      try store.write { try $0.save(Podcast(id: 1, name: "Deep Space")) }
      let other = try DatabaseQueue(path: path)
      try other.write { try $0.execute(sql: "CREATE TABLE Unrelated (id INTEGER)") }

      let count = try store.write { try $0.delete(ModelRequest<Podcast>()) }

      #expect(count == 1)
      try other.close()
    }
  }

  @Test func mistakesAreReportedWithTheirKeys() throws {
    let store = try emptyStore(
      Episode.self, entities: [Entity("Plain", attributes: [Attribute("text", .string)])])
    func message(_ request: some StoreRequest) -> String? {
      do {
        _ = try store.fetchCount(request)
        return nil
      } catch let error as StoreError where error.code == .invalidRequest {
        return error.reason
      } catch {
        return "\(error)"
      }
    }
    let request = ModelRequest<Episode>()

    #expect(
      message(request.filter { $0.matches("a", in: \.guid) })
        == "`Episode.guid` is not searchable: declare it with `.searchable`")
    #expect(
      message(RowRequest("Plain").filter { $0.matches("a") })
        == "`Plain` has no searchable keys: declare keys with `.searchable`")
    #expect(
      message(RowRequest("Episode").filter { $0.matches("a", in: "titel") })
        == "`Episode` has no key `titel`; did you mean `title`?")
    #expect(
      message(request.filter { $0.matches("a", in: \.podcast) })
        == "`Episode.podcast` is not searchable: declare it with `.searchable`")
  }

  /// Returns the identities that the index has and the table does not, or the
  /// other way around.
  private static func check(_ database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database,
      sql: """
        SELECT _moho_id FROM Episode WHERE _moho_id NOT IN
          (SELECT rowid FROM "_moho search (Episode)")
        """)
  }
}
