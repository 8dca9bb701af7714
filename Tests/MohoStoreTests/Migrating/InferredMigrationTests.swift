import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests inferred migrations of entities, links and constraints. Each test opens
/// a store with some entities, and then opens it again with changed entities.
@Suite(.allEngines) struct InferredMigrationTests {
  let database: MigratedStore

  init() throws { database = try MigratedStore() }

  private static let tag = Entity(
    "Tag", attributes: [Attribute("name", .string)], unique: [["name"]])

  private func show(_ attributes: Attribute...) -> Entity {
    Entity("Show", attributes: attributes)
  }

  @Test func anEntityThatIsNewIsMade() throws {
    let show = show(Attribute("a", .string))
    try database.open(show)
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x')"#)

    try database.open(show, Self.tag)

    try database.expectAsDeclared(show, Self.tag)
    #expect(try database.values(#"SELECT a FROM "Show""#) == [#""x""#])
  }

  @Test func anEntityThatIsNotDeclaredStaysUnlessItIsDiscarded() throws {
    let show = show(Attribute("a", .string))
    try database.open(show, Self.tag)
    try database.execute(#"INSERT INTO "Tag" (name) VALUES ('x')"#)

    try database.open(show)
    #expect(try database.values(#"SELECT name FROM "Tag""#) == [#""x""#])

    let error = #expect(throws: StoreError.self) {
      try database.open(show, with: .refusing)
    }
    #expect(error?.differences.map(\.change) == [.removed])
  }

  @Test func anEntityIsDroppedWhereItIsDiscarded() throws {
    let show = show(Attribute("a", .string))
    try database.open(show, Self.tag)

    try database.open(show, with: .discarding(.entity("Tag")))

    try database.expectAsDeclared(show)
  }

