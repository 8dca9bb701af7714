import Campaigns
import CommandTesting
import Fixtures
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Processes that migrate a store at once, and processes that are killed while they
/// migrate it. `MOHO_MIGRATION_ROUNDS` is the number of rounds.
@Suite(.requiresPostgres)
struct ConcurrentMigrationTests {
  private static func rounds(short: Int, full: Int) -> Int {
    Campaign.count("MOHO_MIGRATION_ROUNDS", short: short, full: full)
  }

  /// The definitions of all objects of a schema, and its rows.
  private func state(_ url: String) throws -> [String] {
    let connection = try AdministratorConnection(url)
    func texts(_ sql: String) throws -> [String] {
      try connection.execute(sql).map { $0.map { $0 ?? "NULL" }.joined(separator: "|") }.sorted()
    }
    let namespace = "current_schema()::regnamespace"
    return try texts(
      """
      SELECT c.relname, a.attname, a.attnum, a.atttypid, a.attnotnull FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid WHERE relnamespace = \(namespace) AND attnum > 0
      """)
      + texts("SELECT conname FROM pg_constraint WHERE connamespace = \(namespace)")
      + texts("SELECT proname, prosrc FROM pg_proc WHERE pronamespace = \(namespace)")
      + texts(
        """
        SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = \(namespace) AND NOT tgisinternal
        """)
      + texts(#"SELECT * FROM "Track""#) + texts("SELECT * FROM _moho_store")
  }

  /// Copies the tables of a store with rows of the old version into a new schema.
  private func oldStore(_ server: PostgresServer) throws -> String {
    let url = try server.emptySchema()
    let store = try ModelStore(postgres: url, models: Track.self)
    try store.write { writer in
      try writer.save((0..<20).flatMap(Track.batch))
    }
    return url
  }

  @Test func `processes that start at once migrate once`() throws {
    let server = try PostgresServer.shared()
    let folder = try TemporaryFolder()
    let rounds = Self.rounds(short: 1, full: 40)
    var migrated: Set<[String]> = []
    for round in 0..<rounds {
      let url = try oldStore(server)
      let programs = try (0..<4).map { _ in
        try KillableProgram(["migrate"], store: url, outputPath: folder.path("start"))
      }
      let results = try programs.map { try $0.lines() }
      #expect(results.map(\.status) == [0, 0, 0, 0], "round \(round)")
      #expect(results.allSatisfy { $0.lines == ["open", "done"] }, "round \(round)")
      let name = try PostgresConnection(url).schemaName
      migrated.insert(try state(url).map { $0.replacing(name, with: "the schema") })
    }
    #expect(migrated.count == 1)
    print("processes that migrated at once: \(rounds) times 4")
  }

  @Test func `stores that open at once run each step once`() async throws {
    let server = try PostgresServer.shared()
    let rounds = Self.rounds(short: 2, full: 100)
    for round in 0..<rounds {
      let url = try server.emptySchema()
      // The first version is created by all stores at once, too.
      for version in 0..<2 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              var configuration = PostgresConfiguration()
              if version == 1 {
                configuration.migrations = [
                  Migration("count") { $0.sql(#"INSERT INTO "Count" VALUES (1)"#) }
                ]
              }
              _ = try await ModelStore(
                postgres: url, models: Track.self, configuration: configuration)
            }
          }
          try await group.waitForAll()
        }
        if version == 0 {
          try AdministratorConnection(url).execute(#"CREATE TABLE "Count" (number int)"#)
        }
      }
      let count = try AdministratorConnection(url).execute(#"SELECT count(*) FROM "Count""#)
      #expect(count == [["1"]], "round \(round)")
    }
    print("stores that migrated at once: \(rounds) times 4")
  }

  @Test func `a migration that is killed leaves the old or the new tables`() throws {
    let server = try PostgresServer.shared()
    let folder = try TemporaryFolder()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let kills = Self.rounds(short: 2, full: 100)
    var (olds, news) = (0, 0)
    let begin = ContinuousClock.now
    _ = try KillableProgram(
      ["migrate"], store: oldStore(server), outputPath: folder.path("whole")
    ).lines()
    let duration = (ContinuousClock.now - begin) / .seconds(1)
    for kill in 0..<kills {
      let comment: Comment = "seed \(seed), kill \(kill)"
      let url = try oldStore(server)
      let old = try state(url)
      let program = try KillableProgram(["migrate"], store: url, outputPath: folder.path("kill"))
      program.kill(after: duration * Double(generator.below(1_000)) / 1e3)
      let (lines, _) = try program.lines()

      // The server ends the transaction of a lost client. The lock waits for it.
      let connection = try PostgresConnection(url)
      try connection.query(
        "SELECT pg_advisory_lock(hashtextextended('moho ' || current_schema(), 0))::text")
      let found = try state(url)
      try connection.query("SELECT pg_advisory_unlock_all()::text")
      let finished = try KillableProgram(
        ["migrate"], store: url, outputPath: folder.path("finish")
      ).lines()
      #expect(finished.lines == ["open", "done"], comment)
      let new = try state(url)
      #expect(found == old || found == new, comment)
      #expect(!lines.contains("done") || found == new, comment)
      if found == old { olds += 1 } else { news += 1 }
    }
    print("kills of migrations: \(kills), undone: \(olds), completed: \(news)")
  }
}
