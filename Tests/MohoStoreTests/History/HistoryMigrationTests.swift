import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// The history of stores that are migrated.
@Suite(.allEngines) struct HistoryMigrationTests {
  private static let old = [
    Entity(
      "Episode", attributes: [Attribute("id", .int64), Attribute("title", .string)],
      relationships: [
        .toOne("show", "Show", inverse: "episodes"), .toMany("tags", "Tag"),
      ], unique: [["id"]]),
    Entity(
      "Show", attributes: [Attribute("name", .string)],
      relationships: [.toMany("episodes", "Episode", inverse: "show")], unique: [["name"]]),
    Entity("Tag", attributes: [Attribute("name", .string)], unique: [["name"]]),
  ]

  private static func open(
    _ database: MigratedStore, _ entities: [Entity], _ history: HistoryPolicy = .enabled(),
    _ options: MigrationOptions = MigrationOptions()
  ) throws -> ModelStore {
    var options = options
    options.history = history
    return try database.open(Schema(entities), with: options)
  }

  /// Creates a store with recorded changes, and returns the token before them.
  private static func create(_ database: MigratedStore) throws -> HistoryToken {
    let store = try open(database, old)
    try run(
      """
      INSERT INTO "Show" (name) VALUES ('core'), ('gone');
      INSERT INTO "Tag" (name) VALUES ('a');
      INSERT INTO "Episode" (id, title, show) VALUES (1, 'Lava', 1), (2, 'Ash', 1);
      """, in: store)
    let token = try store.currentHistoryToken()
    try run(
      """
      UPDATE "Episode" SET title = 'Magma' WHERE id = 1;
      UPDATE "Episode" SET show = NULL WHERE id = 2;
      INSERT INTO "_moho_Episode_tags" (source, target) VALUES (1, 1);
      DELETE FROM "Show" WHERE name = 'gone';
      """, in: store)
    return token
  }

  private static func run(_ sql: String, in store: ModelStore) throws {
    try store.write { try $0.execute(sql: sql) }
  }

  private static func lines(_ store: ModelStore, since token: HistoryToken?) throws -> [String] {
    try store.fetchChanges(since: token).rows.map(\.description).sorted()
  }

  @Test func anAddedKeyIsRecorded() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      var entities = Self.old
      entities[0] = Entity(
        "Episode",
        attributes: [
          Attribute("id", .int64), Attribute("title", .string),
          Attribute("season", .int64, default: .int64(1)),
        ], relationships: entities[0].relationships, unique: [["id"]])

