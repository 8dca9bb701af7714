import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// A PostgreSQL schema.
struct PostgresMigrationDatabase: MigrationDatabase {
  let url: String
  let connection: PostgresConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    connection = try PostgresConnection(url)
  }

  func open(
    _ schema: Schema, with options: MigrationOptions
  ) throws -> ModelStore {
    try ModelStore(postgres: url, schema, options.configuration)
  }

  func plan(
    _ schema: Schema, with options: MigrationOptions
  ) throws -> MigrationPlan {
    let migrator = PostgresMigrator(schema.storing(StoredForm.conversion), options.configuration)
    return try migrator.plan(connection)
  }

  func execute(_ sql: String) throws { try connection.execute(sql) }

  func forgetForms() throws {
    try execute("DELETE FROM _moho_store WHERE kind = 'form'; COMMENT ON TABLE _moho_store IS NULL")
  }

  func values(_ sql: String) throws -> [String] { try connection.values(sql) }

  func contents() throws -> [String] {
    let namespace = "current_schema()::regnamespace"
    let definitions = [
      "SELECT relname::text, xmin::text FROM pg_class WHERE relnamespace = \(namespace)",
      "SELECT proname::text, xmin::text FROM pg_proc WHERE pronamespace = \(namespace)",
      "SELECT conname::text, xmin::text FROM pg_constraint WHERE connamespace = \(namespace)",
      """
      SELECT attrelid::regclass::text, attname::text, a.xmin::text FROM pg_attribute a
      JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = \(namespace)
      """,
    ]
    return try definitions.flatMap { try values($0).sorted() } + connection.dump()
  }

  func expectTables(
    of schema: Schema, location: SourceLocation
  ) throws {
    try connection.expectTables(of: schema, location: location)
  }
}

extension PostgresMigrationDatabase {
  func insert(
    _ values: [String: FieldContent], into entity: Entity, identity: Int64,
    links: [String: Int64]
  ) throws {
    var names: [String] = []
    var arguments = PostgresArguments()
    for (name, value) in [entity.identityColumn: identity].merging(links, uniquingKeysWith: { $1 })
    {
      names.append(quotedName(name))
      arguments.append(value)
    }
    for attribute in entity.attributes {
      names.append(quotedName(attribute.name))
      try arguments.append(values[attribute.name] ?? .null, as: PostgresType(attribute.type))
    }
    let marks = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    try connection.query(
      "INSERT INTO \(quotedName(entity.name)) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      arguments)
  }
}

extension MigrationOptions {
  fileprivate var configuration: PostgresConfiguration {
    var configuration = PostgresConfiguration()
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
