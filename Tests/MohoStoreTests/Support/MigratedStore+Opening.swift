import MohoMapping
import MohoRows
import Testing

extension MigratedStore {
  @discardableResult
  func open(
    _ entities: Entity..., with options: MigrationOptions = MigrationOptions()
  ) throws -> ModelStore {
    try open(Schema(entities), with: options)
  }

  @discardableResult
  func open(
    _ model: any MappedModel.Type, with options: MigrationOptions = MigrationOptions()
  ) throws -> ModelStore {
    try open(Schema([model]), with: options)
  }

  func plan(
    _ entities: Entity..., with options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationPlan {
    try plan(Schema(entities), with: options)
  }

  func plan(
    _ model: any MappedModel.Type, with options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationPlan {
    try plan(Schema([model]), with: options)
  }

  /// Expects the database to have exactly the tables of a new store, and the plan
  /// to be empty.
  func expectAsDeclared(
    _ entities: Entity..., location: SourceLocation = #_sourceLocation
  ) throws {
    try expectAsDeclared(Schema(entities), location: location)
  }

  func expectAsDeclared(
    _ model: any MappedModel.Type, location: SourceLocation = #_sourceLocation
  ) throws {
    try expectAsDeclared(Schema([model]), location: location)
  }

  func expectAsDeclared(
    _ schema: Schema, location: SourceLocation = #_sourceLocation
  ) throws {
    try database.expectTables(of: schema, location: location)
    // A greater version may have removed the migrations that the store has run.
    let plan = try plan(schema, with: MigrationOptions(version: .max))
    #expect(plan.isEmpty, sourceLocation: location)
    #expect(plan.differences == [], sourceLocation: location)
  }
}