      let store = try Self.open(database, entities, .unchanged)
      let recorded = [
        "delete `Show` \"gone\"", "update `Episode` 1: tags, title",
        "update `Episode` 2: show", "update `Show` \"core\": episodes",
      ]
      // The migration is not recorded.
      #expect(try Self.lines(store, since: token) == recorded)
      let next = try store.currentHistoryToken()
      try Self.run("UPDATE \"Episode\" SET season = 2 WHERE id = 2", in: store)
      #expect(try Self.lines(store, since: next) == ["update `Episode` 2: season"])
    }
  }

  @Test func renamedEntitiesAndKeysAreRenamedInTheHistory() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      let entities = [
        Entity(
          "Item", attributes: [Attribute("id", .int64), Attribute("headline", .string)],
          relationships: [
            .toOne("podcast", "Podcast", inverse: "episodes"), .toMany("labels", "Tag"),
          ], unique: [["id"]]),
        Entity(
          "Podcast", attributes: [Attribute("title, full", .string)],
          relationships: [.toMany("episodes", "Item", inverse: "podcast")],
          unique: [["title, full"]]),
        Self.old[2],
      ]
      let renamings = [
        Renaming(entity: "Item", from: "Episode"), Renaming(entity: "Podcast", from: "Show"),
        Renaming(key: "headline", of: "Item", from: "title"),
        Renaming(key: "podcast", of: "Item", from: "show"),
        Renaming(key: "labels", of: "Item", from: "tags"),
        Renaming(key: "title, full", of: "Podcast", from: "name"),
      ]
      let store = try Self.open(
        database, entities, .unchanged, MigrationOptions(renamings: renamings))

      #expect(
        try Self.lines(store, since: token) == [
          "delete `Podcast` \"gone\"", "update `Item` 1: headline, labels",
          "update `Item` 2: podcast", "update `Podcast` \"core\": episodes",
        ])
      let next = try store.currentHistoryToken()
      try Self.run("UPDATE \"Item\" SET headline = 'x', podcast = 1 WHERE id = 2", in: store)
      #expect(
        try Self.lines(store, since: next) == [
          "update `Item` 2: headline, podcast", "update `Podcast` \"core\": episodes",
        ])
    }
  }

  @Test func aDifferentUniqueKeyEndsTheHistory() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      var entities = Self.old
      entities[1] = Entity(
        "Show",
        attributes: [Attribute("name", .string), Attribute("host", .string, default: .string(""))],
        relationships: [.toMany("episodes", "Episode", inverse: "show")],
        identifiedBy: ["host", "name"])

      let store = try Self.open(database, entities, .unchanged)
      let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
      #expect(error?.code == .historyDeleted)
      #expect(try store.fetchHistory(since: nil) == [])
      let next = try store.currentHistoryToken()
      try Self.run("DELETE FROM \"Episode\"; DELETE FROM \"Show\"", in: store)
      #expect(
        try Self.lines(store, since: next).last { $0.contains("Show") }
          == "delete `Show` \(FieldContent.array([.string(""), .string("core")]))")
    }
  }

  @Test func declaredMigrationsAreNotRecorded() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      let migration = Migration("upper") { steps in
        steps.transform("title", of: "Episode") { _ in .string("x") }
        steps.sql("UPDATE \"Show\" SET name = upper(name)")
      }
      let store = try Self.open(
        database, Self.old, .unchanged, MigrationOptions(migrations: [migration]))

      #expect(try Self.lines(store, since: token).contains("delete `Show` \"gone\""))
      let last = try store.fetchHistory(since: token).last?.token
      #expect(try store.fetchHistory(since: last) == [])
      try Self.run("UPDATE \"Show\" SET name = 'y'", in: store)
      #expect(try Self.lines(store, since: token).contains("insert `Show` \"y\""))
    }
  }

  @Test func aRemovedEntityIsOmitted() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      let entities = [
        Entity("Tag", attributes: [Attribute("name", .string)], unique: [["name"]])
      ]
      let store = try Self.open(
        database, entities, .unchanged,
        MigrationOptions(
          policy: .inferred(discarding: [.entity("Episode"), .entity("Show")])))

      #expect(try Self.lines(store, since: token) == [])
      try Self.run("UPDATE \"Tag\" SET name = 'b'", in: store)
      #expect(try Self.lines(store, since: token) == ["delete `Tag` \"a\"", "insert `Tag` \"b\""])
    }
  }

  @Test func enablingTheHistoryIsNotAMigration() throws {
    let database = try MigratedStore()
    do {
      do { _ = try Self.open(database, Self.old, .unchanged) }
      let plan = try database.plan(Schema(Self.old))
      let store = try Self.open(
        database, Self.old, .enabled(), MigrationOptions(policy: .none))
      try Self.run("INSERT INTO \"Tag\" (name) VALUES ('a')", in: store)

      #expect(plan.isEmpty)
      #expect(try Self.lines(store, since: nil) == ["insert `Tag` \"a\""])
      #expect(try database.plan(Schema(Self.old)).isEmpty)
    }
  }

  @Test func aPlanOfAMigrationDoesNotContainTheHistory() throws {
    let database = try MigratedStore()
    do {
      _ = try Self.create(database)
      var entities = Self.old
      entities[2] = Entity(
        "Tag",
        attributes: [Attribute("name", .string), Attribute("color", .string, isOptional: true)],
        unique: [["name"]])

      let plan = try database.plan(Schema(entities))

      #expect(!plan.isEmpty)
      #expect(!"\(plan)\(plan.steps)".contains("history"))
    }
  }

  @Test func aFailedMigrationKeepsTheHistory() throws {
    let database = try MigratedStore()
    do {
      let token = try Self.create(database)
      struct Failure: Error {}
      let migration = Migration("fails") { steps in
        steps.transform("title", of: "Episode") { _ in throw Failure() }
      }
      #expect(throws: StoreError.self) {
        try Self.open(database, Self.old, .unchanged, MigrationOptions(migrations: [migration]))
      }

      let store = try Self.open(database, Self.old, .unchanged)
      try Self.run("UPDATE \"Tag\" SET name = 'b'", in: store)
      #expect(try Self.lines(store, since: token).count == 6)
    }
  }
}
