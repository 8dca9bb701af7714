import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension MigrationPlanTests {
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

  @Test(.engine(.sqlite)) func thePlanPrintsWhatWouldBeDoneAndTouchesNothing() throws {
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
    }
  }

  @Test(.engine(.sqlite)) func closuresAreNotRunAndTheFileIsNotWritten() throws {
    try withStore { path in
      let before = try Data(contentsOf: URL(filePath: path))
      let configuration = StoreConfiguration(migrations: [
        Migration("years") { steps in
          steps.transform("extra", of: "Show", into: "year") { $0 }
          steps.run("anything") { _ in Issue.record("is not run") }
        }
      ])

      let plan = try ModelStore.migrationPlan(
        path: path, entities: [new], configuration: configuration)

      #expect(
        plan.steps.map(\.summary) == [
          "years: transform the values of `Show.extra` into `year`", "years: anything",
          "rename `Show.name` to `title`", "rebuild `Show`", "create indexes and delete rules",
        ])
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test(.engine(.sqlite)) func aFileThatDoesNotExistIsNotCreated() throws {
    try withStorePath { path in
      let plan = try ModelStore.migrationPlan(path: path, entities: [old])

      #expect(plan.steps.flatMap(\.sql) == (try Schema([old]).statements))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
