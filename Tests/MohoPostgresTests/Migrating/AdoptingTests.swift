import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests stores on tables that no store has created, and the objects of other
/// programs.
@Suite(.requiresPostgres)
struct AdoptingTests {
  private let database: MigratedDatabase

  init() throws { database = try MigratedDatabase() }

  private static let show = Entity(
    "Show",
    attributes: [
      Attribute("id", .int64), Attribute("name", .string, constraints: [.length(1...9)]),
      Attribute("rank", .int32, isOptional: true, default: .int64(3)),
    ], unique: [["id"], ["name"]], indexes: [["rank"]])

  private static var adopting: PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.adoptsExistingTables = true
    return configuration
  }

  @Test func `a table that matches is used as it is`() throws {
    try database.execute(
      """
      CREATE TABLE Show (
        id bigserial PRIMARY KEY, extra jsonb, made timestamptz NOT NULL DEFAULT now(),
        name text COLLATE "C" NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 9),
        rank int DEFAULT 3, CONSTRAINT mine CHECK (char_length(name) BETWEEN 1 AND 9));
      CREATE INDEX by_rank ON Show (rank, made);
      INSERT INTO Show (name) VALUES ('a')
      """)

    try database.open([Self.show])
    try database.open([Self.show])

    #expect(try database.values("SELECT id, name, rank FROM Show") == ["1|a|3"])
    #expect(
      try database.values("SELECT name, declared FROM _moho_store WHERE kind = 'entity'")
        == ["Show|true"])
    // The check is known, although it has another name.
    #expect(
      try database.values("SELECT name FROM _moho_store WHERE kind = 'check' AND key = 'name'")
        == ["Show"])
    #expect(
      try database.values(
        """
        SELECT indexname FROM pg_indexes
        WHERE tablename = 'Show' AND schemaname = current_schema()
        """
      ).count == 3)
  }

  @Test func `a unique key that is not the primary key can identify the rows of a table`() throws {
    let card = Entity(
      "Card", attributes: [Attribute("id", .int64), Attribute("name", .string)],
      identifiedBy: ["id"])
    try database.execute(
      """
      CREATE TABLE Card (
        number bigserial PRIMARY KEY, id int8 NOT NULL UNIQUE, name text COLLATE "C" NOT NULL)
      """)

    let plan = try PostgresMigrator(Schema([card]), PostgresConfiguration())
      .plan(database.connection)
    try database.open([card])

    #expect(plan.differences == [])
    try database.execute("INSERT INTO Card (id, name) VALUES (7, 'a')")
    #expect(try database.values("SELECT * FROM Card") == ["1|7|a"])
  }

  @Test func `a table that differs is changed only if it may be adopted`() throws {
    try database.execute(
      """
      CREATE TABLE Show (id int4 PRIMARY KEY, name varchar(20) NOT NULL, old text);
      INSERT INTO Show VALUES (1, 'a', 'x')
      """)

    let error = #expect(throws: StoreError.self) { try database.open([Self.show]) }
    #expect(error?.code == .incompatibleSchema)
    #expect(error?.suggestion?.contains("adoptsExistingTables") == true)
    #expect(
      error?.differences.contains {
        $0.change == .type(from: "character varying(20)", to: "text COLLATE \"C\"")
      } == true)

    try database.open([Self.show], Self.adopting)
    try database.open([Self.show])
    #expect(try database.values("SELECT * FROM Show") == ["1|a|x|3"])
  }

  @Test func `an adopted table without a declared key gets an identity`() throws {
    let tag = Entity("Tag", attributes: [Attribute("name", .string)], unique: [["name"]])
    try database.execute(
      """
      CREATE TABLE Tag (name text PRIMARY KEY);
      INSERT INTO Tag VALUES ('a'), ('b')
      """)

    try database.open([tag], Self.adopting)
    try database.execute("INSERT INTO Tag (name) VALUES ('c')")

    #expect(
      try database.values("SELECT name, _moho_id FROM Tag ORDER BY name") == ["a|1", "b|2", "c|3"])
  }

  @Test func `a required column that is not declared is refused`() throws {
    try database.execute("CREATE TABLE Show (id int8 PRIMARY KEY, name text, other text NOT NULL)")

    let error = #expect(throws: StoreError.self) {
      try database.open([Self.show], Self.adopting)
    }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.suggestion?.contains("make the column optional") == true)
  }

  @Test(arguments: [
    ("VIEW", "view"), ("MATERIALIZED VIEW", "materialized view"),
  ])
  func `a view with the name of an entity is refused`(kind: String, name: String) throws {
    try database.execute("CREATE \(kind) Show AS SELECT 1 AS id")

    let error = #expect(throws: StoreError.self) { try database.open([Self.show]) }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.suggestion?.contains("rename the \(name) `Show`") == true)
  }

  @Test func `a view that blocks a change is named`() throws {
    try database.open([Self.show])
    try database.execute("CREATE VIEW names AS SELECT name FROM Show")
    let smaller = Entity("Show", attributes: [Attribute("id", .int64)], unique: [["id"]])

    let error = #expect(throws: StoreError.self) { try database.open([smaller]) }
    #expect(error?.code == .incompatibleSchema)
    #expect(
      error?.suggestion?.hasPrefix("drop the view `names`, which reads `Show.name`,") == true)

    try database.execute("DROP VIEW names")
    try database.open([smaller])
    try database.expectAsDeclared([smaller])
  }

  @Test func `a view that blocks the removal of an entity is named`() throws {
    let tag = Entity("Tag", attributes: [Attribute("name", .string)], unique: [["name"]])
    try database.open([Self.show, tag])
    try database.execute("CREATE VIEW names AS SELECT name FROM Tag")
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .inferred(discarding: [.entity("Tag")])

    let plan = try PostgresMigrator(Schema([Self.show]), configuration).plan(database.connection)
    let error = #expect(throws: StoreError.self) {
      try database.open([Self.show], configuration)
    }

    #expect(plan.refusals.map(\.change) == [.removed])
    #expect(plan.steps == [])
    #expect(error?.code == .incompatibleSchema)
    #expect(error?.suggestion?.hasPrefix("drop the view `names`, which reads `Tag") == true)
  }

  @Test func `integers become wider without a declared migration`() throws {
    func show(_ type: AttributeType) -> [Entity] {
      [
        Entity(
          "Show", attributes: [Attribute("n", type, default: .int64(1), constraints: .range(0...9))]
        )
      ]
    }
    try database.open(show(.int16))
    try database.execute("INSERT INTO Show (n) VALUES (5)")

    try database.open(show(.int32))
    try database.open(show(.int64))

    try database.expectAsDeclared(show(.int64))
    #expect(try database.values("SELECT n FROM Show") == ["5"])
    #expect(throws: StoreError.self) { try database.open(show(.int16)) }
  }
}
