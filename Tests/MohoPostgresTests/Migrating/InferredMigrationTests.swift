import Fixtures
import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import Testing

@testable import MohoPostgres

/// Tests migrations that are inferred. Each test prepares a PostgreSQL schema for
/// some entities, and then prepares it again for changed entities.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct InferredMigrationTests {
  private let database: MigratedDatabase

  init() throws { database = try MigratedDatabase() }

  private func open(
    _ entities: Entity..., configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    try database.open(entities, configuration)
  }

  private func discarding(_ parts: SchemaPart...) -> PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .inferred(discarding: parts)
    return configuration
  }

  private func execute(_ sql: String) throws { try database.execute(sql) }

  private func values(_ sql: String) throws -> [String] { try database.values(sql) }

  private func expectAsDeclared(
    _ entities: Entity..., location: SourceLocation = #_sourceLocation
  ) throws {
    try database.expectAsDeclared(entities, location: location)
  }

  private static let tag = Entity(
    "Tag", attributes: [Attribute("name", .string)], unique: [["name"]])

  private static var refusing: PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .none
    return configuration
  }

  private func show(_ attributes: Attribute...) -> Entity {
    Entity("Show", attributes: attributes)
  }

  @Test func anEntityThatIsNewIsMade() throws {
    let show = show(Attribute("a", .string))
    try open(show)
    try execute("INSERT INTO Show (a) VALUES ('x')")

    try open(show, Self.tag)

    try expectAsDeclared(show, Self.tag)
    #expect(try values("SELECT a FROM Show") == ["x"])
  }

  @Test func keysThatAreNewHaveTheirDefault() throws {
    try open(show(Attribute("a", .string)))
    try execute("INSERT INTO Show (_moho_id, a) VALUES (5, 'x'), (-9, 'y'), (\(Int64.max), 'z')")
    let new = show(
      Attribute("none", .int64, isOptional: true), Attribute("a", .string),
      Attribute("count", .int16, default: .int64(7)),
      Attribute("text", .string, default: .string("it's")),
      Attribute("flag", .boolean, default: .bool(true)))

    try open(new)

    try expectAsDeclared(new)
    #expect(
      try values(#"SELECT _moho_id, none, a, "count", text, flag FROM Show ORDER BY _moho_id"#) == [
        "-9|NULL|y|7|it's|t", "5|NULL|x|7|it's|t",
        "\(Int64.max)|NULL|z|7|it's|t",
      ])
  }

  @Test func aRequiredKeyWithoutADefaultIsRefusedUnlessThereAreNoRows() throws {
    let new = show(Attribute("a", .string), Attribute("b", .string))
    try open(show(Attribute("a", .string)))
    try execute("INSERT INTO Show (a) VALUES ('x')")

    let error = #expect(throws: StoreError.self) { try open(new) }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.keys == ["b"])
    #expect(
      error?.suggestion == "declare a default for `Show.b`, or a migration that sets its values")
    #expect(try values("SELECT * FROM Show") == ["1|x"])
    try execute("DELETE FROM Show")
    try open(new)
    try expectAsDeclared(new)
  }

  @Test func anOptionalKeyBecomesRequiredByItsDefault() throws {
    try open(show(Attribute("a", .string, isOptional: true)))
    try execute("INSERT INTO Show (a) VALUES ('x'), (NULL)")
    let new = show(Attribute("a", .string, default: .string("none")))

    try open(new)

    try expectAsDeclared(new)
    #expect(try values("SELECT a FROM Show") == ["x", "none"])
  }

  @Test func anOptionalKeyWithoutADefaultBecomesRequiredIfNoValueIsMissing() throws {
    try open(show(Attribute("a", .string, isOptional: true)))
    try execute("INSERT INTO Show (_moho_id, a) VALUES (1, 'x'), (2, NULL)")
    let new = show(Attribute("a", .string))

    let error = #expect(throws: StoreError.self) { try open(new) }
    #expect(error?.code == .missingValue)
    #expect(error?.keys == ["a"])
    #expect(try values("SELECT a FROM Show") == ["x", "NULL"])

    try execute("UPDATE Show SET a = 'y' WHERE _moho_id = 2")
    try open(new)
    try expectAsDeclared(new)
  }

  @Test func aRequiredKeyBecomesOptional() throws {
    try open(show(Attribute("a", .string)))
    try execute("INSERT INTO Show (a) VALUES ('x')")
    let new = show(Attribute("a", .string, isOptional: true))

    try open(new)

    try expectAsDeclared(new)
    try execute("INSERT INTO Show (a) VALUES (NULL)")
  }

  @Test func aKeyWithValuesIsThrownAwayOnlyIfAllowed() throws {
    let new = show(Attribute("a", .string))
    try open(show(Attribute("a", .string), Attribute("b", .string, isOptional: true)))
    try execute("INSERT INTO Show (a, b) VALUES ('x', 'y'), ('z', NULL)")

    let error = #expect(throws: StoreError.self) { try open(new) }

    #expect(error?.code == .wouldLoseData)
    #expect(error?.entity == "Show")
    #expect(error?.keys == ["b"])
    #expect(error?.reason == "`Show.b` has 1 value")
    #expect(error?.differences.map(\.change) == [.removed])
    #expect(try values("SELECT b FROM Show") == ["y", "NULL"])

    try open(new, configuration: discarding(.key("b", of: "Show")))
    try expectAsDeclared(new)
    #expect(try values("SELECT a FROM Show") == ["x", "z"])
  }

  @Test func aKeyThatIsPerhapsRenamedIsSuggested() throws {
    try open(show(Attribute("a", .string)))
    try execute("INSERT INTO Show (a) VALUES ('x')")

    let lost = #expect(throws: StoreError.self) {
      try open(show(Attribute("b", .string, isOptional: true)))
    }
    let refused = #expect(throws: StoreError.self) { try open(show(Attribute("b", .string))) }
    let several = #expect(throws: StoreError.self) {
      try open(
        show(Attribute("b", .string, isOptional: true), Attribute("c", .string, isOptional: true)))
    }

    let advice = "if `Show.a` was renamed to `b`, declare a `Renaming`; "
    #expect(lost?.code == .wouldLoseData)
    #expect(lost?.suggestion?.hasPrefix(advice) == true)
    #expect(refused?.code == .incompatibleSchema)
    #expect(refused?.suggestion?.hasPrefix(advice) == true)
    #expect(several?.suggestion?.contains("Renaming") == false)
  }

  @Test func aKeyWithoutValuesIsDropped() throws {
    try open(show(Attribute("a", .string), Attribute("b", .string, isOptional: true)))
    try execute("INSERT INTO Show (a) VALUES ('x')")

    try open(show(Attribute("a", .string)))

    try expectAsDeclared(show(Attribute("a", .string)))
  }

  @Test func anEntityThatIsNotDeclaredStaysUnlessItIsDiscarded() throws {
    let show = show(Attribute("a", .string))
    try open(show, Self.tag)
    try execute("INSERT INTO Tag (name) VALUES ('x')")

    try open(show)
    #expect(try values("SELECT name FROM Tag") == ["x"])

    let error = #expect(throws: StoreError.self) {
      try open(show, configuration: Self.refusing)
    }
    #expect(error?.differences.map(\.change) == [.removed])
  }

  @Test func anEntityIsDroppedWhereItIsDiscarded() throws {
    let show = show(Attribute("a", .string))
    try open(show, Self.tag)

    try open(show, configuration: discarding(.entity("Tag")))

    try expectAsDeclared(show)
    #expect(try values("SELECT name FROM _moho_store WHERE kind = 'entity'") == ["Show"])
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
    try open(podcast, episode)
    try execute(
      """
      INSERT INTO Podcast VALUES (1, 'a'), (2, 'b');
      INSERT INTO Episode VALUES (7, 't', true, 2, 5), (8, 'u', false, NULL, NULL);
      INSERT INTO _moho_Podcast_tags VALUES (1, 2, 3);
      """)
    try execute(
      """
      CREATE TABLE mine (p int8 REFERENCES Podcast, note text);
      INSERT INTO mine VALUES (2, 'n');
      CREATE VIEW titles AS SELECT title FROM Episode;
      CREATE INDEX mine_too ON Episode (flag) WHERE title > 'a';
      """)
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

    try open(show, part)

    let others = try values(
      """
      SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND (relname LIKE 'mine%' OR relname = 'titles')
      """)
    #expect(others.sorted() == ["mine", "mine_too", "titles"])
    #expect(try values("SELECT * FROM titles") == ["t", "u"])
    #expect(
      try values(
        "SELECT confrelid::regclass FROM pg_constraint WHERE contype = 'f' AND conrelid = 'mine'::regclass"
      ) == [#"Show"#])
    #expect(throws: StoreError.self) { try execute("DELETE FROM Show WHERE _moho_id = 2") }
    try execute("DROP TABLE mine; DROP VIEW titles; DROP INDEX mine_too")
    try expectAsDeclared(show, part)
    #expect(try values("SELECT * FROM Show") == ["1|a", "2|b"])
    #expect(
      try values("SELECT * FROM Part") == ["7|t|t|2|5", "8|u|f|NULL|NULL"])
    #expect(try values("SELECT source, target, target_position FROM _moho_Show_marks") == ["1|2|3"])
    // When the store is opened again, no former name exists any more.
    try open(show, part)
    try expectAsDeclared(show, part)
  }

  @Test func constraintsAreCreatedAndCheckedOnExistingRows() throws {
    try open(show(Attribute("a", .int64), Attribute("b", .string)))
    try execute("INSERT INTO Show (a, b) VALUES (1, 'x'), (9, 'x')")
    let limited = show(Attribute("a", .int64, constraints: .range(0...5)), Attribute("b", .string))
    let unique = Entity(
      "Show", attributes: [Attribute("a", .int64), Attribute("b", .string)], unique: [["b"]])

    let first = #expect(throws: StoreError.self) { try open(limited) }
    let second = #expect(throws: StoreError.self) { try open(unique) }

    #expect(first?.code == .invalidValue)
    #expect(first?.keys == ["a"])
    #expect(second?.code == .notUnique)
    #expect(second?.keys == ["b"])
    try execute("UPDATE Show SET a = 2, b = a")
    try open(limited)
    try expectAsDeclared(limited)
    try open(unique)
    try expectAsDeclared(unique)
  }

  @Test func indexesAndDeleteRulesChange() throws {
    let plain = [
      Entity(
        "A", attributes: [Attribute("x", .int64)],
        relationships: [.toMany("bs", "B", inverse: "a")],
        indexes: [["x"]]),
      Entity(
        "B", attributes: [Attribute("y", .int64)], relationships: [.toOne("a", "A", inverse: "bs")]),
    ]
    let other = [
      Entity(
        "A", attributes: [Attribute("x", .int64)],
        relationships: [.toMany("bs", "B", inverse: "a", onDelete: .noAction)]),
      Entity(
        "B", attributes: [Attribute("y", .int64)],
        relationships: [.toOne("a", "A", inverse: "bs", onDelete: .cascade)], indexes: [["y"]]),
    ]
    let denying = [
      Entity(
        "A", attributes: [Attribute("x", .int64)],
        relationships: [.toMany("bs", "B", inverse: "a", onDelete: .deny)]),
      other[1],
    ]
    try open(plain[0], plain[1])
    try open(other[0], other[1])
    try expectAsDeclared(other[0], other[1])

    try open(denying[0], denying[1])

    try expectAsDeclared(denying[0], denying[1])
  }

  @Test func anotherTypeIsRefusedUnlessThereAreNoRows() throws {
    let new = show(Attribute("a", .int64))
    try open(show(Attribute("a", .string)))
    try execute("INSERT INTO Show (a) VALUES ('12')")

    let error = #expect(throws: StoreError.self) { try open(new) }
    #expect(error?.differences.map(\.change) == [.type(from: "text COLLATE \"C\"", to: "int8")])

    try execute("DELETE FROM Show")
    try open(new)
    try expectAsDeclared(new)
  }

  @Test func linksThatWouldBeLostAreRefused() throws {
    func entity(_ relationship: Relationship) -> Entity {
      Entity("E", attributes: [Attribute("a", .int64)], relationships: [relationship])
    }
    let one = entity(.toOne("r", "E"))
    let many = entity(.toMany("r", "E"))
    try open(one)
    try execute("INSERT INTO E VALUES (1, 1, NULL), (2, 2, 1)")

    let toMany = #expect(throws: StoreError.self) { try open(many) }
    #expect(toMany?.code == .incompatibleSchema)
    try open(many, configuration: discarding(.key("r", of: "E")))
    try expectAsDeclared(many)

    try execute("INSERT INTO _moho_E_r VALUES (1, 2)")
    let toOne = #expect(throws: StoreError.self) { try open(one) }
    #expect(toOne?.code == .wouldLoseData)
    #expect(toOne?.keys == ["r"])
    try open(one, configuration: discarding(.key("r", of: "E")))
    try expectAsDeclared(one)
  }

  @Test func linksSurviveATableRebuild() throws {
    let list = Entity(
      "List", attributes: [Attribute("name", .string)],
      relationships: [.toMany("tasks", "Task", inverse: "list", onDelete: .cascade)])
    let task = Entity(
      "Task", attributes: [Attribute("text", .string)],
      relationships: [.toOne("list", "List", isOptional: false, inverse: "tasks")])
    try open(list, task)
    try execute(
      "INSERT INTO List VALUES (1, 'a'); INSERT INTO Task VALUES (1, 't', 1), (2, 'u', 1)")
    let more = Entity(
      "List",
      attributes: [Attribute("name", .string), Attribute("more", .int64, isOptional: true)],
      relationships: list.relationships)

    try open(more, task)

    try expectAsDeclared(more, task)
    #expect(try values("SELECT * FROM Task") == ["1|t|1", "2|u|1"])
  }

  @Test func theIdentityOfLinkedRowsIsNotTakenFromThem() throws {
    func entity(_ unique: [[String]], isOptional: Bool = false) -> Entity {
      Entity(
        "E",
        attributes: [Attribute("id", .int64, isOptional: isOptional), Attribute("a", .string)],
        unique: unique)
    }
    try open(entity([["id"]]))
    try execute("INSERT INTO E VALUES (42, 'x')")

    // The identity column of the store takes over the old identities.
    try open(entity([]))
    #expect(try values("SELECT _moho_id, id FROM E") == ["42|42"])
    try execute("UPDATE E SET id = 43")
    try open(entity([["id"]]))
    #expect(try values("SELECT * FROM E") == ["43|x"])
    try expectAsDeclared(entity([["id"]]))

    // The migration is rejected if other rows are linked to these rows.
    let other = Entity("O", attributes: [], relationships: [.toOne("e", "E")])
    try open(entity([]), other)
    let error = #expect(throws: StoreError.self) { try open(entity([["id"]]), other) }
    #expect(error?.code == .incompatibleSchema)
  }

  @Test func noneRefusesEachDifferenceAndMakesNewStores() throws {
    let none = Self.refusing
    let old = show(Attribute("a", .string), Attribute("b", .int64))
    try open(old, configuration: none)
    try expectAsDeclared(old)
    let new = Entity(
      "Show", attributes: [Attribute("a", .string, isOptional: true), Attribute("c", .string)],
      unique: [["c"]], indexes: [["a"]])

    let error = #expect(throws: StoreError.self) { try open(new, configuration: none) }

    #expect(error?.code == .incompatibleSchema)
    #expect(
      error?.reason == """
        `Show.a` is required in the table, optional in the model; \
        `Show.c` is not in the table; `Show.b` is not in the model; \
        `c` of `Show` is not unique in the table; the index `Show(a)` is not in the store
        """)
    try expectAsDeclared(old)
  }
}
