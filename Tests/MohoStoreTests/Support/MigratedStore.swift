import GRDB
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// A database in which a test opens stores one after the other, with different
/// declarations. SQL is executed on a connection, independently of the stores.
protocol MigrationDatabase {
  func open(_ schema: Schema, with options: MigrationOptions) throws -> ModelStore
  func plan(_ schema: Schema, with options: MigrationOptions) throws -> MigrationPlan

  /// Executes SQL in a transaction.
  func execute(_ sql: String) throws

  /// Deletes the recorded forms, as in a database of an older version of the package.
  func forgetForms() throws

  /// Returns the rows of a query, with `|` between the values.
  func values(_ sql: String) throws -> [String]

  /// Returns all definitions, or their versions, and the rows of all tables, including those
  /// in which the store records entities and migrations.
  func contents() throws -> [String]

  /// Expects the database to have exactly the tables of a new store.
  func expectTables(of schema: Schema, location: SourceLocation) throws

  /// Inserts a row with SQL.
  func insert(
    _ values: [String: FieldContent], into entity: Entity, identity: Int64,
    links: [String: Int64]
  ) throws
}

/// The ``MigrationDatabase`` of the tested engine.
struct MigratedStore {
  let database: any MigrationDatabase

  init() throws {
    switch TestedEngine.current {
    case .sqlite: database = try SQLiteMigrationDatabase()
    case .postgres: database = try PostgresMigrationDatabase()
    }
  }

  /// The connection to a database in memory.
  var queue: DatabaseQueue {
    get throws { try #require(database as? SQLiteMigrationDatabase).queue }
  }

  @discardableResult
  func open(
    _ schema: Schema, with options: MigrationOptions = MigrationOptions()
  ) throws -> ModelStore {
    try database.open(schema, with: options)
  }

  func plan(
    _ schema: Schema, with options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationPlan {
    try database.plan(schema, with: options)
  }

  func execute(_ sql: String) throws { try database.execute(sql) }
  func forgetForms() throws { try database.forgetForms() }
  func values(_ sql: String) throws -> [String] { try database.values(sql) }
  func contents() throws -> [String] { try database.contents() }

  func insert(
    _ values: [String: FieldContent], into entity: Entity, identity: Int64,
    links: [String: Int64]
  ) throws {
    try database.insert(values, into: entity, identity: identity, links: links)
  }
}
