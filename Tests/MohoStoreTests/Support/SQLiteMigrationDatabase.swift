import Foundation
import GRDB
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// A database in memory.
struct SQLiteMigrationDatabase: MigrationDatabase {
  let queue: DatabaseQueue

  init() throws { queue = try DatabaseQueue() }

  func open(
    _ schema: Schema, with options: MigrationOptions
  ) throws -> ModelStore {
    try ModelStore(
      schema,
      SQLiteEngine(
        queue, path: nil, schema: schema, Migrator(schema, options.configuration, ownsFile: false)))
  }

  func plan(
    _ schema: Schema, with options: MigrationOptions
  ) throws -> MigrationPlan {
    try queue.read { try Migrator(schema, options.configuration, ownsFile: false).plan($0) }
  }

  func execute(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

  func forgetForms() throws { try execute(#"DROP TABLE "_moho record""#) }

  func values(_ sql: String) throws -> [String] { try queue.read { try $0.values(sql) } }

  func contents() throws -> [String] {
    try queue.read { database in
      let definitions =
        try database.values("PRAGMA schema_version")
        + database.values("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")
      return try definitions + database.dump()
    }
  }

  func expectTables(
    of schema: Schema, location: SourceLocation
  ) throws {
    try queue.read { database in
      let found = try String.fetchAll(
        database,
        sql: """
          SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
          AND name NOT IN ('_moho_entities', '_moho_migrations', '_moho record')
          """)
      #expect(found.sorted() == schema.statements.sorted(), sourceLocation: location)
      let entities = try String.fetchAll(database, sql: "SELECT name FROM _moho_entities")
      #expect(entities.sorted() == schema.entities.map(\.name).sorted(), sourceLocation: location)
      let problems =
        try database.values("PRAGMA integrity_check") + database.values("PRAGMA foreign_key_check")
      #expect(problems == [#""ok""#], sourceLocation: location)
    }
  }
}

extension SQLiteMigrationDatabase {
  func insert(
    _ values: [String: FieldContent], into entity: Entity, identity: Int64,
    links: [String: Int64]
  ) throws {
    let integers = [entity.identityColumn: identity].merging(links) { $1 }
    let columns = integers.mapValues(\.databaseValue).merging(
      try values.mapValues(Self.databaseValue)
    ) { $1 }.sorted { $0.key < $1.key }
    let names = columns.map { quotedName($0.key) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try queue.write { database in
      try database.execute(
        sql: "INSERT INTO \(quotedName(entity.name)) (\(names)) VALUES (\(marks))",
        arguments: StatementArguments(columns.map(\.value)))
    }
  }

  private static func databaseValue(_ content: FieldContent) throws -> DatabaseValue {
    switch content {
    case .bool(let value): value.databaseValue
    case .int64(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .decimal(let value): value.description.databaseValue
    case .date(let value): value.timeIntervalSinceReferenceDate.databaseValue
    case .string(let value): value.databaseValue
    case .data(let value): value.databaseValue
    default: .null
    }
  }
}

extension MigrationOptions {
  fileprivate var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.migrationPolicy = policy
    configuration.renamings = renamings
    configuration.migrations = migrations
    configuration.version = version
    configuration.rulePolicy = rulePolicy
    configuration.formerMigrations = formerMigrations
    configuration.isReadOnly = isReadOnly
    configuration.history = history
    configuration.onMigrationProgress = onProgress
    return configuration
  }
}
