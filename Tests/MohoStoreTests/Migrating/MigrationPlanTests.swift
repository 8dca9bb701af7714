import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

@Suite struct MigrationPlanTests {
  private let old = Entity(
    "Show", attributes: [Attribute("name", .string), Attribute("extra", .int64, isOptional: true)],
    indexes: [["name"]])
  private let new = Entity(
    "Show",
    attributes: [Attribute("title", .string, renamedFrom: "name"), Attribute("year", .int64)],
    indexes: [["title"]])

  private func withStore(_ body: (String) throws -> Void) throws {
    try withStorePath { path in
      do {
        let store = try ModelStore(path: path, entities: [old])
        try store.write {
          try $0.execute(sql: "INSERT INTO Show VALUES (1, 'a', 2), (2, 'b', NULL)")
        }
        try store.writer.close()
      }
      try body(path)
    }
  }

  @Test func thePlanPrintsWhatWouldBeDoneAndTouchesNothing() throws {
    try withStore { path in
      let before = try Data(contentsOf: URL(filePath: path))

      let plan = try ModelStore.migrationPlan(
        path: path,
        entities: [
          Entity(
            "Show",
            attributes: [
              Attribute("title", .string, renamedFrom: "name"),
              Attribute("year", .int64, default: .int64(1999)),
            ], indexes: [["title"]])
        ])

      #expect(
        plan.description == """
          rename `Show.name` to `title`
            DROP INDEX "Show(name)"
            ALTER TABLE "Show" RENAME COLUMN "name" TO "title"
          rebuild `Show`
            CREATE TABLE "_moho new Show" ("_moho_id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, \
          "year" INTEGER NOT NULL DEFAULT 1999) STRICT
            INSERT INTO "_moho new Show" ("_moho_id", "title", "year") \
          SELECT "_moho_id", "title", 1999 FROM "Show"
            DROP TABLE "Show"
            ALTER TABLE "_moho new Show" RENAME TO "Show"
          create indexes and delete rules
            CREATE INDEX "Show(title)" ON "Show" ("title")
          deletes values: `Show.extra` has 1 value
          """)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(
        plan.differences.map(\.description) == [
          "`Show.title` was renamed from `name`", "`Show.year` is not in the table",
          "`Show.extra` is not in the model",
        ])
    }
  }

  @Test func whatIsRefusedIsSaid() throws {
    try withStore { path in
      let plan = try ModelStore.migrationPlan(path: path, entities: [new])

      #expect(plan.refusals.map(\.description) == ["`Show.year` is not in the table"])
      #expect(!plan.isEmpty)
    }
  }

  @Test func declaredMigrationsAreTriedOutOnEmptyTables() throws {
    try withStore { path in
      let before = try Data(contentsOf: URL(filePath: path))
      let configuration = StoreConfiguration(migrations: [
        Migration("years") { steps in
          steps.transform("extra", of: "Show", into: "year") { _ in
            Issue.record("no row is there to transform")
            return .int64(1)
          }
          steps.sql("UPDATE Show SET name = 'none'")
          steps.run("anything") { _ in Issue.record("is not run") }
        }
      ])

      let plan = try ModelStore.migrationPlan(
        path: path, entities: [new], configuration: configuration)

      #expect(
        plan.steps.map(\.summary) == [
          "years: transform the values of `Show.extra` into `year`", "years: run SQL",
          "years: anything", "rename `Show.name` to `title`", "rebuild `Show`",
          "create indexes and delete rules",
        ])
      #expect(plan.refusals == [])
      #expect(plan.losses == [])
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func aStoreThatIsNotThereWouldBeMade() throws {
    try withStorePath { path in
      let plan = try ModelStore.migrationPlan(path: path, entities: [old])

      #expect(plan.steps.flatMap(\.sql) == (try Schema([old]).statements))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aStoreThatIsAsDeclaredNeedsNothing() throws {
    try withStore { path in
      let plan = try ModelStore.migrationPlan(path: path, entities: [old])

      #expect(plan.isEmpty)
      #expect(plan.description == "nothing to do")
      #expect(try plan == ModelStore.migrationPlan(path: path, entities: [old]))
    }
  }
}
