import Foundation
import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// The triggers that record what a transaction has written, for rules over related rows.
@Suite(.engine(.postgres)) struct TransactionLogTests {
  private let server: PostgresServer
  private let url: String
  private let store: ModelStore
  private let namespace: String
  private let role = "r\(UUID().uuidString.prefix(8).lowercased())"

  /// Creates a house with two rooms and a tag.
  init() throws {
    server = try PostgresServer.shared()
    url = try server.emptySchema()
    namespace = try PostgresConnection(url).schemaName
    store = try ModelStore(postgres: url, Schema(Houses.models))
    try store.write { writer in
      try writer.save(
        Houses.House(
          id: 5, grade: 3, rooms: [Houses.Room(id: 1, name: 1), Houses.Room(id: 2, name: 2)],
          owner: nil, tags: [Houses.Tag(id: 1, weight: 4)], city: nil))
    }
  }

  /// Creates a role that can write to the tables, and returns the URL of its connections.
  private func makeRole() throws -> String {
    try server.execute(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(namespace) TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA \(namespace) TO \(role);
      GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA \(namespace) TO \(role)
      """)
    return server.url(schema: namespace, user: role)
  }

  /// Lets changes of tags change rooms, with the rights of the owner of the tables.
  private func renameRoomsWithTags(to name: Int) throws {
    try store.execute(
      """
      CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        UPDATE \(namespace)."Room" SET name = \(name) WHERE id = 2; RETURN NULL;
      END $$;
      CREATE TRIGGER rename AFTER UPDATE ON "Tag" FOR EACH STATEMENT EXECUTE FUNCTION rename()
      """)
  }

  private func expectRefusal(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.row == "`House` 5", sourceLocation: sourceLocation)
    #expect(error?.expected == "different rooms", sourceLocation: sourceLocation)
  }

  @Test func noCodeOfARoleRunsWithTheRightsOfTheOwner() throws {
    try renameRoomsWithTags(to: 3)
    let connection = try AdministratorConnection(makeRole())
    try connection.execute(
      """
      CREATE TEMPORARY TABLE "_moho transaction log" (
        seq int8, "table" text, kind int2, row_id int8, row_ids int8[], old bytea);
      GRANT ALL ON "_moho transaction log" TO PUBLIC;
      CREATE FUNCTION pg_temp.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM set_config('test.roles', concat(current_setting('test.roles', true), current_user, ' '), false);
        RETURN NEW;
      END $$;
      CREATE TRIGGER note BEFORE INSERT ON "_moho transaction log"
        FOR EACH ROW EXECUTE FUNCTION pg_temp.note();
      SET moho.transaction_tables = '"Room""House""Tag"'
      """)
    for statement in [
      "INSERT INTO \"Room\" (id, name, size) VALUES (3, 1, '{\"width\":1,\"height\":1}')",
      "UPDATE \"Room\" SET name = 7 WHERE id = 1", "UPDATE \"Tag\" SET weight = 5",
      "DELETE FROM \"House\"", "TRUNCATE \"Room\"",
    ] {
      try connection.execute(statement)

      let roles = try connection.execute("SELECT current_setting('test.roles', true)")[0][0] ?? ""
      #expect(!roles.split(separator: " ").contains("moho"), "\(statement): \(roles)")
    }
    #expect(try connection.execute("SELECT current_setting('test.roles')")[0][0]?.isEmpty == false)
  }

  @Test func changesThatAnotherRoleMakesInATransactionAreChecked() throws {
    try renameRoomsWithTags(to: 1)
    let other = try ModelStore(postgres: makeRole(), Schema(Houses.models))

    expectRefusal { try other.write { _ = try $0.save(Houses.Tag(id: 1, weight: 5)) } }
    expectRefusal { try store.write { _ = try $0.save(Houses.Tag(id: 1, weight: 5)) } }
    try other.write { _ = try $0.save(Houses.Room(id: 1, name: 9, house: ModelReference(key: 5))) }
    try other.write { _ = try $0.save(Houses.Tag(id: 1, weight: 5)) }

    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.rooms.map(\.name) == [9, 1])
  }

  @Test func onlyTablesOfSuchRulesHaveTheTriggers() throws {
    let other = try emptyStore(Shows.Podcast.self)
    let triggers = """
      SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND t.tgname LIKE '\\_moho log %'
      """
    let tables = store.schema.compiled.tables.count
    let ruleTables = try store.schema.rulesOverRelations.tables.count

    #expect(try other.values(triggers) == ["\(4 * other.schema.compiled.tables.count)"])
    #expect(try store.values(triggers) == ["\(4 * (tables + ruleTables))"])
    let definers = """
      SELECT proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      AND prosecdef AND (prosrc LIKE '%pg_temp%' OR prosrc LIKE '%transaction_tables%')
      """
    #expect(try store.values(definers) == [])
    #expect(try other.values(definers.replacing("prosecdef AND", with: "")) == [])
  }

  @Test func aStoreReceivesMissingTriggersWhenItIsOpened() throws {
    let triggers = """
      SELECT count(*) FROM pg_trigger WHERE tgrelid = '"Room"'::regclass
      AND tgname LIKE '\\_moho log of transaction %'
      """
    #expect(try store.values(triggers) == ["4"])
    try store.execute("DROP TRIGGER \"_moho log of transaction update\" ON \"Room\"")
    #expect(try store.values(triggers) == ["3"])

    let reopened = try ModelStore(postgres: url, Schema(Houses.models))

    #expect(try reopened.values(triggers) == ["4"])
    expectRefusal { try reopened.execute("UPDATE \"Room\" SET name = 1 WHERE id = 2") }
  }

  @Test func anOpenStoreChecksTablesWithoutTriggers() throws {
    try store.execute("DROP TRIGGER \"_moho log of transaction update\" ON \"Room\"")

    expectRefusal { try store.execute("UPDATE \"Room\" SET name = 1 WHERE id = 2") }
    try store.execute("UPDATE \"Room\" SET name = 3 WHERE id = 2")
  }

  @Test func aConnectionThatIsReadOnlyByDefaultCanWrite() throws {
    let options = "%20-cdefault_transaction_read_only%3Don"
    let other = try ModelStore(postgres: url + options, Schema(Houses.models))

    try other.write { try $0.save(Houses.Tag(id: 1, weight: 5)) }

    expectRefusal {
      try other.write {
        _ = try $0.save(Houses.Room(id: 2, name: 1, house: ModelReference(key: 5)))
      }
    }
    #expect(try store.fetch(ModelRequest<Houses.Tag>()).map(\.weight) == [5])
  }
}
