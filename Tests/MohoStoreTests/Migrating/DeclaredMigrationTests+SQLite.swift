import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Synchronization
import Testing

extension DeclaredMigrationTests {
  @Test(.engine(.sqlite)) func aClosureIsRunOnce() throws {
    let runs = Mutex<[String]>([])
    let migration = Migration("note") { steps in
      steps.run("note") { database in
        let titles = try String.fetchAll(database, sql: "SELECT title FROM Episode ORDER BY id")
        runs.withLock { $0 += titles }
      }
    }

    try database.open(First.self, with: .migrating(migration))
    try database.open(First.self, with: .migrating(migration))

    #expect(runs.withLock { $0 } == ["b", "a"])
  }

  @Test(.engine(.sqlite)) func aClosureThatFailsLeavesTheStoreAsItWas() throws {
    let error = try expectRefused(
      Migration("failing") { steps in
        steps.run("refuse") { database in
          try database.execute(sql: "DELETE FROM Episode")
          throw Refusal()
        }
      })

    #expect(error?.code == .migrationFailed)
    #expect(error?.reason.contains("Refusal") == true)
  }

  @Test(.engine(.sqlite)) func progressIsReportedWhileRowsAreCopied() throws {
    let database = try MigratedStore()
    let old = Entity("E", attributes: [Attribute("a", .int64)])
    let new = Entity("E", attributes: [Attribute("a", .int64, isOptional: true)], indexes: [["a"]])
    try database.open(old)
    try database.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
      INSERT INTO E (a) SELECT i FROM n
      """)

    #expect(throws: Refusal.self) {
      try database.open(
        new, with: MigrationOptions { if $0.rows >= 10_000 { throw Refusal() } })
    }
    try database.expectAsDeclared(old)

    let reported = Mutex<[MigrationProgress]>([])
    try database.open(
      new, with: MigrationOptions { step in reported.withLock { $0.append(step) } })
    let steps = reported.withLock { $0 }
    #expect(steps.map(\.rows) == [0, 10_000, 20_000, 25_000, 0])
    #expect(steps.map(\.step) == [1, 1, 1, 1, 2])
    #expect(steps.allSatisfy { $0.stepCount == 2 })
    #expect(steps[0].summary == "rebuild `E`")
  }

  @Test(.engine(.sqlite)) func progressCountsTheDeclaredStepsAndTransformedRows() throws {
    let reported = Mutex<[MigrationProgress]>([])

    try database.open(
      Second.self,
      with: MigrationOptions(migrations: [Self.steps]) { step in
        reported.withLock { $0.append(step) }
      })

    let steps = reported.withLock { $0 }.filter { $0.summary.hasPrefix("add seasons: ") }
    #expect(Set(steps.map(\.step)) == [1, 2, 3, 4])
    #expect(steps.allSatisfy { $0.stepCount == 4 })
    #expect(Set(steps.map(\.rows)) == [0, 2])
  }

  @Test(.engine(.sqlite)) func aStoreInsideATransactionOfItsWriterIsNotMigrated() throws {
    let before = try database.contents()

    let error = try database.queue.write { _ in
      #expect(throws: StoreError.self) {
        try database.open(Second.self, with: .migrating(Self.steps))
      }
    }

    #expect(error?.suggestion == "open the store outside of a transaction")
    #expect(try database.contents() == before)
  }
}
