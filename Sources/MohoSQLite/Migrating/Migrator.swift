import Foundation
import GRDB
import MohoRows

/// Creates or migrates the tables of a store according to its declarations.
struct Migrator: Sendable {
  let schema: Schema
  let configuration: StoreConfiguration
  /// Whether the store owns the file. False if it adopts an existing
  /// `DatabaseWriter`.
  let ownsFile: Bool
  /// The version of the declarations.
  let version: DeclaredVersion

  init(_ schema: Schema, _ configuration: StoreConfiguration, ownsFile: Bool) {
    self.schema = schema
    self.configuration = configuration
    self.ownsFile = ownsFile
    version = DeclaredVersion(
      configuration.version, schema, configuration.migrations,
      former: configuration.formerMigrations, configuration.renamings + schema.renamings,
      configuration.migrationPolicy)
  }

  var policy: MigrationPolicy { configuration.migrationPolicy }

  /// The renamings of the configuration and of the declarations.
  var renamings: [Renaming] { configuration.renamings + schema.renamings }

  /// Creates or migrates the tables if they differ from the declarations.
  ///
  /// If they do not differ, this method only reads. A store can then be opened
  /// while another process writes to it.
  ///
  /// - Returns: Whether the store records its history.
  /// - Throws: A `StoreError` if the tables cannot be migrated.
  func prepare(_ writer: any DatabaseWriter) throws -> Bool {
    // A single read: opening another connection may conflict with processes that
    // open the file, too.
    let records = try writer.unsafeReentrantRead { database in
      try Self.checkEncoding(database)
      try TemporaryTables.check(database, hiding: TableNames(of: schema))
      try schema.checkSearch(database)
      return try isPrepared(database) ? HistorySchema.isRecorded(in: database) : nil
    }
    if let records { return records }
    if !configuration.createsTables {
      try writer.unsafeReentrantRead { try checkExistence(StoredSchema($0)) }
    }
    if configuration.isReadOnly {
      let comparison = try writer.unsafeReentrantRead { try self.comparison(StoredSchema($0), $0) }
      throw incompatibility(
        comparison, comparison.differences, "open the store once with write access")
    }
    return try writer.unsafeReentrantWrite { database in
      if database.isInsideTransaction {
        try database.inSavepoint {
          try migrate(database, isInside: true)
          return .commit
        }
      } else {
        try withoutForeignKeys(database) {
          try database.inTransaction(.immediate) {
            try migrate(database, isInside: false)
            return .commit
          }
        }
      }
      return try HistorySchema.isRecorded(in: database)
    }
  }

  /// Checks that the database stores text as UTF-8. SQLite compares other text in
  /// another order than Swift, requests in memory and live results.
  private static func checkEncoding(_ database: Database) throws {
    guard let encoding = try String.fetchOne(database, sql: "PRAGMA encoding"),
      encoding != "UTF-8"
    else { return }
    throw StoreError(
      .incompatibleSchema, reason: "the database stores text as \(encoding), expected UTF-8",
      suggestion: "copy its tables to a new file")
  }

  /// Runs a closure with foreign keys turned off. Otherwise, dropping a table
  /// during a rebuild would delete the rows that refer to it. SQLite can change
  /// this setting only outside of transactions.
  private func withoutForeignKeys(_ database: Database, _ body: () throws -> Void) throws {
    try database.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
    try body()
  }

  /// Whether the tables match the declarations and all migrations have been
  /// run.
  func isPrepared(_ database: Database) throws -> Bool {
    try checkApplication(database)
    let stored = try StoredSchema(database)
    try version.check(stored.record)
    return isPrepared(stored) && isRecorded(stored)
      && (configuration.isReadOnly || history.isPrepared(stored))
  }

  /// Whether the record does not change. A store that is not migrated does not change it.
  func isRecorded(_ stored: StoredSchema) -> Bool {
    configuration.isReadOnly || !policy.migrates || version.updating(stored.record) == stored.record
  }

  /// The tables and triggers of the history.
  private var history: HistorySchema {
    HistorySchema(schema: schema, policy: configuration.history)
  }

  /// Whether the tables match the declarations, except those of the history.
  private func isPrepared(_ stored: StoredSchema) -> Bool {
    let objects = schema.objects + schema.searchObjects
    guard pending(stored).isEmpty, objects.allSatisfy(stored.objects.contains),
      schema.formDifferences(stored.record).isEmpty
    else {
      return false
    }
    let names = Set(objects.map { folded($0.name) })
    let tables = Set(schema.objects.filter { $0.kind == .table }.map { folded($0.name) })
    let hasUnknownGeneratedObjects = stored.objects.contains { object in
      object.isGenerated && tables.contains(folded(object.table))
        && !names.contains(folded(object.name))
    }
    let isPartGone = stored.objects.contains { object in
      guard object.kind == .table, !names.contains(folded(object.name)) else { return false }
      let isGenerated = folded(object.name).starts(with: folded("_moho_"))
      let isRemoved = stored.isOwned(object.name) && (isGenerated || removes(object.name))
      return isRemoved && !SchemaObject.bookkeeping.contains(object)
    }
    return !hasUnknownGeneratedObjects && !isPartGone
  }

  /// Whether a table that is no longer declared requires an error or is dropped,
  /// according to the policy.
  private func removes(_ table: String) -> Bool {
    !policy.migrates
      || policy.discarded.contains { $0.key == nil && isEqualIgnoringCase($0.entity, table) }
  }

