import Foundation
import MohoRows

extension PostgresMigrator {
  /// The number of times that a migration runs again after a deadlock.
  private static let maximumRetryCount = 5

  /// Creates or migrates the tables in a transaction, which runs again if it waits for a
  /// transaction of another program that waits for it, and if it cannot lock the tables soon
  /// enough. See ``PostgresLogSchema/lockTables``.
  func migrate(_ objects: StoreObjects, _ connection: PostgresConnection) throws {
    var retryCount = 0
    while true {
      do {
        return try connection.inTransaction(Self.isolation) {
          try migrate(lock(connection), objects, connection)
        }
      } catch let error as StoreError
        where error.code == .conflict && retryCount < Self.maximumRetryCount
      {
        retryCount += 1
      } catch let error where error.isLocked {
        // Lets the others go on.
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  /// Creates or migrates the tables, unless another store has done so before this
  /// one acquired the lock.
  ///
  /// - Parameter state: The state after the lock was acquired.
  func migrate(
    _ state: CatalogState, _ objects: StoreObjects, _ connection: PostgresConnection
  ) throws {
    try connection.withoutPreparedStatements {
      try migrateTables(state, objects, connection)
    }
  }

  private func migrateTables(
    _ state: CatalogState, _ objects: StoreObjects, _ connection: PostgresConnection
  ) throws {
    var objects = objects
    // Another store may have begun or ended the history before the lock.
    try objects.recordHistoryIfPresent(configuration.history, connection)
    var queries: [PostgresQuery] = []
    var isRecorded = false
    var former = StoreRecord()
    var moves = MemberMoves()
    var run = MigrationRun(connection, configuration.onMigrationProgress)
    if state.isEmpty {
      queries = try create(objects, connection)
    } else {
      let stored = try storedTables(connection)
      isRecorded = self.isRecorded(stored)
      former = stored.record
      if try !isPrepared(stored) {
        (queries, moves) = try migrate(stored, objects, connection, &run)
      } else {
        if try !isCurrent(objects.log, connection) {
          let log = try objects.log.addingStoredRuleTables(connection)
          try connection.execute(log.lockTables)
          try connection.execute(log.dropTriggers(except: untouchedTables(stored, [])))
          try connection.execute(log.create)
        }
        if !isRecorded {
          moves = try memberMoves(stored, keeping: [], connection)
          try moves.check([], allowing: policy.discarded)
          queries = try recording(over: stored)
        }
      }
      if try !PostgresFunctions.areCurrent(for: schema, connection) {
        try connection.execute(PostgresFunctions.creation(for: schema))
      }
    }
    try run.perform(moves, schema)
    queries.append(try CatalogState.query(tableNames, in: connection.schemaName))
    let results = try connection.queries(queries)
    let current = CatalogState(results.last)
    // Stores with former declarations of changed tables compare the tables in any case.
    let changesOthers = version.updating(former).changesEntities(
      of: former, ignoringForms: current.hash != state.hash)
    let recording = current.recording(objects.hash, withOthers: !changesOthers)
    if let recording { try connection.execute(recording) }
    if !isRecorded, !state.isEmpty, configuration.rulePolicy.checks {
      try PostgresSession.run(on: connection, schema, isWriting: true) {
        try configuration.rulePolicy.apply(StoreWriter(session: $0))
      }
    }
  }

  /// Creates all objects in an empty PostgreSQL schema, and returns the queries that
  /// record them.
  private func create(
    _ objects: StoreObjects, _ connection: PostgresConnection
  ) throws -> [PostgresQuery] {
    var run = MigrationRun(connection, configuration.onMigrationProgress)
    try run.perform(
      objects.creation.steps, of: objects.creation.steps.count,
      after: [Metadata.creation, PostgresFunctions.creation(for: schema)],
      before: [objects.log.create])
    return try records(
      configuration.migrations, StoredSchema(namespace: connection.schemaName), objects.creation)
  }

  /// Migrates the tables, and returns the queries that record them, and the last
  /// steps.
  private func migrate(
    _ tables: StoredSchema, _ objects: StoreObjects, _ connection: PostgresConnection,
    _ run: inout MigrationRun
  ) throws -> ([PostgresQuery], MemberMoves) {
    var stored = tables
    let pending = pending(stored)
    let log = try objects.log.addingStoredRuleTables(connection)
    try connection.execute(log.dropTriggers(except: untouchedTables(stored, pending)))
    try stored.readExpressions(of: schema, connection)
    let isNew = stored.isNew
    let first = comparison(stored)
    if !policy.migrates, !isNew, !first.differences.isEmpty {
      throw incompatibility(
        first, first.differences, "open the store with a policy that migrates it")
    }
    if !stored.hasMetadata { try connection.execute(Metadata.creation) }
    var discarded: Set<SchemaPart> = []
    let kept = Set(pending.flatMap(\.steps).compactMap(\.kept))
    var record = stored.record
    if !isNew, !pending.isEmpty {
      for migration in pending {
        discarded.formUnion(migration.steps.flatMap(\.discarded))
        try run.declared(migration, self, of: pending)
        record.run(migration)
      }
      stored = try storedTables(connection)
      stored.record = record
      try stored.readExpressions(of: schema, connection)
    }
    let permitted = policy.discarded.union(discarded)
    discarded.formUnion(schema.keepable(kept, policy, record, after: renamings))
    var comparison = comparison(stored, discarding: discarded)
    try comparison.check { try losses(comparison, connection, discarding: discarded) }
    let renames = comparison.renames
    if !renames.isEmpty {
      try run.perform(renames, of: comparison.steps.count)
      record = comparison.record
      stored = try storedTables(connection)
      stored.record = record
      try stored.readExpressions(of: schema, connection)
      comparison = self.comparison(stored, discarding: discarded)
      try comparison.check { try losses(comparison, connection, discarding: discarded) }
    }
    let moves = try memberMoves(stored, keeping: kept, connection)
    try moves.check(comparison.differences, allowing: permitted)
    try comparison.checkDuplicates { query in
      try connection.query(query).first.map { row in
        StoredDuplicates(
          example: row.string(0), rows: row.int(1), values: row.int(2))
      }
    }
    try run.perform(
      comparison.steps, of: renames.count + comparison.steps.count,
      after: comparison.buildsSearchIndexes ? [SearchFunctions.creation] : [],
      before: [log.create] + (isNew ? [] : [log.markEverythingChanged]))
    stored.record = tables.record
    return (try records(pending, stored, comparison), moves)
  }

  /// The tables outside of the declarations that the migration does not change. Their
  /// changes are still recorded for other stores.
  private func untouchedTables(_ stored: StoredSchema, _ pending: [Migration]) -> [String] {
    let steps = pending.flatMap(\.steps)
    for step in steps {
      switch step {
      // They can change any table.
      case .sql, .run: return []
      default: break
      }
    }
    let parts = steps.flatMap(\.discarded) + policy.discarded
    let touched = Set(tableNames + steps.flatMap(\.entities) + parts.map(\.entity))
    return stored.tables.filter { table in
      !touched.contains(table.name) && !(table.links.map { touched.contains($0.entity) } ?? false)
    }.map(\.name)
  }

  private func isCurrent(
    _ log: PostgresLogSchema, _ connection: PostgresConnection
  ) throws -> Bool {
    for query in [log.isCurrent] + (log.recordsHistory ? [log.isHistoryCurrent] : []) {
      guard try connection.query(query, isPrepared: false).first?.bool(0) ?? false else {
        return false
      }
    }
    return true
  }

  /// Creates the objects that record changes, if another version of the package or
  /// a store with other declarations created the tables.
  ///
  /// - Returns: Whether the objects exist.
  func prepareLog(_ objects: StoreObjects, _ connection: PostgresConnection) throws -> Bool {
    if try isCurrent(objects.log, connection) { return true }
    // The store can be used without these objects, but not observed. Rules over related
    // rows need them, and so does a history that the configuration requires.
    if schema.compiled.hasRulesOverRelations || configuration.history != .unchanged {
      try migrate(objects, connection)
      return true
    }
    return try migrateIfAllowed(objects, connection)
  }

  /// Changes what a store can do without, unless the user does not have the right.
  ///
  /// - Returns: Whether the user has the right.
  @discardableResult
  func migrateIfAllowed(_ objects: StoreObjects, _ connection: PostgresConnection) throws -> Bool {
    do {
      try migrate(objects, connection)
      return true
    } catch let error as StoreError where error.code == .accessDenied {
      return false
    }
  }

  /// The queries that record the entities, the migrations and the expressions.
  private func records(
    _ pending: [Migration], _ stored: StoredSchema, _ comparison: SchemaComparison
  ) throws -> [PostgresQuery] {
    var queries: [PostgresQuery] = []
    func add(_ sql: String, _ lists: [String]...) throws {
      var arguments = PostgresArguments()
      for list in lists { try arguments.append(list) }
      queries.append(PostgresQuery(sql, arguments, isPrepared: false))
    }
    let dropped = comparison.droppedEntities
    if !dropped.isEmpty { try add(Metadata.removal, dropped) }
    try add(Metadata.addition, schema.entities.map(\.name), stored.tables.map(\.name))
    if !pending.isEmpty { try add(Metadata.migrationAddition, pending.map(\.name)) }
    return try queries + stored.recording(schema) + recording(over: stored)
  }

  /// The queries that record the declarations.
  private func recording(over stored: StoredSchema) throws -> [PostgresQuery] {
    let changes = version.updating(stored.record).changes(from: stored.record)
    func arguments(_ subjects: [StoreRecord.Subject]) throws -> PostgresArguments {
      var arguments = PostgresArguments()
      try arguments.append(subjects.map(\.kind.rawValue))
      try arguments.append(subjects.map(\.name))
      try arguments.append(subjects.map(\.key))
      return arguments
    }
    var insertion = try arguments(changes.inserted.map(\.subject))
    try insertion.append(changes.inserted.map(\.value))
    return [
      PostgresQuery(Metadata.entryRemoval, try arguments(changes.deleted), isPrepared: false),
      PostgresQuery(Metadata.entryAddition, insertion, isPrepared: false),
    ]
  }
}
