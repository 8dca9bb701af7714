import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests declared migrations that write links.
@Suite(.allEngines) struct MigratedLinkTests {
  private static func show(_ attributes: Attribute...) -> Entity {
    Entity(
      "Show", attributes: [Attribute("name", .string)] + attributes,
      relationships: [
        .toOne("parent", "Show", inverse: "children"),
        .toMany("children", "Show", inverse: "parent"),
      ], unique: [["name"]])
  }

  private static let old = show()
  private static let new = show(Attribute("rank", .int64, default: .int64(3)))

  private static func exclaimed(_ value: FieldContent) -> FieldContent {
    if case .string(let text) = value { .string(text + "!") } else { value }
  }

  private let database: MigratedStore

  init() throws {
    database = try MigratedStore()
    try database.open(Self.old)
    try database.execute(#"INSERT INTO "Show" (name) VALUES ('a'), ('b')"#)
  }

  private func migrating(_ steps: (inout MigrationSteps) -> Void) -> MigrationOptions {
    .migrating(Migration("links", steps))
  }

  /// Links a row, and then adds the column that the new entity declares.
  private static let linkAndAlteration = #"""
    UPDATE "Show" SET parent = 1 WHERE name = 'b';
    ALTER TABLE "Show" ADD COLUMN rank integer NOT NULL DEFAULT 3
    """#

  @Test func sqlCanAlterATableAfterItHasWrittenLinks() throws {
    try database.open(
      Self.new,
      with: migrating { steps in
        steps.sql(Self.linkAndAlteration)
        steps.sql(#"UPDATE "Show" SET parent = 2 WHERE name = 'a'"#)
        steps.transform("name", of: "Show", Self.exclaimed)
      })

    #expect(
      try database.values(#"SELECT name, parent, rank FROM "Show" ORDER BY 1"#) == [
        #""a!"|2|3"#, #""b!"|1|3"#,
      ])
    try database.expectAsDeclared(Self.new)
  }

  @Test func linksCanBeRepairedByALaterStep() throws {
    try database.open(
      Self.new,
      with: migrating { steps in
        steps.sql(#"UPDATE "Show" SET parent = 9 WHERE name = 'b'"#)
        steps.sql(#"UPDATE "Show" SET _moho_id = 9 WHERE name = 'a'"#)
      })

    #expect(
      try database.values(#"SELECT _moho_id, parent FROM "Show" ORDER BY 1"#) == ["2|9", "9|NULL"])
    try database.expectAsDeclared(Self.new)
  }

  @Test func linksCanBeRepairedAfterSQLHasAlteredATable() throws {
    try database.open(
      Self.new,
      with: migrating { steps in
        steps.sql(Self.linkAndAlteration)
        steps.sql(#"UPDATE "Show" SET parent = 9 WHERE name = 'a'"#)
        steps.sql(#"UPDATE "Show" SET _moho_id = 9 WHERE name = 'b'"#)
      })

    #expect(
      try database.values(#"SELECT _moho_id, parent FROM "Show" ORDER BY 1"#) == ["1|9", "9|1"])
    try database.expectAsDeclared(Self.new)
  }

  /// Entities to open the store with: one whose table changes, and one whose table
  /// does not.
  static let entities = [old, new]

  @Test(arguments: 0..<2, [false, true])
  func aLinkToAMissingRowIsAnError(entity: Int, transforms: Bool) throws {
    let before = try database.contents()

    let error = #expect(throws: StoreError.self) {
      try database.open(
        Self.entities[entity],
        with: migrating { steps in
          steps.sql(#"UPDATE "Show" SET parent = 9"#)
          if transforms { steps.transform("name", of: "Show", Self.exclaimed) }
        })
    }

    #expect(error?.code == .danglingReference)
    #expect(error?.entity == "Show")
    #expect(error?.keys == ["parent"])
    #expect(try database.contents() == before)
  }

  @Test func rowsThatSQLDeletesLeaveNoBrokenLinks() throws {
    try database.execute(#"UPDATE "Show" SET parent = 1 WHERE name = 'b'"#)
    let options = migrating { $0.sql(#"DELETE FROM "Show" WHERE name = 'a'"#) }

    if TestedEngine.current.migrationsApplyDeleteRules {
      try database.open(Self.old, with: options)
      #expect(try database.values(#"SELECT * FROM "Show""#) == [#"2|"b"|NULL"#])
    } else {
      let error = #expect(throws: StoreError.self) { try database.open(Self.old, with: options) }
      #expect(error?.code == .danglingReference)
    }
  }
}
