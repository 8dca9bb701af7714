import Foundation
import GRDB
public import MohoMapping
public import MohoRows

extension ModelStore {
  /// Returns the changes that opening a store would make. The file is only
  /// read.
  ///
  /// Declared migrations that have not been run are executed on empty copies of
  /// the tables in memory. Steps that run a closure are skipped.
  ///
  /// - Parameters:
  ///   - path: The path of the file. If the file does not exist, the plan
  ///     creates it.
  ///   - models: The models to open the store with.
  ///   - entities: The entities to open the store with.
  ///   - configuration: The configuration to open the store with.
  /// - Throws: A `StoreError` if the file cannot be read, if it is not a
  ///   database or belongs to another application, or if a declared step fails
  ///   on empty tables. A `MappingError` if a declaration is invalid.
  public static func migrationPlan(
    path: String, models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> MigrationPlan {
    let schema = try Schema(models, entities: entities).withoutUnsignedIntegersAndUUIDs()
    let migrator = Migrator(schema, configuration, ownsFile: true)
    return try withOpeningErrors(path, schema) {
      try StoreFile.check(path)
      guard FileManager.default.fileExists(atPath: path) else {
        return MigrationPlan(SchemaComparison(StoredSchema(), schema))
      }
      var configuration = configuration
      configuration.isReadOnly = true
      let queue = try DatabaseQueue(path: path, configuration: Configuration(configuration))
      return try queue.read { database in
        try migrator.checkApplication(database)
        return try migrator.plan(database)
      }
    }
  }
}

extension Migrator {
  /// Plans the migration of a database, which is only read.
  func plan(_ database: Database) throws -> MigrationPlan {
    let stored = try StoredSchema(database)
    try version.check(stored.record)
    let first = try comparison(stored, database)
    let pending = pending(stored)
    guard !pending.isEmpty, !stored.isNew(to: schema) else {
      var plan = MigrationPlan(first)
      var tables = stored
      try tables.readTables(database, for: schema)
      let moves = try plannedMoves(tables, database)
      plan.losses =
        try losses(
          first, database, discarding: schema.keepable([], policy, stored.record, after: renamings))
        + moves.losses(allowing: policy.discarded)
      plan.steps += moves.steps
      return plan
    }

    var tables = stored
    try tables.readTables(database, for: schema)
    let kept = Set(pending.flatMap(\.steps).compactMap(\.kept))
    let copy = try DatabaseQueue(configuration: Configuration(configuration))
    let discarded = Set(pending.flatMap { $0.steps.flatMap(\.discarded) })
    var emptyTables: Set<[UInt8]> = []
    for object in stored.objects where object.kind == .table {
      let row = try Row.fetchOne(
        database, sql: "SELECT 1 FROM main.\(quotedName(object.name)) LIMIT 1")
      if row == nil { emptyTables.insert(folded(object.name)) }
    }
    let (then, result) = try copy.writeWithoutTransaction { copy in
      try copy.execute(sql: "PRAGMA foreign_keys = OFF")
      try copyTables(of: stored, to: copy)
      var run = MigrationRun(copy, nil)
      for migration in pending { try run.declared(migration.withoutClosures, schema) }
      var result = try StoredSchema(copy)
      result.record = stored.record
      for migration in pending { result.record.run(migration) }
      try result.readTables(copy, for: schema)
      tables.setStoredNames(in: &result, after: pending.flatMap(\.steps))
      for index in result.tables.indices {
        result.tables[index].isEmpty = emptyTables.contains(
          folded(result.tables[index].storedName))
      }
      let comparison = SchemaComparison(
        result, schema, renamings: renamings,
        discarding: policy.discarded.union(discarded))
      return (comparison, result)
    }
    let moves = try plannedMoves(result, keeping: kept, database)
    let allowed = policy.discarded.union(discarded)
    var plan = MigrationPlan(then)
    plan.differences = first.differences
    plan.losses = try then.losses(
      allowing: allowed.union(schema.keepable(kept, policy, result.record, after: renamings))
    ) { count in
      do {
        return try Row.fetchOne(database, sql: count).map { Int($0.integer(0)) } ?? 0
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A declared step creates the part.
        return 0
      }
    }
    plan.losses += moves.losses(allowing: allowed)
    plan.steps = stored.searchRemovals + pending.flatMap(\.plan) + plan.steps + moves.steps
    return plan
  }

  /// Copies the schema of a database to an empty one, including the store's
  /// bookkeeping but no other rows.
  private func copyTables(of stored: StoredSchema, to copy: Database) throws {
    let objects = stored.objects.filter { !$0.isPartOfSearch }
    for object in objects.sorted(by: { $0.kind.creationOrder < $1.kind.creationOrder }) {
      // Tables of other applications may require extensions that this
      // connection does not have.
      do { try copy.execute(sql: object.sql) } catch  where !stored.isOwned(object.table) {}
    }
    for (table, names) in [
      (SchemaObject.entityTable, stored.owned), (.migrationTable, stored.migrations),
    ] {
      for name in names {
        try copy.execute(
          sql: "INSERT INTO \(quotedName(table.name)) VALUES (?)", arguments: [name])
      }
    }
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

  /// Adds the column of transformed values. Until the step has run, the values that it reads
  /// are in the database instead.
  private mutating func transform(_ transform: ColumnTransform) {
    guard let index = tables.firstIndex(where: { isEqualIgnoringCase($0.name, transform.entity) }),
      var column = tables[index].valueColumn(of: transform.key)
    else { return }
    column.name = ReservedName.interimColumn(transform.newKey)
    tables[index].columns.removeAll { isEqualIgnoringCase($0.name, column.name) }
    tables[index].columns.append(column)
  }
}

extension Migration {
  /// The migration without the steps that run closures.
  fileprivate var withoutClosures: Migration {
    Migration(name, steps.filter { if case .run = $0 { false } else { true } })
  }
}
