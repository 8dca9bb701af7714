import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests migrations of full-text indexes on PostgreSQL.
@Suite(.requiresPostgres)
struct PostgresSearchMigrationTests {
  private let database: MigratedDatabase

  init() throws {
    database = try MigratedDatabase()
  }

  private func show(
    _ attributes: [Attribute] = [Attribute("name", .string), Attribute("notes", .string)],
    searchable: [String]
  ) -> Entity {
    Entity("Show", attributes: attributes, searchable: searchable)
  }

  /// Creates a store with two rows.
  private func create(searchable: [String]) throws {
    try database.open([show(searchable: searchable)])
    try database.execute(
      "INSERT INTO Show VALUES (1, 'Moon', 'rocks'), (7, 'Sun', 'moon and light')")
  }

  /// Opens a store, and checks the rows that each word finds.
  private func expectRows(
    _ expected: KeyValuePairs<String, [Int64]>, _ entities: [Entity],
    _ configuration: PostgresConfiguration = PostgresConfiguration(),
    location: SourceLocation = #_sourceLocation
  ) throws {
    let store = try ModelStore(
      postgres: database.url, entities: entities, configuration: configuration)
    for (word, rows) in expected {
      let request = RowRequest(entities[0].name).filter { $0.matches(word) }
      #expect(try store.fetchIdentities(request) == rows, "\(word)", sourceLocation: location)
    }
    let plan = try ModelStore.migrationPlan(
      postgres: database.url, entities: entities, configuration: configuration)
    #expect(plan.isEmpty, "\(plan)", sourceLocation: location)
  }

  /// The index of the table, which changes when it is built again.
  private func index(_ entity: String = "Show") throws -> [String] {
    try database.values(
      """
      SELECT r.oid, r.relname FROM pg_class r JOIN pg_index i ON i.indexrelid = r.oid
      WHERE i.indrelid = '"\(entity)"'::regclass AND r.relname LIKE '\\_moho search%'
      """)
  }

