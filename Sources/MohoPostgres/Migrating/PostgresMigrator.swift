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

  /// Creates or migrates the tables if they differ from the declarations.
  ///
  /// If they do not differ, this method only reads. A store can then be opened on
  /// a replica, and by a role that cannot create tables.
  ///
  /// - Throws: A `StoreError` if the tables cannot be migrated.
  func prepare(_ connection: PostgresConnection) throws {
    try checkDeclarations()
    // The errors of constraints name entities and keys.
    connection.schema = schema
    let isReadOnly = configuration.isReadOnly || connection.isReplica
    let hasFunctions = try isReadOnly || PostgresFunctions.areCurrent(connection)
    let found = try stored(connection)
    if try hasFunctions && isPrepared(found) { return try prepareLog(connection) }
    if found.isNew && (isReadOnly || !configuration.createsTables) && !schema.entities.isEmpty {
      throw StoreError(
        .storeNotFound,
        reason: "the PostgreSQL schema `\(connection.schemaName)` has no tables of the store",
        suggestion: configuration.isReadOnly || !configuration.createsTables
          ? "open the store once with the right to create tables, or check the database and"
            + " `search_path`" : "open the store once on the primary server")
    }
    if isReadOnly {
      let comparison = try connection.inTransaction("ISOLATION LEVEL REPEATABLE READ, READ ONLY") {
        self.comparison(try storedTables(connection))
      }
      throw incompatibility(
        comparison, comparison.differences,
        connection.isReplica
          ? "open the store once on the primary server" : "open the store once with write access")
    }
    // The catalog must be read after the lock has been acquired. Other isolation
    // levels would read the state from before the lock.
    try connection.inTransaction("ISOLATION LEVEL READ COMMITTED") {
      try lock(connection)
      try migrate(connection)
      if try !PostgresFunctions.areCurrent(connection) {
        try PostgresFunctions.install(connection)
      }
    }
  }

  /// - Throws: A `StoreError` if PostgreSQL cannot store the declared tables.
  func checkDeclarations() throws { try schema.checkPostgresNames() }

  /// Waits until no other store migrates the PostgreSQL schema. Neither this
  /// wait nor a statement of the migration is subject to the timeouts of other
  /// statements.
  private func lock(_ connection: PostgresConnection) throws {
    try connection.execute("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
    try connection.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('moho ' || current_schema(), 0))::text")
  }

  /// Reads the schema without the number of rows.
  func stored(
    _ connection: PostgresConnection, including others: [String] = []
  ) throws -> StoredSchema {
    let renamings = configuration.renamings + schema.renamings
    let names =
      schema.compiled.tables.map(\.name) + others
      + renamings.compactMap { $0.part.key == nil ? $0.oldName : nil }
    return try StoredSchema(connection, names: names)
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
  private func isPrepared(_ stored: StoredSchema) throws -> Bool {
    guard pending(stored).isEmpty,
      stored.bookkeeping.count == BookkeepingTable.allCases.count || configuration.isReadOnly,
      schema.entities.allSatisfy({ stored.owned[$0.name] != nil }) || configuration.isReadOnly
    else { return false }
    let comparison = comparison(stored)
    let removesUndeclared =
      !policy.migrates && comparison.differences.contains { $0.change == .removed }
    return comparison.isPrepared && !removesUndeclared
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
      stored, schema, renamings: configuration.renamings + schema.renamings,
      discarding: policy.discarded.union(discarded),
      adopts: configuration.adoptsExistingTables)
  }

  private func migrate(_ connection: PostgresConnection) throws {
    var stored = try storedTables(connection)
    if try isPrepared(stored) { return }
    let log = PostgresLogSchema(schema, schemaName: connection.schemaName)
    try connection.execute(log.dropTriggers)
    try stored.readExpressions(of: schema, connection)
    let isNew = stored.isNew
    let first = comparison(stored)
    if !policy.migrates, !isNew, !first.differences.isEmpty {
      throw incompatibility(
        first, first.differences, "open the store with a policy that migrates it")
    }
    for table in BookkeepingTable.allCases where !stored.bookkeeping.contains(table.rawValue) {
      try connection.execute("CREATE TABLE \(quotedName(table.rawValue)) (\(table.columns))")
    }
    let pending = pending(stored)
    var discarded: Set<SchemaPart> = []
    var run = MigrationRun(connection, configuration.onMigrationProgress)
    if !isNew, !pending.isEmpty {
      for migration in pending {
        discarded.formUnion(migration.steps.flatMap(\.discarded))
        try run.declared(migration, self, of: pending)
      }
      stored = try storedTables(connection)
      try stored.readExpressions(of: schema, connection)
    }
    var comparison = comparison(stored, discarding: discarded)
    try check(comparison, connection, discarding: discarded)
    let renames = comparison.renames
    if !renames.isEmpty {
      for step in renames { try run.perform(step, of: comparison.steps.count) }
      stored = try storedTables(connection)
      try stored.readExpressions(of: schema, connection)
      comparison = self.comparison(stored, discarding: discarded)
    }
    let steps = comparison.steps
    for step in steps { try run.perform(step, of: renames.count + steps.count) }
    try record(pending, stored, comparison, connection)
    try connection.execute(log.create)
    if !isNew { try connection.execute(log.markEverythingChanged) }
  }

  /// Creates the objects that record changes, if the tables were created by another
  /// version of the package.
  private func prepareLog(_ connection: PostgresConnection) throws {
    if configuration.isReadOnly || connection.isReplica { return }
    let log = PostgresLogSchema(schema, schemaName: connection.schemaName)
    func isCurrent() throws -> Bool { try connection.query(log.isCurrent).first?.bool(0) ?? false }
    if try isCurrent() { return }
    do {
      try connection.inTransaction("ISOLATION LEVEL READ COMMITTED") {
        try lock(connection)
        if try isCurrent() { return }
        try connection.execute(log.dropTriggers)
        try connection.execute(log.create)
      }
    } catch let error as StoreError where error.code == .accessDenied {
      // The store can be used, but not observed.
    }
  }

  /// Records the entities, the migrations and the expressions.
  private func record(
    _ pending: [Migration], _ stored: StoredSchema, _ comparison: SchemaComparison,
    _ connection: PostgresConnection
  ) throws {
    let entities = quotedName(BookkeepingTable.entities.rawValue)
    for part in comparison.droppedEntities {
      var arguments = PostgresArguments()
      try arguments.append(part)
      try connection.query("DELETE FROM \(entities) WHERE name = $1", arguments)
    }
    var arguments = PostgresArguments()
    try arguments.append(schema.entities.map(\.name))
    try arguments.append(stored.tables.map(\.name))
    try connection.query(
      "INSERT INTO \(entities) SELECT name, name = ANY($2) FROM unnest($1) name"
        + " ON CONFLICT DO NOTHING", arguments)
    arguments = PostgresArguments()
    try arguments.append(pending.map(\.name))
    try connection.query(
      "INSERT INTO \(quotedName(BookkeepingTable.migrations.rawValue)) SELECT * FROM unnest($1)",
      arguments)
    let result = try self.stored(connection)
    try result.recordExpressions(of: schema, known: stored.expressions, connection)
  }

  /// Throws an error if the steps cannot resolve all differences, or if they
  /// would delete values.
  private func check(
    _ comparison: SchemaComparison, _ connection: PostgresConnection,
    discarding discarded: Set<SchemaPart>
  ) throws {
    let renaming = [comparison.differences.renamingAdvice].compactMap { $0 }
    if !comparison.refusals.isEmpty {
      let advices = comparison.refusals.map(\.advice).reduce(into: renaming) { advices, advice in
        if !advices.contains(advice) { advices.append(advice) }
      }
      throw incompatibility(
        comparison, comparison.refusals.map(\.difference), advices.joined(separator: "; "))
    }
    let losses = losses(comparison, connection, discarding: discarded)
    guard !losses.isEmpty else { return }
    throw StoreError(
      losing: losses, differences: comparison.differences, advice: renaming)
  }

  /// The values that a migration would delete without permission.
  func losses(
    _ comparison: SchemaComparison, _ connection: PostgresConnection,
    discarding discarded: Set<SchemaPart> = []
  ) -> [MigrationLoss] {
    let allowed = policy.discarded.union(discarded)
    return comparison.discards.compactMap { part, count in
      if allowed.contains(part) { return nil }
      // Until the renaming step has run, a renamed part has its old name, and the
      // query fails.
      let result = try? connection.withSavepoint { try connection.query(count) }
      let values = result?.first?.int(0) ?? 0
      return values == 0 ? nil : MigrationLoss(part: part, count: values)
    }
  }

  private func incompatibility(
    _ comparison: SchemaComparison, _ found: [SchemaDifference], _ advice: String
  ) -> StoreError {
    StoreError(incompatible: found, of: comparison.differences, advice: advice)
  }
}