  @Test func namesChangeWithTheirRowsLinksIndexesAndRules() throws {
    let podcast = Entity(
      "Podcast", attributes: [Attribute("name", .string)],
      relationships: [
        .toMany("episodes", "Episode", isOrdered: true, inverse: "podcast", onDelete: .deny),
        .toMany("tags", "Podcast", isOrdered: true, onDelete: .cascade),
      ], unique: [["name"]])
    let episode = Entity(
      "Episode", attributes: [Attribute("title", .string), Attribute("flag", .boolean)],
      relationships: [.toOne("podcast", "Podcast", inverse: "episodes")],
      unique: [["podcast", "title"]], indexes: [["title", "flag"]])
    try database.open(podcast, episode)
    try database.execute(
      #"""
      INSERT INTO "Podcast" VALUES (1, 'a'), (2, 'b');
      INSERT INTO "Episode" VALUES (7, 't', true, 2, 5), (8, 'u', false, NULL, NULL);
      INSERT INTO "_moho_Podcast_tags" VALUES (1, 2, 3);
      """#)
    try database.execute(
      #"""
      CREATE TABLE mine (p bigint REFERENCES "Podcast", note text);
      INSERT INTO mine VALUES (2, 'n');
      CREATE VIEW titles AS SELECT title FROM "Episode";
      CREATE INDEX mine_too ON "Episode" (flag) WHERE title > 'a';
      """#)
    let show = Entity(
      "Show", attributes: [Attribute("label", .string, renamedFrom: "name")],
      relationships: [
        .toMany("parts", "Part", isOrdered: true, inverse: "show", onDelete: .deny),
        .toMany("marks", "Show", isOrdered: true, onDelete: .cascade, renamedFrom: "tags"),
      ], unique: [["label"]], renamedFrom: "Podcast")
    let part = Entity(
      "Part",
      attributes: [
        Attribute("heading", .string, renamedFrom: "title"),
        Attribute("mark", .boolean, renamedFrom: "flag"),
      ],
      relationships: [.toOne("show", "Show", inverse: "parts", renamedFrom: "podcast")],
      unique: [["show", "heading"]], indexes: [["heading", "mark"]], renamedFrom: "Episode")

    let store = try database.open(show, part)

    #expect(try database.values("SELECT * FROM titles") == [#""t""#, #""u""#])
    try database.execute("INSERT INTO mine VALUES (1, 'o')")
    #expect(throws: (any Error).self) { try database.execute("INSERT INTO mine VALUES (3, 'p')") }
    #expect(throws: (any Error).self) {
      try database.execute(#"DELETE FROM "Show" WHERE _moho_id = 1"#)
    }
    // The objects of others still exist.
    try database.execute("DROP TABLE mine; DROP VIEW titles; DROP INDEX mine_too")
    let denied = #expect(throws: StoreError.self) {
      try store.execute(#"DELETE FROM "Show" WHERE _moho_id = 2"#)
    }
    #expect(denied?.code == .deniedDeletion)
    try database.expectAsDeclared(show, part)
    #expect(try database.values(#"SELECT * FROM "Show""#) == [#"1|"a""#, #"2|"b""#])
    #expect(
      try database.values(#"SELECT * FROM "Part""#) == [#"7|"t"|1|2|5"#, #"8|"u"|0|NULL|NULL"#])
    #expect(
      try database.values(#"SELECT source, target, target_position FROM "_moho_Show_marks""#)
        == ["1|2|3"])
    // When the store is opened again, no former name exists any more.
    try database.open(show, part)
    try database.expectAsDeclared(show, part)
  }

  @Test func constraintsAreCreatedAndCheckedOnExistingRows() throws {
    try database.open(show(Attribute("a", .int64), Attribute("b", .string)))
    try database.execute(#"INSERT INTO "Show" (a, b) VALUES (1, 'x'), (9, 'x')"#)
    let limited = show(Attribute("a", .int64, constraints: .range(0...5)), Attribute("b", .string))
    let unique = Entity(
      "Show", attributes: [Attribute("a", .int64), Attribute("b", .string)], unique: [["b"]])

    let first = #expect(throws: StoreError.self) { try database.open(limited) }
    let second = #expect(throws: StoreError.self) { try database.open(unique) }

    #expect(first?.code == .invalidValue)
    #expect(first?.keys == ["a"])
    #expect(second?.code == .notUnique)
    #expect(second?.keys == ["b"])
    #expect(
      second?.reason
        == "`Show.b` is not unique in the store: a value occurs several times, such as \"x\" in"
        + " 2 rows")
    try database.execute(#"UPDATE "Show" SET a = 2, b = a"#)
    try database.open(limited)
    try database.expectAsDeclared(limited)
    try database.open(unique)
    try database.expectAsDeclared(unique)
  }

  @Test func duplicatesOfACombinedKeyAreCounted() throws {
    let attributes = [Attribute("a", .int64), Attribute("b", .string, isOptional: true)]
    try database.open(Entity("Show", attributes: attributes))
    try database.execute(
      #"""
      INSERT INTO "Show" (a, b) VALUES
        (1, 'x'), (1, 'x'), (2, 'y'), (2, 'y'), (2, 'y'), (1, 'y'), (3, NULL), (3, NULL)
      """#)
    let unique = Entity("Show", attributes: attributes, unique: [["a", "b"]])

    let error = #expect(throws: StoreError.self) { try database.open(unique) }

    #expect(error?.code == .notUnique)
    #expect(error?.keys == ["a", "b"])
    #expect(
      error?.reason
        == "`Show.a`, `Show.b` are not unique in the store: 2 values occur several times, such as"
        + " \"2, y\" in 3 rows")
    #expect(error?.suggestion == "declare a migration that changes or deletes these rows")
    try database.execute(
      #"DELETE FROM "Show" WHERE b IS NOT NULL AND NOT (a = 1 AND b = 'y')"#)
    try database.open(unique)
    try database.expectAsDeclared(unique)
  }

  /// Two linked entities.
  private static func linked(
    _ rule: DeleteRule = .nullify, inverse: DeleteRule = .nullify,
    indexes: [[String]] = [], inverseIndexes: [[String]] = []
  ) throws -> Schema {
    try Schema([
      Entity(
        "A", attributes: [Attribute("x", .int64)],
        relationships: [.toMany("bs", "B", inverse: "a", onDelete: rule)], indexes: indexes),
      Entity(
        "B", attributes: [Attribute("y", .int64)],
        relationships: [.toOne("a", "A", inverse: "bs", whenThisIsDeleted: inverse)],
        indexes: inverseIndexes),
    ])
  }

  /// Versions of two linked entities with different indexes and delete rules.
  static let rules = Result {
    [
      try linked(indexes: [["x"]]),
      try linked(.noAction, inverse: .cascadeEvenIfShared, inverseIndexes: [["y"]]),
      try linked(.deny, inverse: .cascadeEvenIfShared, inverseIndexes: [["y"]]),
    ]
  }

  @Test func indexesAndDeleteRulesChange() throws {
    for schema in try Self.rules.get() {
      try database.open(schema)
      try database.expectAsDeclared(schema)
    }
  }

  @Test func linksThatWouldBeLostAreRefused() throws {
    func entity(_ relationship: Relationship) -> Entity {
      Entity("E", attributes: [Attribute("a", .int64)], relationships: [relationship])
    }
    let one = entity(.toOne("r", "E"))
    let many = entity(.toMany("r", "E"))
    try database.open(one)
    try database.execute(#"INSERT INTO "E" VALUES (1, 1, NULL), (2, 2, 1)"#)

    let toMany = #expect(throws: StoreError.self) { try database.open(many) }
    #expect(toMany?.code == .incompatibleSchema)
    try database.open(many, with: .discarding(.key("r", of: "E")))
    try database.expectAsDeclared(many)

    try database.execute(#"INSERT INTO "_moho_E_r" VALUES (1, 2)"#)
    let toOne = #expect(throws: StoreError.self) { try database.open(one) }
    #expect(toOne?.code == .wouldLoseData)
    #expect(toOne?.keys == ["r"])
    try database.open(one, with: .discarding(.key("r", of: "E")))
    try database.expectAsDeclared(one)
  }

  @Test func linksSurviveATableRebuild() throws {
    let list = Entity(
      "List", attributes: [Attribute("name", .string)],
      relationships: [.toMany("tasks", "Task", inverse: "list", onDelete: .cascade)])
    let task = Entity(
      "Task", attributes: [Attribute("text", .string)],
      relationships: [.toOne("list", "List", isOptional: false, inverse: "tasks")])
    try database.open(list, task)
    try database.execute(
      #"INSERT INTO "List" VALUES (1, 'a'); INSERT INTO "Task" VALUES (1, 't', 1), (2, 'u', 1)"#)
    let more = Entity(
      "List",
      attributes: [Attribute("name", .string), Attribute("more", .int64, isOptional: true)],
      relationships: list.relationships)

    try database.open(more, task)

    try database.expectAsDeclared(more, task)
    #expect(try database.values(#"SELECT * FROM "Task""#) == [#"1|"t"|1"#, #"2|"u"|1"#])
  }

  @Test func theIdentityOfLinkedRowsIsNotTakenFromThem() throws {
    func entity(_ unique: [[String]], isOptional: Bool = false) -> Entity {
      Entity(
        "E",
        attributes: [Attribute("id", .int64, isOptional: isOptional), Attribute("a", .string)],
        unique: unique)
    }
    try database.open(entity([["id"]]))
    try database.execute(#"INSERT INTO "E" VALUES (42, 'x')"#)

    // The identity column of the store takes over the old identities.
    try database.open(entity([]))
    #expect(try database.values(#"SELECT _moho_id, id FROM "E""#) == ["42|42"])
    try database.execute(#"UPDATE "E" SET id = 43"#)
    try database.open(entity([["id"]]))
    #expect(try database.values(#"SELECT * FROM "E""#) == [#"43|"x""#])
    try database.expectAsDeclared(entity([["id"]]))

    // The migration is rejected if other rows are linked to these rows.
    let other = Entity("O", attributes: [], relationships: [.toOne("e", "E")])
    try database.open(entity([]), other)
    let error = #expect(throws: StoreError.self) { try database.open(entity([["id"]]), other) }
    #expect(error?.code == .incompatibleSchema)
  }

  @Test func noneRefusesEachDifferenceAndMakesNewStores() throws {
    let old = show(Attribute("a", .string), Attribute("b", .int64))
    try database.open(old, with: .refusing)
    try database.expectAsDeclared(old)
    let new = Entity(
      "Show", attributes: [Attribute("a", .string, isOptional: true), Attribute("c", .string)],
      unique: [["c"]], indexes: [["a"]])

    let error = #expect(throws: StoreError.self) { try database.open(new, with: .refusing) }

    #expect(error?.code == .incompatibleSchema)
    #expect(
      error?.reason == """
        `Show.a` is required in the table, optional in the model; \
        `Show.c` is not in the table; `Show.b` is not in the model; \
        `c` of `Show` is not unique in the table; the index `Show(a)` is not in the store
        """)
    try database.expectAsDeclared(old)
  }
}
