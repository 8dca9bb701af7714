import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Opens stores with declarations that are older than those that wrote them.
@Suite(.allEngines) struct NewerVersionTests {
  private struct Old: MappedModel, Equatable {
    var id: Int
    var title: String
    static let mapping = Mapping(
      "Episode", Old.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  private struct New: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int
    static let mapping = Mapping(
      "Episode", New.init, .key("id", \.id, .unique), .key("title", \.title),
      .key("season", \.season, default: 1))
  }

  private let database: MigratedStore
  private let first = Migration("first") { $0.transform("title", of: "Episode") { $0 } }
  private let second = Migration("second") { $0.transform("title", of: "Episode") { $0 } }

  init() throws {
    database = try MigratedStore()
    try database.open(Old.self).write { try $0.save(Old(id: 1, title: "a")) }
  }

  /// Expects that the store cannot be opened, planned or read, and does not change.
  private func expectNewer(
    _ reason: String, _ schema: Schema, _ options: MigrationOptions,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try database.contents()
    var readOnly = options
    readOnly.isReadOnly = true
    var refusing = options
    refusing.policy = .none
    var errors: [StoreError?] = []

    for options in [options, readOnly, refusing] {
      errors.append(
        #expect(throws: StoreError.self, sourceLocation: location) {
          try database.open(schema, with: options)
        })
    }
    errors.append(
      #expect(throws: StoreError.self, sourceLocation: location) {
        _ = try database.plan(schema, with: options)
      })

    for error in errors {
      #expect(error?.code == .newerVersion, sourceLocation: location)
      #expect(error?.reason == reason, sourceLocation: location)
      #expect(error?.suggestion == "update the app", sourceLocation: location)
      #expect(error?.differences == [], sourceLocation: location)
    }
    #expect(try database.contents() == before, sourceLocation: location)
  }

  private func expectNewer(
    _ reason: String, _ options: MigrationOptions = MigrationOptions(),
    location: SourceLocation = #_sourceLocation
  ) throws {
    try expectNewer(reason, Schema([Old.self]), options, location: location)
  }

  @Test func aSmallerVersionIsRefused() throws {
    try database.open(New.self, with: MigrationOptions(version: 3))

    try expectNewer("found version 3, expected at most 2", MigrationOptions(version: 2))
    try expectNewer("found version 3, expected none")
  }

  @Test func aSmallerVersionIsRefusedIfTheTablesAreTheSame() throws {
    try database.open(Old.self, with: MigrationOptions(version: 1))
    try database.open(Old.self, with: MigrationOptions(version: 2))

    try expectNewer("found version 2, expected at most 1", MigrationOptions(version: 1))
    try database.open(Old.self, with: MigrationOptions(version: 2))
    try database.open(Old.self, with: MigrationOptions(version: 3))
  }

  @Test func aMigrationThatIsNotDeclaredIsRefused() throws {
    try database.open(New.self, with: .migrating(first, second))

    try expectNewer("found the migration `first`, which is not declared")
    try expectNewer("found the migration `second`, which is not declared", .migrating(first))
    try database.open(New.self, with: .migrating(first, second))
  }

  @Test func migrationsOfANewStoreAreRecorded() throws {
    let database = try MigratedStore()
    try database.open(New.self, with: .migrating(first))

    let error = #expect(throws: StoreError.self) { try database.open(New.self) }

    #expect(error?.code == .newerVersion)
  }

  @Test func formerMigrationsNeedNotBeDeclared() throws {
    try database.open(New.self, with: .migrating(first, second))

    var options = MigrationOptions.migrating(second)
    options.formerMigrations = ["first"]
    try database.open(New.self, with: options)
    try database.open(New.self, with: MigrationOptions(formerMigrations: ["first", "second"]))

    try expectNewer("found the migration `first`, which is not declared", .migrating(second))
  }

  @Test func aGreaterVersionNeedsNoFormerMigrations() throws {
    var options = MigrationOptions.migrating(first)
    options.version = 1
    try database.open(New.self, with: options)

    for _ in 0..<2 { try database.open(New.self, with: MigrationOptions(version: 2)) }

    try expectNewer("found version 2, expected at most 1", options)
  }

  @Test func aRenamedEntityIsRefused() throws {
    let renamed = Entity(
      "Part", attributes: [Attribute("title", .string)], renamedFrom: "Episode")
    try database.execute(#"DELETE FROM "Episode""#)
    let database = try MigratedStore()
    try database.open(Entity("Episode", attributes: [Attribute("title", .string)]))
    try database.open(renamed, with: MigrationOptions(version: 2))

    let error = #expect(throws: StoreError.self) {
      try database.open(Entity("Episode", attributes: [Attribute("title", .string)]))
    }

    #expect(error?.code == .newerVersion)
  }

  @Test func storesWithOtherEntitiesHaveTheirOwnVersionsAndMigrations() throws {
    let other = Entity("Note", attributes: [Attribute("text", .string)])
    var options = MigrationOptions.migrating(first)
    options.version = 7
    try database.open(Old.self, with: options)

    try database.open(other)
    try database.open(other, with: .migrating(Migration("notes") { $0.sql("SELECT 1") }))

    try database.open(Old.self, with: options)
    try expectNewer("found version 7, expected none")
  }

  @Test func theMessageNamesTheStoreAndNothingElse() throws {
    try database.open(New.self, with: MigrationOptions(version: 3))

    let error = #expect(throws: StoreError.self) { try database.open(Old.self) }

    #expect(
      error?.description.hasPrefix(
        "written by a newer version of the app: found version 3, expected none") == true)
    #expect(error?.description.hasSuffix("; update the app") == true)
  }
}
