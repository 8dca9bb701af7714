public import MohoMapping
public import MohoRows

extension ModelStore {
  /// Returns the changes that opening a store would make. The database is not
  /// changed.
  ///
  /// Declared migrations that have not been run are executed on empty copies of
  /// the tables, in a PostgreSQL schema that is rolled back. This requires the
  /// right to create schemas in the database.
  ///
  /// - Parameters:
  ///   - url: The connection URL or string to open the store with.
  ///   - models: The models to open the store with.
  ///   - entities: The entities to open the store with.
  ///   - configuration: The configuration to open the store with.
  /// - Throws: A `StoreError` if the server cannot be reached, or if a declared
  ///   step fails on empty tables. A `MappingError` if a declaration is invalid.
  public static func migrationPlan(
    postgres url: String, models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws -> MigrationPlan {
    let schema = try Schema(models, entities: entities).storing(StoredForm.conversion)
    let connection = try PostgresConnection(url, settings: configuration.sessionSettings)
    return try PostgresMigrator(schema, configuration).plan(connection)
  }
}

extension PostgresMigrator {
  /// Plans the migration of a database in a transaction that is rolled back.
  func plan(_ connection: PostgresConnection) throws -> MigrationPlan {
    try connection.withoutPreparedStatements { try planTransaction(connection) }
  }

  private func planTransaction(_ connection: PostgresConnection) throws -> MigrationPlan {
    try checkDeclarations()
    connection.schema = schema
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    defer { try? connection.executeUncanceled("ROLLBACK") }
    var stored = try storedTables(connection)
    try version.check(stored.record)
    if !connection.isReplica { try stored.readExpressions(of: schema, connection) }
    let first = comparison(stored)
    let pending = pending(stored)
    guard !pending.isEmpty, !stored.isNew else {
      var plan = MigrationPlan(first)
      let moves = try plannedMoves(stored, connection)
      plan.losses =
        try losses(
          first, connection,
          discarding: schema.keepable([], policy, stored.record, after: renamings))
        + moves.losses(allowing: policy.discarded)
      plan.steps += moves.steps
      return plan
    }
    let kept = Set(pending.flatMap(\.steps).compactMap(\.kept))
    let discarded = Set(pending.flatMap { $0.steps.flatMap(\.discarded) })
    let (then, result) = try planOnCopies(of: stored, pending, discarding: discarded, connection)
    var plan = MigrationPlan(then)
    plan.differences = first.differences
    let moves = try plannedMoves(result, keeping: kept, connection)
    let allowed = policy.discarded.union(discarded)
    plan.losses = try then.losses(
      allowing: allowed.union(schema.keepable(kept, policy, result.record, after: renamings))
    ) { count in
      do {
        return try connection.withSavepoint { try connection.query(count) }.first?.int(0) ?? 0
      } catch let error as StoreError
        where (error.underlying as? PostgresError)?.isMissingTableOrColumn ?? false
      {
        // A declared step creates the part.
        return 0
      }
    }
    plan.losses += moves.losses(allowing: allowed)
    plan.steps = pending.flatMap(\.plan) + plan.steps + moves.steps
    return plan
  }

  /// Executes declared migrations on empty copies of the tables, and compares the
  /// result with the declarations.
  private func planOnCopies(
    of stored: StoredSchema, _ pending: [Migration], discarding discarded: Set<SchemaPart>,
    _ connection: PostgresConnection
  ) throws -> (SchemaComparison, StoredSchema) {
    let copy = "_moho plan"
    try connection.execute("SAVEPOINT _moho_plan")
    defer {
      connection.schemaName = stored.namespace
      try? connection.executeUncanceled("ROLLBACK TO _moho_plan")
    }
    for sql in stored.copies(in: copy) { try connection.execute(sql) }
    connection.schemaName = copy
    var run = MigrationRun(connection, nil)
    for migration in pending { try run.declared(migration, self, of: pending) }
    var result = try self.stored(connection)
    try result.readExpressions(of: schema, connection)
    // The triggers are copies of those of the tables.
    result.namespace = stored.namespace
    result.record = stored.record
    for migration in pending { result.record.run(migration) }
    stored.setStoredNames(in: &result, after: pending.flatMap(\.steps))
    for index in result.tables.indices {
      result.tables[index].isEmpty = stored.table(result.tables[index].storedName)?.isEmpty ?? true
    }
    return (comparison(result, discarding: discarded), result)
  }
}

extension StoredSchema {
  /// Sets the names that the tables and columns of a copy have in the database, in which no
  /// declared step has run.
  fileprivate func setStoredNames(in copy: inout StoredSchema, after steps: [DeclaredStep]) {
    var former = self
    for step in steps {
      switch step {
      case .rename(let renaming): _ = former.rename(renaming)
      case .transform(let transform): former.transform(transform)
      default: break
      }
    }
    for index in copy.tables.indices {
      let table = former.table(copy.tables[index].name)
      copy.tables[index].storedName = table?.storedName ?? copy.tables[index].name
      for column in copy.tables[index].columns.indices {
        let name = copy.tables[index].columns[column].name
        copy.tables[index].columns[column].storedName = table?.column(name)?.storedName
      }
    }
  }