  /// The declared migrations that have not been run.
  func pending(_ stored: StoredSchema) -> [Migration] {
    configuration.migrations.filter { !stored.migrations.contains($0.name) }
  }

  /// Compares a database with the declarations.
  func comparison(
    _ stored: StoredSchema, _ database: Database, discarding discarded: Set<SchemaPart> = []
  ) throws -> SchemaComparison {
    var stored = stored
    try stored.readTables(database, for: schema)
    return SchemaComparison(
      stored, schema, renamings: renamings,
      discarding: policy.discarded.union(discarded))
  }

  private func migrate(_ database: Database, isInside: Bool) throws {
    if try isPrepared(database) { return }
    var stored = try StoredSchema(database)
    try TemporaryTables.check(database, hiding: TableNames(of: schema).adding(stored.owned))
    let recorded = stored
    if isPrepared(stored) {
      if policy.migrates {
        try moveMembers(recorded, database)
        try recordDeclarations(over: recorded, database)
      }
      try history.prepare(recorded, database)
      return try applyRules(database, since: recorded)
    }
    let isNew = stored.isNew(to: schema)
    let first = try comparison(stored, database)
    if !policy.migrates, !isNew {
      throw incompatibility(
        first, first.differences, "open the store with a policy that migrates it")
    }
    try history.dropTriggers(recorded, database)
    for object in [SchemaObject.entityTable, .migrationTable]
    where !stored.objects.contains(object) {
      try database.execute(sql: object.sql)
    }
    let pending = pending(stored)
    var discarded: Set<SchemaPart> = []
    let kept = Set(pending.flatMap(\.steps).compactMap(\.kept))
    var record = stored.record
    var run = MigrationRun(database, configuration.onMigrationProgress)
    if !isNew {
      if !pending.isEmpty {
        for removal in stored.searchRemovals {
          for sql in removal.sql { try database.execute(sql: sql) }
        }
      }
      for migration in pending {
        discarded.formUnion(migration.steps.flatMap(\.discarded))
        try run.declared(migration, schema)
        record.run(migration)
      }
    }
    let permitted = policy.discarded.union(discarded)
    discarded.formUnion(schema.keepable(kept, policy, record, after: renamings))
    stored = try StoredSchema(database)
    stored.record = record
    var comparison = try self.comparison(stored, database, discarding: discarded)
    try comparison.check { try losses(comparison, database, discarding: discarded) }
    if isInside, !comparison.steps.allSatisfy({ $0.copy == nil && !$0.renames }) {
      throw incompatibility(
        comparison, comparison.differences, "open the store outside of a transaction")
    }
    let renames = comparison.steps.prefix { $0.renames }
    if !renames.isEmpty {
      for step in renames { try run.perform(step, of: comparison.steps.count) }
      // Renaming has updated the statements that contain the old names.
      record = comparison.record
      stored = try StoredSchema(database)
      stored.record = record
      comparison = try self.comparison(stored, database, discarding: discarded)
      try comparison.check { try losses(comparison, database, discarding: discarded) }
    }
    try stored.readTables(database, for: schema)
    let moves = try memberMoves(stored, keeping: kept, database)
    try moves.check(comparison.differences, allowing: permitted)
    try comparison.checkDuplicates { query in
      try Row.fetchOne(database, sql: query).map { row in
        StoredDuplicates(
          example: row.text(0) ?? "", rows: Int(row.integer(1)), values: Int(row.integer(2)))
      }
    }
    for step in comparison.steps {
      try run.perform(step, of: renames.count + comparison.steps.count)
    }
    try run.perform(moves, schema)
    for entity in schema.entities {
      try database.execute(
        sql: "INSERT OR IGNORE INTO \(quotedName(SchemaObject.entityTable.name)) VALUES (?)",
        arguments: [entity.name])
    }
    for migration in pending {
      try database.execute(
        sql: "INSERT INTO \(quotedName(SchemaObject.migrationTable.name)) VALUES (?)",
        arguments: [migration.name])
    }
    try recordDeclarations(over: recorded, database)
    try history.prepare(recorded, database)
    if ownsFile, configuration.applicationID != 0 {
      try database.execute(sql: "PRAGMA application_id = \(configuration.applicationID)")
    }
    if !isNew { try applyRules(database, since: recorded) }
    if !isInside, run.mayBreakLinks || configuration.rulePolicy.checks,
      let error = try SQLiteSession.run(
        on: database, SchemaStatements(schema), { try $0.danglingReferences() })
    {
      throw error
    }
  }

  /// The values that a migration would delete without permission.
  func losses(
    _ comparison: SchemaComparison, _ database: Database,
    discarding discarded: Set<SchemaPart> = []
  ) throws -> [MigrationLoss] {
    try comparison.losses(allowing: policy.discarded.union(discarded)) { count in
      try Row.fetchOne(database, sql: count).map { Int($0.integer(0)) } ?? 0
    }
  }

  /// Throws an error if a table was created by another application.
  func checkForeign(_ comparison: SchemaComparison) throws {
    let foreign = comparison.refusals.filter { $0.advice == SchemaComparison.foreignAdvice }
    guard let first = foreign.first else { return }
    throw incompatibility(comparison, foreign.map(\.difference), first.advice)
  }

  private func incompatibility(
    _ comparison: SchemaComparison, _ found: [SchemaDifference], _ advice: String
  ) -> StoreError {
    StoreError(incompatible: found, of: comparison.differences, advice: advice)
  }
}
