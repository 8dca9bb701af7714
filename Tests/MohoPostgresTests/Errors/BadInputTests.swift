import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import Testing

@testable import MohoPostgres

/// Wrong addresses, missing rights and limits of the server.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct BadInputTests {
  private let server: PostgresServer
  private let schema: Schema

  init() throws {
    server = try PostgresServer.shared()
    schema = try Schema([], entities: [Entity("Note", attributes: [Attribute("text", .string)])])
  }

  private func error(_ body: () throws -> Void) -> StoreError? {
    #expect(throws: StoreError.self) { try body() }
  }

  @Test(arguments: [
    ("postgresql://user:hidden@[/x", "pass a URL such as"),
    ("nonsense", "pass a URL such as"),
    ("postgresql://user:hid@den@host/x", "as `%40`"),
    ("postgresql:///x?host=/nowhere", "check the address"),
    ("postgresql://host.invalid/x", "check the name of the host"),
    ("postgresql:///x?sslmode=nonsense&host=/nowhere", "check the address"),
  ])
  func `an address without a server has advice`(url: String, advice: String) throws {
    let error = error { _ = try ModelStore(postgres: url, schema) }

    #expect(error?.code == .cannotConnect)
    #expect(error?.suggestion?.contains(advice) == true, "\(String(describing: error))")
    #expect("\(String(describing: error))".contains("hidden") == false)
  }

  @Test func `a wrong password is not repeated in the message`() throws {
    let user = "u\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN PASSWORD 'right' IN ROLE secured")
    let url = server.url(user: "\(user):wr0ng")

    let error = error { _ = try ModelStore(postgres: url, schema) }

    #expect(error?.code == .cannotConnect)
    #expect(error?.suggestion == "check the user and the password")
    #expect("\(String(describing: error))".contains("wr0ng") == false)
    _ = try PostgresConnection(server.url(user: "\(user):right"))
  }

  @Test func `unknown databases, users and schemas are named`() throws {
    let database = error { _ = try ModelStore(postgres: server.url(database: "nowhere"), schema) }
    let user = error { _ = try ModelStore(postgres: server.url(user: "nobody"), schema) }
    let namespace = error { _ = try ModelStore(postgres: server.url(schema: "nowhere"), schema) }

    #expect(database?.code == .cannotConnect)
    #expect(database?.suggestion == "create the database, or check its name")
    #expect(user?.suggestion == "create the user, or check its name")
    #expect(namespace?.code == .cannotOpen)
    #expect(namespace?.suggestion?.hasPrefix("create the schema") == true)
  }

  @Test func `an older server is refused with its version`() throws {
    let error = error { try PostgresConnection.checkVersion(130_004) }

    #expect(error?.code == .unsupportedServer)
    #expect(error?.reason == "the server has PostgreSQL 13, but 14 or later is required")
    try PostgresConnection.checkVersion(140_000)
  }

  @Test func `a missing right is named with its object and the statement that grants it`() throws {
    let url = try server.emptySchema()
    let name = try PostgresConnection(url).schemaName
    let user = "r\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(user)")
    let limited = server.url(schema: name, user: user)

    let creation = error { _ = try ModelStore(postgres: limited, schema) }
    #expect(creation?.code == .accessDenied)
    #expect(
      creation?.suggestion == #"execute `GRANT CREATE ON SCHEMA "\#(name)" TO "\#(user)"`"#)

    let owner = try ModelStore(postgres: url, schema)
    try server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO \(user)")
    let store = try ModelStore(postgres: limited, schema)
    let insertion = error {
      try store.write {
        try $0.reader.postgres.connection.execute(#"INSERT INTO "Note" (text) VALUES ('x')"#)
      }
    }
    #expect(insertion?.code == .accessDenied)
    #expect(
      insertion?.suggestion
        == #"execute `GRANT INSERT, UPDATE, DELETE ON "\#(name)"."Note" TO "\#(user)"`"#,
      "\(String(describing: insertion))")
    let count = try owner.read {
      try $0.postgres.connection.query(#"SELECT count(*) FROM "Note""#)[0].int(0)
    }
    #expect(count == 0)
  }

  @Test func `timeouts of statements and locks are errors with advice`() throws {
    let url = try server.emptySchema()
    var configuration = PostgresConfiguration()
    configuration.statementTimeout = 0.05
    let store = try ModelStore(postgres: url, schema, configuration)
    let statement = error {
      try store.write { try $0.reader.postgres.connection.execute("SELECT pg_sleep(60)") }
    }
    #expect(statement?.code == .busy)
    #expect(statement?.suggestion?.contains("statement timeout") == true)

    configuration.statementTimeout = nil
    configuration.lockTimeout = 0.05
    let waiting = try ModelStore(postgres: url, schema, configuration)
    try store.write { writer in
      try writer.reader.postgres.connection.query(#"LOCK TABLE "Note""#)
      let lock = error {
        try waiting.write {
          try $0.reader.postgres.connection.execute(#"INSERT INTO "Note" (text) VALUES ('x')"#)
        }
      }
      #expect(lock?.code == .busy)
      #expect(lock?.suggestion?.contains("lock timeout") == true)
    }
  }

  @Test(arguments: [
    ("53100", "could not extend file", StoreError.Code.full),
    ("54000", "too many notifications in the NOTIFY queue", .full),
    ("53200", "out of memory", .limitExceeded),
    ("58030", "could not read block", .inputOutput),
    ("XX001", "invalid page", .damaged),
    ("25006", "cannot execute INSERT in a read-only transaction", .readOnly),
    ("23P01", "conflicting key value violates exclusion constraint", .constraint),
  ])
  func `failures of the server have codes and advice`(
    state: String, message: String, code: StoreError.Code
  ) throws {
    let store = try ModelStore(postgres: server.emptySchema(), Schema([]))

    let error = error {
      try store.write {
        try $0.reader.postgres.connection.execute(
          "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)', MESSAGE = '\(message)'; END $$")
      }
    }

    #expect(error?.code == code)
    #expect(error?.reason == message)
    #expect((error?.suggestion != nil) == (code != .constraint))
  }
}
