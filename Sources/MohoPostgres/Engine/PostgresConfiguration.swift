public import MohoRows

/// The configuration of a store on a PostgreSQL server.
public struct PostgresConfiguration: Sendable {
  /// Whether the store only reads.
  public var isReadOnly = false

  /// The way to handle tables that differ from the declarations.
  public var migrationPolicy = MigrationPolicy.inferred

  /// Renamed entities and keys.
  public var renamings: [Renaming] = []

  /// The migrations that an older database needs, in order.
  public var migrations: [Migration] = []

  /// A closure that is called during a migration. If it throws, the migration is
  /// rolled back.
  public var onMigrationProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Whether a table that no store has created, but that has the name of an
  /// entity, may be changed to match its declaration.
  ///
  /// A table that matches its declaration is always used as it is. It can have
  /// columns, constraints and indexes that are not declared. They remain.
  public var adoptsExistingTables = false

  /// Creates a configuration.
  public init() {}
}