  /// Adds or replaces the column of transformed values. Until the step has run, the values that
  /// it reads are in the database instead.
  private mutating func transform(_ transform: ColumnTransform) {
    guard let index = tables.firstIndex(where: { $0.name == transform.entity }),
      var column = tables[index].column(transform.key)
    else { return }
    column.name = transform.newKey
    tables[index].columns.removeAll { $0.name == column.name }
    tables[index].columns.append(column)
  }
}

extension StoredSchema {
  /// The statements that create empty copies of the tables in another PostgreSQL
  /// schema, and make it the first of the search path.
  fileprivate func copies(in copy: String) -> [String] {
    let name = quotedName(copy)
    var sql = [
      "CREATE SCHEMA \(name)", "SET LOCAL search_path = \(name), \(quotedName(namespace))",
    ]
    if hasMetadata {
      sql += [
        Metadata.creation,
        "INSERT INTO \(quotedName(Metadata.table)) \(Metadata.selection(in: namespace))",
      ]
    }
    for table in tables {
      let original = qualifiedName(table.name, in: namespace)
      sql.append(
        "CREATE TABLE \(quotedName(table.name)) (LIKE \(original)"
          + " INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING GENERATED)")
      sql += table.keyCopies
    }
    for table in tables {
      for reference in table.references where reference.isComplete {
        guard let column = reference.columns.first,
          let identity = self.table(reference.table)?.identityColumn
        else { continue }
        let declared = StoredReference(
          column: column, table: reference.table, action: reference.action)
        sql.append(
          "ALTER TABLE \(quotedName(table.name)) ADD \(declared.constraint(identity: identity))")
      }
      for trigger in table.deleteTriggers {
        sql += trigger.copies(on: table.name, in: copy)
      }
    }
    return sql
  }
}

extension StoredTable {
  /// The statements that add keys, checks and indexes to a copy.
  fileprivate var keyCopies: [String] {
    let table = quotedName(name)
    func list(_ columns: [String]) -> String { columns.map(quotedName).joined(separator: ", ") }
    var sql: [String] = []
    if let primaryKey {
      sql.append(
        "ALTER TABLE \(table) ADD CONSTRAINT \(quotedName(primaryKey.name))"
          + " PRIMARY KEY (\(list(primaryKey.columns)))")
    }
    for key in uniqueKeys where key.index == nil {
      sql.append(
        "ALTER TABLE \(table) ADD CONSTRAINT \(quotedName(key.name)) UNIQUE (\(list(key.columns)))")
    }
    for check in checks {
      sql.append(
        "ALTER TABLE \(table) ADD CONSTRAINT \(quotedName(check.name)) \(check.definition)")
    }
    for index in indexes where index.isPlain {
      sql.append(IndexDefinition(name: index.name, table: name, columns: index.columns).creation)
    }
    if let searchIndex, searchIndex.version != nil { sql += searchIndex.creation(on: name) }
    for index in uniqueKeys.compactMap(\.index) {
      sql.append(
        IndexDefinition(name: index.name, table: name, columns: index.columns, isUnique: true)
          .creation)
    }
    return sql
  }
}

extension StoredTrigger {
  fileprivate func copies(on table: String, in namespace: String) -> [String] {
    DeleteTrigger(
      name: name, table: table, relationship: "", function: function, denies: isBefore, body: body
    ).statements(in: namespace)
  }
}
