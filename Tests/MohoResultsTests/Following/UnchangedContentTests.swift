import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Commits that write rows without changing the result, or with few changes.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct UnchangedContentTests {
  private let store: ModelStore
  private static let all = ModelRequest<Show>()

  init() throws {
    store = try .shows()
    try store.execute(
      """
      INSERT INTO "Host" (id, name) VALUES (1, 'Ada'), (2, 'Ben');
      INSERT INTO "Guest" (id, name) VALUES (1, 'Cas'), (2, 'Dee');
      INSERT INTO "Show" (id, title, rank, host) VALUES (1, 'a', 1, 1), (2, 'b', 2, 2);
      INSERT INTO "_moho_Show_guests" (source, target, target_position) VALUES
        (1, 1, 0), (1, 2, 1), (2, 1, 0);
      INSERT INTO "Segment" (id, title, show, _moho_position_show) VALUES
        (1, 'intro', 1, 0), (2, 'outro', 1, 1), (3, 'intro', 2, 0);
      """)
  }

  @Test(arguments: [
    "UPDATE \"Segment\" SET title = title",
    "UPDATE \"Guest\" SET name = name",
    "UPDATE \"Host\" SET name = name",
    "UPDATE \"Show\" SET title = title, host = host",
    "UPDATE \"_moho_Show_guests\" SET target_position = target_position",
    """
    CREATE TEMP TABLE copy AS SELECT source, target, target_position FROM "_moho_Show_guests";
    DELETE FROM "_moho_Show_guests";
    INSERT INTO "_moho_Show_guests" (source, target, target_position) SELECT * FROM copy
    """,
    """
    UPDATE "Segment" SET title = title || '!', _moho_position_show = 9 - _moho_position_show;
    UPDATE "Segment" SET title = rtrim(title, '!'), _moho_position_show = 9 - _moho_position_show
    """,
  ])
  func writingTheSameValuesReportsNothing(_ sql: String) throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute(sql)

    #expect(controller.lastTransition.generation == 0, "\(controller.lastTransition.changes)")
    #expect(try controller.snapshot.models().count == 2)
  }

  @Test(
    arguments: [
      ("UPDATE \"Segment\" SET title = 'new' WHERE id = 2", [1], "segments"),
      (
        "UPDATE \"Segment\" SET _moho_position_show = 1 - _moho_position_show WHERE show = 1", [1],
        "segments"
      ),
      ("UPDATE \"Guest\" SET name = 'new' WHERE id = 2", [1], "guests"),
      (
        "UPDATE \"_moho_Show_guests\" SET target_position = 1 - target_position WHERE source = 1",
        [1],
        "guests"
      ),
      ("DELETE FROM \"_moho_Show_guests\" WHERE source = 2", [2], "guests"),
    ] as [(String, [Int64], String)])
  func anOrderedRelationReportsTheRowsThatItChanged(
    _ sql: String, rows: [Int64], key: String
  ) throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute(sql)

    #expect(controller.lastTransition.changes.rows.map(\.rowID) == rows)
    #expect(controller.lastTransition.changes.rows.map(\.changedKeys) == rows.map { _ in [key] })
  }

  @Test func columnsThatNoModelReadsChangeNothing() throws {
    let schema = try Schema([
      Entity(
        "Booklet", attributes: [Attribute("id", .int64)],
        relationships: [.toOne("run", "PrintRun", isOptional: true)], unique: [["id"]]),
      Entity(
        "PrintRun",
        attributes: [
          Attribute("id", .int64), Attribute("name", .string), Attribute("size", .int64),
        ], unique: [["id"]]),
    ])
    let store = try emptyStore(schema)
    try store.execute(
      """
      INSERT INTO "PrintRun" (id, name, size) VALUES (1, 'a', 1);
      INSERT INTO "Booklet" (id, run) VALUES (1, 1)
      """)
    let controller = try ResultsController(ModelRequest<Booklet>(), in: store)

    try store.execute("UPDATE \"PrintRun\" SET size = size + 1")

    #expect(controller.lastTransition.generation == 0)
  }

  /// 40,000 shows, of which each half has the same host.
  private func manyShows() throws -> ModelStore {
    let store = try ModelStore.shows()
    try store.execute(
      """
      INSERT INTO "Host" (id, name) VALUES (1, 'Ada'), (2, 'Ben');
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
      INSERT INTO "Show" (id, title, rank, host) SELECT i, '', i, i % 2 + 1 FROM n;
      INSERT INTO "Guest" (id, name) SELECT id, '' FROM "Show";
      """)
    return store
  }

  @Test func aChangeOfASharedRowReportsExactlyTheRowsThatContainIt() throws {
    let store = try manyShows()
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")

    let rows = controller.lastTransition.changes.rows
    #expect(rows.count == 20_000)
    #expect(rows.allSatisfy { $0.rowID % 2 == 0 && $0.changedKeys == ["host"] })
  }

  @Test func aChangeOfASharedRowMovesExactlyTheRowsThatContainIt() throws {
    let store = try manyShows()
    let controller = try ResultsController(
      Self.all.order { $0.host.name }.order(by: \.rank), in: store)

    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")

    let rows = controller.lastTransition.changes.rows
    #expect(rows.count == 20_000)
    #expect(rows.allSatisfy { $0.rowID % 2 == 0 && $0.changedKeys == ["host"] && $0.isMove })
  }

  @Test func aCoalescedChangeOfASharedRowReportsExactlyTheRowsThatContainIt() throws {
    let store = try manyShows()
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute("UPDATE \"Host\" SET name = 'Zoe' WHERE id = 1")
    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id = 1")

    let rows = try controller.changes(since: known).rows
    #expect(rows.count == 20_001)
    #expect(rows.first?.changedKeys == ["title"])
  }

  @Test func aChangeAfterManyInsertionsInOneTransactionNamesItsKeys() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5010)
      INSERT INTO "Show" (id, title, rank) SELECT i, '', i FROM n;
      UPDATE "Show" SET title = 'new' WHERE id = 1;
      """)

    let changes = controller.lastTransition.changes.rows
    #expect(changes.filter { $0.kind != .insert }.map(\.changedKeys) == [["title"]])
  }

  @Test func aChangeAfterACommitOfManyInsertionsNamesItsKeys() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5010)
      INSERT INTO "Show" (id, title, rank) SELECT i, '', i FROM n
      """)
    let second = controller.snapshot
    try store.execute("UPDATE \"Show\" SET title = 'new' WHERE id IN (1, 10, 5010)")
    #expect(
      controller.lastTransition.changes.rows.map(\.changedKeys) == [
        ["title"], ["title"], ["title"],
      ])
    try store.execute("UPDATE \"Show\" SET title = 'newer' WHERE id IN (1, 10, 5010)")

    let changes = try controller.changes(since: known).rows
    #expect(changes.filter { $0.kind != .insert }.map(\.changedKeys) == [["title"]])
    #expect(
      try controller.changes(since: second).rows.map(\.changedKeys)
        == [["title"], ["title"], ["title"]])
  }

  @Test func manyNewRowsChangeTheRowsThatContainThem() throws {
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 5010)
      INSERT INTO "Segment" (id, title, show, _moho_position_show) SELECT i, '', 2, i FROM n
      """)

    #expect(
      controller.lastTransition.changes.description == "update [0, 1] → [0, 1] changed segments")
  }

  @Test func manyNewLinksChangeTheLinkedRows() throws {
    let store = try manyShows()
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)
    let known = controller.snapshot

    try store.execute(
      """
      INSERT INTO "_moho_Show_guests" (source, target, target_position)
        SELECT 7, id, id FROM "Guest" WHERE id <= 6000
      """)
    #expect(controller.lastTransition.changes.rows.map(\.rowID) == [7])
    try store.execute(
      """
      CREATE TEMP TABLE copy AS SELECT source, target, target_position FROM "_moho_Show_guests";
      DELETE FROM "_moho_Show_guests";
      INSERT INTO "_moho_Show_guests" (source, target, target_position) SELECT * FROM copy
      """)

    #expect(controller.lastTransition.generation == 1, "rewritten links are the same links")
    #expect(try controller.changes(since: known).rows.map(\.changedKeys) == [["guests"]])
  }

  @Test func manyDeletedRowsChangeTheRowsThatContainedThem() throws {
    try store.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20010)
      INSERT INTO "Segment" (id, title, show, _moho_position_show) SELECT i, '', 2, i FROM n
      """)
    let controller = try ResultsController(Self.all.order(by: \.rank), in: store)

    try store.execute("DELETE FROM \"Segment\" WHERE id > 9")

    #expect(
      controller.lastTransition.changes.description == "update [0, 1] → [0, 1] changed segments")
  }
}

/// A booklet that reads only the name of its print run.
private struct Booklet: MappedModel, Hashable {
  var id: Int
  var run: PrintRun?

  static let mapping = Mapping(
    "Booklet", Booklet.init, .key("id", \.id, .unique), .toOne("run", \.run))
}

private struct PrintRun: MappedModel, Hashable {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "PrintRun", PrintRun.init, .key("id", \.id, .unique), .key("name", \.name))
}
