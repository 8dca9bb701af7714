import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Wrong addresses, missing rights and limits of the server.
@Suite(.requiresPostgres)
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

  @Test func `a store that does not exist is not created unless it may be`() throws {
    let url = try server.emptySchema()
    let name = try PostgresConnection(url).schemaName
    for isReadOnly in [false, true] {
      var configuration = PostgresConfiguration()
      configuration.createsTables = false
      configuration.isReadOnly = isReadOnly

      let error = error { _ = try ModelStore(postgres: url, schema, configuration) }

      #expect(error?.code == .storeNotFound)
      #expect(error?.reason.contains("`\(name)` has no tables") == true)
      #expect(error?.subject?.hasPrefix("postgresql://moho@/postgres?host=/") == true)
    }
    let objects = try server.execute(
      "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = '\(name)'::regnamespace)"
        + " + (SELECT count(*) FROM pg_proc WHERE pronamespace = '\(name)'::regnamespace)")
    #expect(objects == [["0"]])

    var configuration = PostgresConfiguration()
    configuration.createsTables = false
    _ = try ModelStore(postgres: url, schema)
    _ = try ModelStore(postgres: url, schema, configuration)
  }

  @Test func `a transaction that always conflicts runs a limited number of times`() throws {
    var configuration = PostgresConfiguration()
    configuration.maximumRetryCount = 3
    let store = try ModelStore(postgres: server.emptySchema(), Schema([]), configuration)
    for state in ["40P01", "40001"] {
      var runs = 0

      let error = error {
        try store.write {
          runs += 1
          try $0.reader.postgres.connection.execute(
            "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)', MESSAGE = 'deadlock'; END $$")
        }
      }

      #expect(runs == 4)
      #expect(error?.code == .conflict)
      #expect(error?.reason == "deadlock, also after 3 retries")
    }
  }

  @Test func `a missing right is named with its object and the statement that grants it`() throws {
    let url = try server.emptySchema()
    let name = try PostgresConnection(url).schemaName
    let user = "r\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(name) TO \(user)")
    let limited = server.url(schema: name, user: user)

    try server.execute("REVOKE USAGE ON SCHEMA \(name) FROM \(user)")
    let usage = error { _ = try ModelStore(postgres: limited, schema) }
    #expect(usage?.code == .accessDenied)
    #expect(usage?.suggestion == #"execute `GRANT USAGE ON SCHEMA \#(name) TO "\#(user)"`"#)
    try server.execute("GRANT USAGE ON SCHEMA \(name) TO \(user)")

    let creation = error { _ = try ModelStore(postgres: limited, schema) }
    #expect(creation?.code == .accessDenied)
    #expect(creation?.reason.hasSuffix("; the user lacks the right CREATE") == true)
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
      insertion?.reason.hasSuffix("; the user lacks the rights INSERT, UPDATE, DELETE") == true)
    #expect(
      insertion?.suggestion
        == #"execute `GRANT INSERT, UPDATE, DELETE ON "\#(name)"."Note" TO "\#(user)"`"#,
      "\(String(describing: insertion))")
    let observation = error {
      _ = try store.observe({ _ in Observer() }, onCommit: { _, _, _ in })
    }
    #expect(observation?.code == .accessDenied)
    #expect(
      observation?.suggestion
        == #"execute `GRANT INSERT, UPDATE, DELETE ON "\#(name)"."_moho listeners" TO "\#(user)"`"#)
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
    #expect(statement?.suggestion?.contains("`statementTimeout`") == true)

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
      #expect(lock?.suggestion?.contains("`lockTimeout`") == true)
    }
  }

  @Test(arguments: [
    ("53100", "could not extend file", StoreError.Code.full),
    ("54000", "too many notifications in the NOTIFY queue", .limitExceeded),
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

private final class Observer: Sendable {}
