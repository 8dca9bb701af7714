import MohoMapping
import MohoRows

/// The database objects of a store.
struct StoreObjects {
  /// The comparison of the declarations with an empty PostgreSQL schema.
  let creation: SchemaComparison
  private(set) var log: PostgresLogSchema
  /// A hash of the definitions of all objects, and of the configuration on which
  /// the migration depends.
  let hash: String

  init(_ migrator: PostgresMigrator, in namespace: String) throws {
    creation = migrator.comparison(StoredSchema(namespace: namespace))
    let configuration = migrator.configuration
    log = try PostgresLogSchema(migrator.schema, schemaName: namespace)
    switch configuration.history {
    case .unchanged: break
    case .enabled: log.recordsHistory = true
    case .disabled: log.removesHistory = true
    }
    let parts =
      creation.steps.flatMap(\.sql) + [Metadata.creation, log.create, PostgresFunctions.version]
      + (migrator.schema.hasSearchIndexes ? [SearchFunctions.version] : [])
      + migrator.schema.forms.map { "\($0.key) \($0.value.text)" }.sorted()
      + migrator.schema.documentedKeys.map { "\($0.key.name) \($0.key.key) \($0.value)" }.sorted()
      + ["\(configuration.version)"] + configuration.formerMigrations
      + configuration.migrations.map(\.name) + configuration.renamings.map { "\($0)" }
      + migrator.schema.renamings.map { "\($0)" }
      + migrator.policy.discarded.map { "\($0)" }.sorted()
      + migrator.policy.kept.map { "keep \($0)" }.sorted()
      + ["\(configuration.adoptsExistingTables)"]
    hash = stableHash(parts.joined(separator: ";\n"))
  }

  /// Continues to record the history of the PostgreSQL schema, if it has one.
  mutating func recordHistoryIfPresent(
    _ policy: HistoryPolicy, _ connection: PostgresConnection
  ) throws {
    guard policy == .unchanged else { return }
    let result = try connection.query(log.history.isRecorded, isPrepared: false)
    log.recordsHistory = result.first?.bool(0) ?? false
  }
}
