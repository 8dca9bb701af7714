import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct MigrationPlanTests {
  let old = Entity(
    "Show", attributes: [Attribute("name", .string), Attribute("extra", .int64, isOptional: true)],
    indexes: [["name"]])
  let new = Entity(
    "Show",
    attributes: [Attribute("title", .string, renamedFrom: "name"), Attribute("year", .int64)],
    indexes: [["title"]])

  private let database: MigratedStore

  init() throws {
    database = try MigratedStore()
    try database.open(old)
    try database.execute(#"INSERT INTO "Show" VALUES (1, 'a', 2), (2, 'b', NULL)"#)
  }

  /// Returns the plan of a migration, and expects that nothing is changed.
  private func plan(
    _ entity: Entity, _ options: MigrationOptions = MigrationOptions(),
    location: SourceLocation = #_sourceLocation
  ) throws -> MigrationPlan {
    let before = try database.contents()
    let plan = try database.plan(entity, with: options)
    #expect(try database.contents() == before, sourceLocation: location)
    return plan
  }

  @Test func lossesAndRefusalsAreReported() throws {
    let plan = try plan(new)

    #expect(plan.losses.map(\.description) == ["`Show.extra` has 1 value"])
    #expect(plan.refusals.map(\.description) == ["`Show.year` is not in the table"])
    #expect(!plan.isEmpty)
    #expect(
      plan.differences.map(\.description) == [
        "`Show.title` was renamed from `name`", "`Show.year` is not in the table",
        "`Show.extra` is not in the model",
      ])
    #expect(plan.description.contains("deletes values: `Show.extra` has 1 value\n"))
    #expect(plan.description.hasSuffix("unresolved: `Show.year` is not in the table"))
  }

  @Test func declaredMigrationsAreTriedOutOnEmptyTables() throws {
    let migration = Migration("years") { steps in
      steps.transform("extra", of: "Show", into: "year") { _ in
        Issue.record("no row is there to transform")
        return .int64(1)
      }
      steps.sql(#"UPDATE "Show" SET name = 'none'"#)
    }

    let plan = try plan(new, .migrating(migration))

    #expect(
      plan.steps.prefix(3).map(\.summary) == [
        "years: transform the values of `Show.extra` into `year`", "years: run SQL",
        "rename `Show.name` to `title`",
      ])
    #expect(plan.refusals == [])
    #expect(plan.losses == [])
  }

  @Test func lossesOfAnEntityThatADeclaredStepRenamesAreReported() throws {
    let renamed = Entity("Series", attributes: [Attribute("name", .string)], indexes: [["name"]])
    let options = MigrationOptions.migrating(
      Migration("rename") { $0.rename(entity: "Show", to: "Series") })

    let plan = try plan(renamed, options)
    let error = #expect(throws: StoreError.self) { try database.open(renamed, with: options) }

    #expect(plan.losses.map(\.description) == ["`Series.extra` has 1 value"])
    #expect(error?.code == .wouldLoseData)
    #expect(error?.reason == "`Series.extra` has 1 value")
  }

  @Test func renamingsAreOnlyDifferencesOfNames() throws {
    let old = Entity(
      "Old", attributes: [Attribute("name", .string)],
      relationships: [
        .toOne("up", "Old", inverse: "children"),
        .toMany("children", "Old", inverse: "up", onDelete: .deny),
        .toMany("others", "Old", onDelete: .cascade),
      ])
    let new = Entity(
      "New", attributes: [Attribute("name", .string)],
      relationships: [
        .toOne("parent", "New", inverse: "children", renamedFrom: "up"),
        .toMany("children", "New", inverse: "parent", onDelete: .deny),
        .toMany("marks", "New", onDelete: .cascade, renamedFrom: "others"),
      ], renamedFrom: "Old")
    let database = try MigratedStore()
    try database.open(old)

    let plan = try database.plan(new)

    #expect(
      plan.differences == [
        SchemaDifference("New", nil, .renamed(from: "Old")),
        SchemaDifference("New", "parent", .renamed(from: "up")),
        SchemaDifference("New", "marks", .renamed(from: "others")),
      ])
    try database.open(new)
    try database.expectAsDeclared(new)
  }

  @Test(.engine(.postgres)) func theIdentityIsRenamedWithoutDroppingItsKey() throws {
    let title = Attribute("title", .string)
    let database = try MigratedStore()
    try database.open(
      Entity("Card", attributes: [Attribute("id", .int64), title], identifiedBy: ["id"]))

    let plan = try database.plan(
      Entity(
        "Card", attributes: [Attribute("number", .int64, renamedFrom: "id"), title],
        identifiedBy: ["number"]))

    #expect(plan.steps.map(\.summary) == ["rename `Card.id` to `number`"])
    #expect(plan.differences == [SchemaDifference("Card", "number", .renamed(from: "id"))])
  }

  @Test func aNewStoreIsCreated() throws {
    let database = try MigratedStore()

    let plan = try database.plan(old)

    #expect(plan.steps.first?.summary == "create the entity `Show`")
    #expect(plan.differences.map(\.description) == ["`Show` is not in the store"])
    #expect(plan.losses == [])
    #expect(plan.refusals == [])
    #expect(throws: (any Error).self) { try database.values(#"SELECT * FROM "Show""#) }
  }

  @Test func aStoreThatIsAsDeclaredNeedsNothing() throws {
    let plan = try plan(old)

    #expect(plan.isEmpty)
    #expect(plan.description == "nothing to do")
    #expect(plan.differences == [])
  }
}
