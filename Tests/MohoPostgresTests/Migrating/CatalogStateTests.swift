import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests the state of the system catalog that lets a store open without comparing
/// its tables.
@Suite(.requiresPostgres)
struct CatalogStateTests {
  private let database: MigratedDatabase

  init() throws { database = try MigratedDatabase() }

  private static let show = Entity(
    "Show",
    attributes: [
      Attribute("id", .int64),
      Attribute("name", .string, default: .string("x"), constraints: [.length(1...9)]),
    ],
    relationships: [
      .toOne("parent", "Show", inverse: "children", whenThisIsDeleted: .nullify),
      .toMany("children", "Show", inverse: "parent", onDelete: .deny),
    ], unique: [["name"]], indexes: [["id", "name"]])

  private static let station = Entity("Station", attributes: [Attribute("name", .string)])

  private func isRecorded(_ entities: Entity...) throws -> Bool {
    let migrator = PostgresMigrator(try Schema(entities), PostgresConfiguration())
    let objects = try StoreObjects(migrator, in: database.connection.schemaName)
    return try CatalogState(migrator.tableNames, database.connection).isRecorded(objects.hash)
  }

  @Test func `a store whose tables have not changed does not compare them`() throws {
    #expect(try !isRecorded(Self.show))
    try database.open([Self.show])
    #expect(try isRecorded(Self.show))

    try database.execute("DELETE FROM _moho_store")
    try database.execute("INSERT INTO Show (id) VALUES (1)")
    try database.execute("ANALYZE Show")
    try database.open([Self.show])
    #expect(try database.values("SELECT count(*) FROM _moho_store") == ["0"])

    try database.execute("GRANT SELECT ON Show TO PUBLIC")
    try database.open([Self.show])
    #expect(try database.values("SELECT count(*) FROM _moho_store") != ["0"])
    #expect(try isRecorded(Self.show))
  }

  private static let changes = [
    #"ALTER TABLE "Show" ADD COLUMN other text"#,
    #"ALTER TABLE "Show" ALTER COLUMN name SET DEFAULT 'y'"#,
    #"ALTER TABLE "Show" ALTER COLUMN name DROP DEFAULT"#,
    #"ALTER TABLE "Show" ALTER COLUMN name DROP NOT NULL"#,
    #"ALTER TABLE "Show" ALTER COLUMN name TYPE varchar(50)"#,
    #"ALTER TABLE "Show" DROP CONSTRAINT name"#,
    #"ALTER TABLE "Show" DROP CONSTRAINT parent"#,
    #"ALTER TABLE "Show" DROP CONSTRAINT "Show(name) unique""#,
    #"DROP INDEX "Show(id,name)""#,
    #"ALTER INDEX "Show(id,name)" RENAME TO other"#,
    #"ALTER TABLE "Show" DISABLE TRIGGER ALL"#,
    #"DROP TRIGGER "Moho delete rule children" ON "Show""#,
    #"DROP TRIGGER "_moho log insert" ON "Show""#,
    "DROP FUNCTION moho_seconds",
    """
    CREATE OR REPLACE FUNCTION moho_seconds(date timestamptz) RETURNS float8 LANGUAGE sql
    AS 'SELECT 1::float8'
    """,
    #"DROP TABLE "Show" CASCADE"#,
    #"DROP TABLE "_moho listeners""#,
    #"ALTER TABLE "Show" RENAME TO "Other""#,
  ]

  @Test(arguments: changes) func `each change of an object is noticed`(sql: String) throws {
    try database.open([Self.show])
    #expect(try isRecorded(Self.show))

    try database.connection.execute(sql)

    #expect(try !isRecorded(Self.show))
  }

  @Test func `stores with different models share a schema`() throws {
    try database.open([Self.show])
    try database.open([Self.station])
    #expect(try isRecorded(Self.show) && isRecorded(Self.station))
    let triggers = """
      SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND tgname LIKE '_moho log %'
      """
    #expect(try database.values(triggers) == ["8"])

    let changed = Entity("Station", attributes: [Attribute("title", .string, isOptional: true)])
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .inferred(discarding: [.key("name", of: "Station")])
    try database.open([changed], configuration)
    #expect(try isRecorded(Self.show))
    #expect(try database.values(triggers) == ["8"])
    try database.execute("INSERT INTO Show (id) VALUES (1)")

    configuration.migrationPolicy = .inferred(discarding: [.entity("Station")])
    try database.open([Self.show], configuration)
    #expect(try database.values(triggers) == ["4"])
    #expect(
      try database.values(
        """
        SELECT count(*) FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND proname LIKE '%Station%'
        """) == ["0"])
  }

  @Test func `a policy that does not migrate compares the tables`() throws {
    var configuration = PostgresConfiguration()
    try database.open([Self.show, Self.station])
    try database.open([Self.show])
    configuration.migrationPolicy = .none
    let error = #expect(throws: StoreError.self) {
      try database.open([Self.show], configuration)
    }
    #expect(error?.code == .incompatibleSchema)
  }
}
