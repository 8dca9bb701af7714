import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct SearchIndexMigrationTests {
  private func show(
    _ attributes: [Attribute] = [Attribute("name", .string), Attribute("notes", .string)],
    searchable: [String]
  ) -> Entity {
    Entity("Show", attributes: attributes, searchable: searchable)
  }

  private func withStore(_ entity: Entity, _ body: (String) throws -> Void) throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, entities: [entity])
      try store.write {
        try $0.execute(
          sql: "INSERT INTO Show VALUES (1, 'Moon', 'rocks'), (7, 'Sun', 'moon and light')")
      }
      try store.writer.close()
      try body(path)
    }
  }

  /// Opens a store, and checks the rows that each word finds.
  private func expectRows(
    _ expected: KeyValuePairs<String, [Int64]>, _ path: String, _ entities: [Entity],
    _ configuration: StoreConfiguration = StoreConfiguration()
  ) throws {
    let store = try ModelStore(path: path, entities: entities, configuration: configuration)
    defer { try? store.writer.close() }
    for (word, rows) in expected {
      let request = RowRequest(entities[0].name).filter { $0.matches(word) }
      #expect(try store.fetchIdentities(request) == rows, "\(word)")
    }
    // The index is complete, and no difference remains.
    let (indexed, stored) = try store.writer.read { database in
      let name = entities[0].name
      return (
        try Int64.fetchAll(
          database, sql: "SELECT rowid FROM \"_moho search (\(name))\" ORDER BY 1"),
        try Int64.fetchAll(database, sql: "SELECT _moho_id FROM \"\(name)\" ORDER BY 1")
      )
    }
    #expect(indexed == stored)
    let plan = try ModelStore.migrationPlan(
      path: path, entities: entities, configuration: configuration)
    #expect(plan.isEmpty, "\(plan)")
  }

  @Test func thePlanNamesTheIndexToBuild() throws {
    try withStore(show(searchable: [])) { path in
      let plan = try ModelStore.migrationPlan(
        path: path, entities: [show(searchable: ["name", "notes"])])

      #expect(
        plan.description == """
          build the search index of `Show`
            CREATE VIRTUAL TABLE "_moho search (Show)" USING fts5(c0, c1, \
          tokenize="unicode61 remove_diacritics 2")
            CREATE TABLE "_moho search (Show) postponed" (row INTEGER) STRICT
            CREATE TRIGGER "_moho search (Show) insert" AFTER INSERT ON "Show" \
          WHEN NOT EXISTS (SELECT 1 FROM "_moho search (Show) postponed") BEGIN \
          DELETE FROM "_moho search (Show)" WHERE rowid = NEW."_moho_id"; \
          INSERT INTO "_moho search (Show)" (rowid, c0, c1) \
          VALUES (NEW."_moho_id", NEW."name", NEW."notes"); END
            CREATE TRIGGER "_moho search (Show) insert postponed" AFTER INSERT ON "Show" \
          WHEN EXISTS (SELECT 1 FROM "_moho search (Show) postponed") BEGIN \
          INSERT INTO "_moho search (Show) postponed" VALUES (NEW."_moho_id"); END
            CREATE TRIGGER "_moho search (Show) delete" AFTER DELETE ON "Show" \
          WHEN NOT EXISTS (SELECT 1 FROM "_moho search (Show) postponed") BEGIN \
          DELETE FROM "_moho search (Show)" WHERE rowid = OLD."_moho_id"; END
            CREATE TRIGGER "_moho search (Show) delete postponed" AFTER DELETE ON "Show" \
          WHEN EXISTS (SELECT 1 FROM "_moho search (Show) postponed") BEGIN \
          INSERT INTO "_moho search (Show) postponed" VALUES (OLD."_moho_id"); END
            CREATE TRIGGER "_moho search (Show) update" AFTER UPDATE OF "_moho_id", "name", "notes" ON "Show" \
          WHEN NOT EXISTS (SELECT 1 FROM "_moho search (Show) postponed") \
          AND (OLD."_moho_id" IS NOT NEW."_moho_id" OR OLD."name" IS NOT NEW."name" \
          OR OLD."notes" IS NOT NEW."notes") BEGIN \
          DELETE FROM "_moho search (Show)" WHERE rowid = OLD."_moho_id"; \
          DELETE FROM "_moho search (Show)" WHERE rowid = NEW."_moho_id"; \
          INSERT INTO "_moho search (Show)" (rowid, c0, c1) \
          VALUES (NEW."_moho_id", NEW."name", NEW."notes"); END
            CREATE TRIGGER "_moho search (Show) update postponed" AFTER UPDATE OF "_moho_id", "name", "notes" ON "Show" \
          WHEN EXISTS (SELECT 1 FROM "_moho search (Show) postponed") \
          AND (OLD."_moho_id" IS NOT NEW."_moho_id" OR OLD."name" IS NOT NEW."name" \
          OR OLD."notes" IS NOT NEW."notes") BEGIN \
          INSERT INTO "_moho search (Show) postponed" VALUES (OLD."_moho_id"), (NEW."_moho_id"); END
            INSERT INTO "_moho search (Show)" (rowid, c0, c1) \
          SELECT "_moho_id", "name", "notes" FROM "Show"
          """)
      #expect(
        plan.differences.map(\.description) == [
          "the search index of `Show` on `name`, `notes` is not in the store"
        ])
    }
  }

  @Test func anExistingTableIsIndexed() throws {
    try withStore(show(searchable: [])) { path in
      let entity = show(searchable: ["name", "notes"])

      try expectRows(["moon": [1, 7], "rocks": [1]], path, [entity])
    }
  }

  @Test func otherKeysBuildAnotherIndex() throws {
    try withStore(show(searchable: ["name"])) { path in
      try expectRows(["moon": [1]], path, [show(searchable: ["name"])])
      try expectRows(["moon": [7]], path, [show(searchable: ["notes"])])
      try expectRows(["moon": [1, 7]], path, [show(searchable: ["notes", "name"])])
    }
  }

  @Test func anUndeclaredIndexIsDropped() throws {
    try withStore(show(searchable: ["name"])) { path in
      let plan = try ModelStore.migrationPlan(path: path, entities: [show(searchable: [])])

      #expect(
        plan.description == """
          drop the search index of `Show`
            DROP TRIGGER "_moho search (Show) insert"
            DROP TRIGGER "_moho search (Show) insert postponed"
            DROP TRIGGER "_moho search (Show) delete"
            DROP TRIGGER "_moho search (Show) delete postponed"
            DROP TRIGGER "_moho search (Show) update"
            DROP TRIGGER "_moho search (Show) update postponed"
            DROP TABLE "_moho search (Show)"
            DROP TABLE "_moho search (Show) postponed"
          """)
      #expect(
        plan.differences.map(\.description) == ["the search index of `Show` is not in the model"])
      let store = try ModelStore(path: path, entities: [show(searchable: [])])
      let names = try store.writer.read {
        try String.fetchAll(
          $0, sql: "SELECT name FROM sqlite_schema WHERE name GLOB '_moho search*'")
      }
      #expect(names == [])
    }
  }

  @Test func aRenamedKeyIsIndexed() throws {
    try withStore(show(searchable: ["name"])) { path in
      let renamed = show(
        [Attribute("title", .string, renamedFrom: "name"), Attribute("notes", .string)],
        searchable: ["title"])

      try expectRows(["moon": [1]], path, [renamed])
    }
  }

  @Test func aRenamedEntityIsIndexed() throws {
    try withStore(show(searchable: ["name"])) { path in
      let renamed = Entity(
        "Series", attributes: [Attribute("name", .string), Attribute("notes", .string)],
        searchable: ["name"], renamedFrom: "Show")

      try expectRows(["moon": [1]], path, [renamed])
      let queue = try DatabaseQueue(path: path)
      #expect(try queue.read { try $0.tableExists("_moho search (Show)") } == false)
      try queue.close()
    }
  }

  @Test func aRebuiltTableIsIndexed() throws {
    try withStore(show(searchable: ["name"])) { path in
      let changed = show(
        [
          Attribute("name", .string, constraints: [.length(1...9)]), Attribute("notes", .string),
          Attribute("year", .int64, isOptional: true),
        ], searchable: ["name"])

      try expectRows(["moon": [1]], path, [changed])
      let store = try ModelStore(path: path, entities: [changed])
      try store.write { try $0.execute(sql: "UPDATE Show SET name = 'Io' WHERE _moho_id = 1") }
      #expect(
        try store.fetchIdentities(RowRequest("Show").filter { $0.matches("io") }) == [1])
    }
  }

  @Test func declaredMigrationsCanChangeSearchableKeys() throws {
    try withStore(show(searchable: ["name", "notes"])) { path in
      let configuration = StoreConfiguration(migrations: [
        Migration("shorten") { steps in
          steps.sql("ALTER TABLE Show DROP COLUMN notes")
          steps.transform("name", of: "Show") { content in
            if case .string(let text) = content { .string("old \(text)") } else { content }
          }
        }
      ])
      let shorter = show([Attribute("name", .string)], searchable: ["name"])

      let plan = try ModelStore.migrationPlan(
        path: path, entities: [shorter], configuration: configuration)
      let summaries = plan.steps.map(\.summary)
      #expect(summaries.first == "drop the search index of `Show`")
      #expect(summaries.last == "build the search index of `Show`")
      try expectRows(["moon": [1], "old": [1, 7], "rocks": []], path, [shorter], configuration)
    }
  }

  @Test func theIndexOfADiscardedEntityIsDropped() throws {
    try withStore(show(searchable: ["name"])) { path in
      let other = Entity("Other", attributes: [Attribute("text", .string)], searchable: ["text"])
      try expectRows([:], path, [other])
      let queue = try DatabaseQueue(path: path)
      #expect(try queue.read { try $0.tableExists("_moho search (Show)") })
      try queue.close()

      let configuration = StoreConfiguration(
        migrationPolicy: .inferred(discarding: [.entity("Show")]))
      try expectRows([:], path, [other], configuration)

      let again = try DatabaseQueue(path: path)
      #expect(try again.read { try $0.tableExists("_moho search (Show)") } == false)
      try again.close()
    }
  }

  @Test func aMissingTriggerBuildsTheIndexAgain() throws {
    try withStore(show(searchable: ["name"])) { path in
      let queue = try DatabaseQueue(path: path)
      try queue.write {
        try $0.execute(sql: #"DROP TRIGGER "_moho search (Show) update""#)
        try $0.execute(sql: "UPDATE Show SET name = 'Io' WHERE _moho_id = 1")
      }
      try queue.close()

      try expectRows(["io": [1], "moon": []], path, [show(searchable: ["name"])])
    }
  }

  @Test func anIndexWithoutPostponedUpdatesIsBuiltAgain() throws {
    try withStore(show(searchable: ["name"])) { path in
      let queue = try DatabaseQueue(path: path)
      try queue.write { try Self.buildFormerIndex($0) }
      try queue.close()

      try expectRows(["moon": [1]], path, [show(searchable: ["name"])])
    }
  }

  @Test func aTableWithoutItsIndexIsReplaced() throws {
    try withStore(show(searchable: ["name"])) { path in
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        for trigger in try Self.triggers(database) {
          try database.execute(sql: "DROP TRIGGER \"\(trigger)\"")
        }
        try database.execute(sql: #"DROP TABLE "_moho search (Show)""#)
        try database.execute(sql: #"INSERT INTO "_moho search (Show) postponed" VALUES (NULL)"#)
      }
      try queue.close()

      try expectRows(["moon": [1]], path, [show(searchable: ["name"])])
    }
  }

  /// While a store is open, a program with an older version of the library can build the
  /// index without the table of postponed updates, or with triggers that do not use it.
  @Test(arguments: [false, true])
  func anOpenStoreWritesAnIndexOfAnOlderVersion(dropsTable: Bool) throws {
    try withStore(show(searchable: ["name"])) { path in
      let store = try ModelStore(path: path, entities: [show(searchable: ["name"])])
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        try Self.buildFormerIndex(database)
        if dropsTable { try database.execute(sql: #"DROP TABLE "_moho search (Show) postponed""#) }
      }
      try queue.close()
      let context = EditingContext(store)
      for name in ["Io", "Europa", "Io again"] {
        let row = try context.insert("Show")
        try row.set("name", to: name)
        try row.set("notes", to: "")
      }

      try context.save()

      #expect(try store.fetchCount(RowRequest("Show").filter { $0.matches("io") }) == 2)
    }
  }

  private static func triggers(_ database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '_moho search*'")
  }

  /// Replaces the triggers by those of a version that postpones no updates.
  private static func buildFormerIndex(_ database: Database) throws {
    for trigger in try triggers(database) {
      try database.execute(sql: "DROP TRIGGER \"\(trigger)\"")
    }
    let removals = ["OLD", "NEW"].map {
      "DELETE FROM \"_moho search (Show)\" WHERE rowid = \($0).\"_moho_id\"; "
    }
    let insertion = """
      INSERT INTO "_moho search (Show)" (rowid, c0) VALUES (NEW."_moho_id", NEW."name");
      """
    for (name, event, body) in [
      ("insert", "INSERT", removals[1] + insertion), ("delete", "DELETE", removals[0]),
      ("update", "UPDATE", removals[0] + removals[1] + insertion),
    ] {
      try database.execute(
        sql: """
          CREATE TRIGGER "_moho search (Show) \(name)" AFTER \(event) ON "Show" BEGIN \(body) END
          """)
    }
  }

  @Test func aStoreThatMayNotMigrateRefusesAnIndex() throws {
    try withStore(show(searchable: [])) { path in
      let error = #expect(throws: StoreError.self) {
        try ModelStore(
          path: path, entities: [show(searchable: ["name"])],
          configuration: StoreConfiguration(migrationPolicy: .none))
      }

      #expect(error?.code == .incompatibleSchema)
      #expect(error?.reason == "the search index of `Show` on `name` is not in the store")
    }
  }
}
