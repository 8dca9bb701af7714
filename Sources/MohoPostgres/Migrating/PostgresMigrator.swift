import MohoRows

/// Creates or migrates the tables of a store according to its declarations.
///
/// All changes are made in one transaction. An advisory lock ensures that only
/// one of several stores that open the same PostgreSQL schema migrates it.
struct PostgresMigrator: Sendable {
  let schema: Schema
  let configuration: PostgresConfiguration

  init(_ schema: Schema, _ configuration: PostgresConfiguration) {
    self.schema = schema
    self.configuration = configuration
  }

  var policy: MigrationPolicy { configuration.migrationPolicy }

  /// The renamings of the configuration and of the declarations.
  var renamings: [Renaming] { configuration.renamings + schema.renamings }

  /// Creates or migrates the tables if they differ from the declarations.
  ///
  /// If they do not differ, this method only reads, except that it tries to record
  /// that they match. A store can then be opened on a replica, and by a role that
  /// cannot create tables.
  ///
  /// - Throws: A `StoreError` if the tables cannot be migrated.
  func prepare(_ connection: PostgresConnection) throws {
    try checkDeclarations()
    // The errors of constraints name entities and keys.
    connection.schema = schema
    var objects = try StoreObjects(self, in: connection.schemaName)
    let state = try CatalogState(tableNames, connection)
    // The policy may refuse tables that are not declared.
    if policy.migrates, state.isRecorded(objects.hash) { return }
    if configuration.isReadOnly || connection.isReplica {
      return try checkReadOnly(connection)
    }
    try objects.recordHistoryIfPresent(configuration.history, connection)
    if state.hasMetadata || !configuration.createsTables {
      let stored = try stored(connection)
      if try isPrepared(stored) && PostgresFunctions.areCurrent(for: schema, connection) {
        guard try prepareLog(objects, connection) else { return }
        if isRecorded(stored) { return try record(state, objects, connection) }
        try migrateIfAllowed(objects, connection)
        return
      }
      if !configuration.createsTables { try checkExistence(stored) }
    }
    try migrate(objects, connection)
  }

  /// - Throws: A `StoreError` if PostgreSQL cannot store the declared tables.
  func checkDeclarations() throws {
    try schema.checkPostgresNames()
  }

  /// - Throws: A `StoreError` if the tables differ from the declarations.
  private func checkReadOnly(_ connection: PostgresConnection) throws {
    let stored = try stored(connection)
    if try isPrepared(stored) { return }
    try checkExistence(stored)
    let comparison = try connection.inTransaction("ISOLATION LEVEL REPEATABLE READ, READ ONLY") {
      self.comparison(try storedTables(connection))
    }
    throw incompatibility(
      comparison, comparison.differences,
      connection.isReplica
        ? "open the store once on the primary server" : "open the store once with write access")
  }

  /// - Throws: A `StoreError` if the database has no tables of a store.
  private func checkExistence(_ stored: StoredSchema) throws {
    guard stored.isNew, !schema.entities.isEmpty else { return }
    throw StoreError(
      .storeNotFound,
      reason: "the PostgreSQL schema `\(stored.namespace)` has no tables of the store",
      suggestion: configuration.isReadOnly || !configuration.createsTables
        ? "open the store once with the right to create tables, or check the database and"
          + " `search_path`" : "open the store once on the primary server")
  }

  /// Records that the tables match the declarations, if the user has the right to
  /// do so and the tables have not changed in the meantime.
  private func record(
    _ state: CatalogState, _ objects: StoreObjects, _ connection: PostgresConnection
  ) throws {
    guard policy.migrates, state.recording(objects.hash) != nil else { return }
    try connection.inTransaction(Self.isolation) {
      let current = try lock(connection)
      guard current.hash == state.hash, let sql = current.recording(objects.hash) else { return }
      try connection.execute(sql)
    }
  }

  /// The catalog must be read after the lock has been acquired. Other isolation
  /// levels would read the state from before the lock.
  ///
  /// Neither the wait for the lock nor a statement of the migration is subject to
  /// the timeouts of other statements. The bodies of functions are not checked,
  /// because this takes longer than their creation.
  static let isolation = """
    ISOLATION LEVEL READ COMMITTED;
    SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0;
    SET LOCAL check_function_bodies = off
    """

  /// Waits until no other store migrates the PostgreSQL schema.
  func lock(_ connection: PostgresConnection) throws -> CatalogState {
    let lock =
      "SELECT pg_advisory_xact_lock(hashtextextended('moho ' || current_schema(), 0))::text"
    let results = try connection.queries([
      PostgresQuery(lock, isPrepared: false),
      CatalogState.query(tableNames, in: connection.schemaName),
    ])
    return CatalogState(results.last)
  }

  /// The names of the declared tables and the former names of entities.
  var tableNames: [String] {
    schema.compiled.tables.map(\.name)
      + renamings.compactMap { $0.part.key == nil ? $0.oldName : nil }
  }

  /// Reads the schema without the number of rows.
  func stored(
    _ connection: PostgresConnection, including others: [String] = []
  ) throws -> StoredSchema {
    try StoredSchema(connection, names: tableNames + others)
  }

  /// Reads the schema with the information that a migration requires.
  ///
  /// - Parameter names: Names of tables in addition to the declared ones.
  func storedTables(
    _ connection: PostgresConnection, including names: [String] = []
  ) throws -> StoredSchema {
    var stored = try stored(connection, including: names)
    try stored.readEmptiness(connection)
    return stored
  }

  /// Whether the tables match the declarations and all migrations have been
  /// run.
  func isPrepared(_ stored: StoredSchema) throws -> Bool {
    try version.check(stored.record)
    guard pending(stored).isEmpty, stored.hasMetadata || configuration.isReadOnly,
      schema.entities.allSatisfy({ stored.owned[$0.name] != nil }) || configuration.isReadOnly
    else { return false }
    let comparison = comparison(stored)
    let removesUndeclared =
      !policy.migrates && comparison.differences.contains { $0.change == .removed }
    return comparison.isPrepared && !removesUndeclared
  }

  /// The version of the declarations.
  var version: DeclaredVersion {
    DeclaredVersion(
      configuration.version, schema, configuration.migrations,
      former: configuration.formerMigrations, renamings, policy)
  }

  /// Whether the record of the declarations does not change. A store that is not migrated
  /// does not change it.
  func isRecorded(_ stored: StoredSchema) -> Bool {
    !policy.migrates || version.updating(stored.record) == stored.record
  }

  /// The declared migrations that have not been run.
  func pending(_ stored: StoredSchema) -> [Migration] {
    configuration.migrations.filter { !stored.migrations.contains($0.name) }
  }

  /// Compares a stored schema with the declarations.
  func comparison(
    _ stored: StoredSchema, discarding discarded: Set<SchemaPart> = []
  ) -> SchemaComparison {
    SchemaComparison(
      stored, schema, renamings: renamings,
      discarding: policy.discarded.union(discarded),
      adopts: configuration.adoptsExistingTables)
  }

  /// The values that a migration would delete without permission.
  func losses(
    _ comparison: SchemaComparison, _ connection: PostgresConnection,
    discarding discarded: Set<SchemaPart> = []
  ) throws -> [MigrationLoss] {
    try comparison.losses(allowing: policy.discarded.union(discarded)) { count in
      try connection.query(count).first?.int(0) ?? 0
    }
  }

  func incompatibility(
    _ comparison: SchemaComparison, _ found: [SchemaDifference], _ advice: String
  ) -> StoreError {
    StoreError(incompatible: found, of: comparison.differences, advice: advice)
  }
}