  @Test func thePlanNamesTheIndexToBuild() throws {
    try create(searchable: [])

    let plan = try ModelStore.migrationPlan(
      postgres: database.url, entities: [show(searchable: ["name", "notes"])])

    #expect(
      plan.description == """
        build the search index of `Show`
          CREATE INDEX "_moho search (Show)" ON "Show" USING gin \
        (moho_word_vector(moho_words("name"), moho_words("notes")))
          COMMENT ON INDEX "_moho search (Show)" IS '\(SearchFunctions.indexVersion)'
        """)
    #expect(
      plan.differences.map(\.description) == [
        "the search index of `Show` on `name`, `notes` is not in the store"
      ])
  }

  @Test func anExistingTableIsIndexed() throws {
    try create(searchable: [])

    try expectRows(["moon": [1, 7], "rocks": [1]], [show(searchable: ["name", "notes"])])
  }

  @Test func otherKeysBuildAnotherIndex() throws {
    try create(searchable: ["name"])

    try expectRows(["moon": [1]], [show(searchable: ["name"])])
    try expectRows(["moon": [7]], [show(searchable: ["notes"])])
    try expectRows(["moon": [1, 7]], [show(searchable: ["notes", "name"])])
    let built = try index()
    try expectRows(["moon": [1, 7]], [show(searchable: ["name", "notes"])])
    #expect(try index() != built)
  }

  @Test func anUndeclaredIndexIsDropped() throws {
    try create(searchable: ["name"])

    let plan = try ModelStore.migrationPlan(
      postgres: database.url, entities: [show(searchable: [])])
    try database.open([show(searchable: [])])

    #expect(plan.steps.map(\.summary) == ["drop the search index of `Show`"])
    #expect(
      plan.differences.map(\.description) == ["the search index of `Show` is not in the model"])
    #expect(try index() == [])
  }

  @Test func theIndexOfARenamedKeyRemains() throws {
    try create(searchable: ["name", "notes"])
    let built = try index()
    let renamed = show(
      [Attribute("full title", .string, renamedFrom: "name"), Attribute("notes", .string)],
      searchable: ["full title", "notes"])

    let plan = try ModelStore.migrationPlan(postgres: database.url, entities: [renamed])

    #expect(!plan.steps.contains { $0.summary.contains("search") })
    try expectRows(["moon": [1, 7]], [renamed])
    #expect(try index() == built)
  }

  @Test func theIndexOfARenamedEntityRemains() throws {
    try create(searchable: ["name"])
    let built = try index()
    let renamed = Entity(
      "Series", attributes: [Attribute("name", .string), Attribute("notes", .string)],
      searchable: ["name"], renamedFrom: "Show")

    try expectRows(["moon": [1]], [renamed])

    #expect(
      try index("Series") == built.map { $0.replacing("search Show", with: "search Series") })
  }

  @Test func declaredMigrationsCanChangeSearchableKeys() throws {
    try create(searchable: ["name", "notes"])
    var configuration = PostgresConfiguration()
    configuration.migrations = [
      Migration("shorten") { steps in
        steps.sql(#"ALTER TABLE "Show" DROP COLUMN notes"#)
        steps.transform("name", of: "Show") { content in
          if case .string(let text) = content { .string("old \(text)") } else { content }
        }
      }
    ]
    let shorter = show([Attribute("name", .string)], searchable: ["name"])

    let plan = try ModelStore.migrationPlan(
      postgres: database.url, entities: [shorter], configuration: configuration)

    #expect(plan.steps.last?.summary == "build the search index of `Show`")
    try expectRows(["moon": [1], "old": [1, 7], "rocks": []], [shorter], configuration)
  }

  @Test func aPlanOfDeclaredMigrationsKnowsTheIndex() throws {
    try create(searchable: ["notes"])
    var configuration = PostgresConfiguration()
    configuration.migrations = [
      Migration("rename") { steps in steps.rename("name", of: "Show", to: "title") }
    ]
    let renamed = show(
      [Attribute("title", .string), Attribute("notes", .string)], searchable: ["notes"])

    let plan = try ModelStore.migrationPlan(
      postgres: database.url, entities: [renamed], configuration: configuration)

    #expect(!plan.steps.contains { $0.summary.contains("search") })
    try expectRows(["moon": [7]], [renamed], configuration)
  }

  @Test func theIndexOfADiscardedEntityIsDropped() throws {
    try create(searchable: ["name"])
    let other = Entity("Other", attributes: [Attribute("text", .string)], searchable: ["text"])
    try database.open([other])
    #expect(try index().count == 1)
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .inferred(discarding: [.entity("Show")])

    try expectRows([:], [other], configuration)

    #expect(
      try database.values("SELECT count(*) FROM pg_indexes WHERE indexname LIKE '%(Show)'")
        == ["0"])
  }

  @Test func aMissingIndexIsBuiltAgain() throws {
    try create(searchable: ["name"])
    try database.connection.execute(#"DROP INDEX "_moho search (Show)""#)

    try expectRows(["moon": [1]], [show(searchable: ["name"])])

    #expect(try index().count == 1)
  }

  @Test func anIndexOfAnotherVersionIsBuiltAgain() throws {
    try create(searchable: ["name"])
    try database.connection.execute(
      #"""
      DROP INDEX "_moho search (Show)";
      CREATE INDEX "_moho search (Show)" ON "Show" USING gin (moho_word_vector(moho_words(name)));
      COMMENT ON INDEX "_moho search (Show)" IS 'Moho 1'
      """#)
    let built = try index()

    try expectRows(["moon": [1]], [show(searchable: ["name"])])

    #expect(try index() != built)
  }

  @Test func aStoreThatMayNotMigrateRefusesAnIndex() throws {
    try create(searchable: [])
    var configuration = PostgresConfiguration()
    configuration.migrationPolicy = .none

    let error = #expect(throws: StoreError.self) {
      try database.open([show(searchable: ["name"])], configuration)
    }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.reason == "the search index of `Show` on `name` is not in the store")
  }

  @Test func namesOfManyFormsAreIndexed() throws {
    let names = ["order", "two words", "Ümlaut", "a\"b", String(repeating: "n", count: 63)]
    let entity = Entity(
      String(repeating: "E", count: 60), attributes: names.map { Attribute($0, .string) },
      searchable: names)

    let store = try ModelStore(postgres: database.url, entities: [entity])
    let context = EditingContext(store)
    let row = try context.insert(entity.name)
    for name in names { try row.set(name, to: "moon") }
    try context.save()

    for name in names {
      let request = RowRequest(entity.name).filter { $0.matches("moon", in: name) }
      #expect(try store.fetchCount(request) == 1, "\(name)")
    }
    try expectRows(["moon": [1]], [entity])
  }
}
