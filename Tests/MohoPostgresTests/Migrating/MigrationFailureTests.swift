import Campaigns
import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests migrations that fail, and that nothing of them is written.
@Suite(.requiresPostgres)
struct MigrationFailureTests {
  private let server: PostgresServer
  private let database: MigratedDatabase
  private let user = "r\(UUID().uuidString.prefix(8).lowercased())"

  init() throws {
    server = try PostgresServer.shared()
    database = try MigratedDatabase()
  }

  private var namespace: String { database.connection.schemaName }

  private static func show(
    _ attributes: Attribute..., rule: DeleteRule = .nullify, renamedFrom old: String? = nil
  ) -> Entity {
    Entity(
      "Show", attributes: [Attribute("name", .string)] + attributes,
      relationships: [
        .toOne("parent", "Show", inverse: "children"),
        .toMany("children", "Show", inverse: "parent", onDelete: rule),
      ], unique: [["name"]], renamedFrom: old)
  }

  private static let later = show(Attribute("rank", .int64, default: .int64(3)))

  private func configuration(
    _ steps: (inout MigrationSteps) -> Void
  ) -> PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.migrations = [Migration("first", steps)]
    return configuration
  }

  /// The versions of all relations, and the rows of the table.
  private func state() throws -> [String] {
    try database.values(
      """
      SELECT relname, xmin FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      """
    ).sorted() + database.values("SELECT name, parent FROM Show").sorted()
  }

  private func openAsUser(
    _ entity: Entity, options: String = "",
    _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    _ = try ModelStore(
      postgres: server.url(schema: namespace, user: user) + options, Schema([entity]),
      configuration)
  }

  @Test func `the owner of a table is needed to change it`() throws {
    try database.open([Self.show()])
    try server.execute(
      """
      CREATE ROLE \(user) LOGIN; GRANT ALL ON SCHEMA \(namespace) TO \(user);
      GRANT ALL ON ALL TABLES IN SCHEMA \(namespace) TO \(user);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA \(namespace) TO \(user)
      """)
    let old = try state()

    try openAsUser(Self.show())
    let error = #expect(throws: StoreError.self) { try openAsUser(Self.later) }

    #expect(error?.code == .accessDenied)
    #expect(
      error?.suggestion
        == "open the store as the owner of its tables, or execute"
        + #" `ALTER TABLE "\#(namespace)"."Show" OWNER TO "\#(user)"`"#)
    #expect(try state() == old)
  }

  @Test func `the right to create in the schema is needed for a new table`() throws {
    try database.open([Self.show()])
    try server.execute("CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(namespace) TO \(user)")
    for table in try database.values(
      """
      SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind = 'r'
      """)
    { try server.execute("ALTER TABLE \(namespace).\"\(table)\" OWNER TO \(user)") }
    let functions = "ALTER ROUTINE %I.%I OWNER TO \(user)"
    try server.execute(
      """
      DO $$ DECLARE f record; BEGIN
        FOR f IN SELECT proname FROM pg_proc WHERE pronamespace = '\(namespace)'::regnamespace
        LOOP EXECUTE format('\(functions)', '\(namespace)', f.proname); END LOOP;
      END $$
      """)
    let old = try state()

    let other = Entity("Other", attributes: [Attribute("name", .string)])
    let error = #expect(throws: StoreError.self) { try openAsUser(other) }

    #expect(error?.code == .accessDenied)
    #expect(
      error?.suggestion == #"execute `GRANT CREATE ON SCHEMA "\#(namespace)" TO "\#(user)"`"#)
    #expect(try state() == old)
  }

  @Test func `a connection that only reads does not migrate`() throws {
    try server.execute("CREATE ROLE \(user) LOGIN SUPERUSER")
    try database.open([Self.show()])
    let old = try state()
    let options = "%20-cdefault_transaction_read_only%3Don"

    try openAsUser(Self.show(), options: options)
    let error = #expect(throws: StoreError.self) {
      try openAsUser(Self.later, options: options)
    }

    #expect(error?.code == .readOnly)
    #expect(error?.suggestion?.contains("target_session_attrs=read-write") == true)
    #expect(try state() == old)
  }

  @Test(.enabled(if: Campaign.isRunning, "runs in campaigns"))
  func `a standby refuses to open a store that must be migrated`() throws {
    let primary = try PostgresServer()
    _ = try ModelStore(postgres: primary.url(), Schema([Self.show()]))
    let standby = try PostgresServer(standbyOf: primary)

    _ = try ModelStore(postgres: standby.url(), Schema([Self.show()]))
    let error = #expect(throws: StoreError.self) {
      try ModelStore(postgres: standby.url(), Schema([Self.later]))
    }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.suggestion == "open the store once on the primary server")
    #expect(error?.differences.map(\.description) == ["`Show.rank` is not in the table"])
  }

  @Test func `a full disk undoes the migration`() throws {
    try database.open([Self.show()])
    try database.execute("INSERT INTO Show (name) VALUES ('a')")
    let old = try state()
    let configuration = configuration { steps in
      steps.sql(#"UPDATE "Show" SET name = 'b'"#)
      steps.sql(
        """
        DO $$ BEGIN
          RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file';
        END $$
        """)
    }

    let error = #expect(throws: StoreError.self) {
      try database.open([Self.later], configuration)
    }

    #expect(error?.code == .full)
    #expect(error?.suggestion == "free up disk space on the server")
    #expect(try state() == old)
  }

  @Test func `a table that is rewritten can be filled`() throws {
    try database.open([
      Self.show(Attribute("rank", .int64), Attribute("note", .string, isOptional: true))
    ])
    try database.execute(
      "INSERT INTO Show (name, rank) VALUES ('a', 1), ('b', 2); UPDATE Show SET parent = 1")
    let rewritten = Self.show(
      Attribute("rank", .decimal), Attribute("note", .string, default: .string("x")))

    try database.open([rewritten])

    #expect(
      try database.values("SELECT name, rank, note, parent FROM Show ORDER BY 1")
        == ["a|1|x|1", "b|2|x|1"])
    try database.expectAsDeclared([rewritten])
  }
}
