import Foundation
import GRDB
public import MohoMapping

extension ModelStore {
  /// What opening a store would do to it, without doing it: the file is only
  /// read.
  ///
  /// Declared migrations that have not been run are tried out on empty tables of
  /// the same kind in memory, steps that run any work aside.
  ///
  /// - Parameters:
  ///   - path: The path of the file; where there is none, the plan is to make it.
  ///   - models: The models that the store is to be opened with.
  ///   - entities: The entities that it is to be opened with.
  ///   - configuration: How it is to be opened.
  /// - Throws: ``StoreError`` where the file cannot be read, is no database or
  ///   another application's, or a declared step fails on empty tables;
  ///   `MappingError` where a declaration is not sound.
  public static func migrationPlan(
    path: String, models: any MappedModel.Type..., entities: [Entity] = [],
    configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> MigrationPlan {
    let schema = try Schema(models, entities: entities)
    let migrator = Migrator(schema, configuration, ownsFile: true)
    return try withStoreErrors(on: path, schema) {
      guard FileManager.default.fileExists(atPath: path) else {
        return MigrationPlan(SchemaComparison(StoredSchema(), schema))
      }
      try StoreFile(path)?.check()
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
  /// What would be done to a database, which is only read.
  fileprivate func plan(_ database: Database) throws -> MigrationPlan {
    let stored = try StoredSchema(database)
    let first = try comparison(stored, database)
    let pending = pending(stored)
    guard !pending.isEmpty, !stored.isNew(to: schema) else {
      var plan = MigrationPlan(first)
      plan.losses = try losses(first, database)
      return plan
    }

    let copy = try DatabaseQueue(configuration: Configuration(configuration))
    let discarded = Set(pending.flatMap { $0.steps.flatMap(\.discarded) })
    var emptyTables: Set<[UInt8]> = []
    for object in stored.objects where object.kind == .table {
      let row = try Row.fetchOne(
        database, sql: "SELECT 1 FROM main.\(quoted(object.name)) LIMIT 1")
      if row == nil { emptyTables.insert(folded(object.name)) }
    }
    let then = try copy.writeWithoutTransaction { copy in
      try copy.execute(sql: "PRAGMA foreign_keys = OFF")
      try copyTables(of: stored, to: copy)
      var run = MigrationRun(copy, nil)
      for migration in pending { try run.declared(migration.withoutWork, schema) }
      var result = try StoredSchema(copy)
      try result.readTables(copy, for: schema)
      for index in result.tables.indices {
        result.tables[index].isEmpty = emptyTables.contains(folded(result.tables[index].name))
      }
      return SchemaComparison(
        result, schema, renamings: configuration.renamings + schema.renamings,
        discarding: policy.discarded.union(discarded))
    }
    var plan = MigrationPlan(then)
    plan.differences = first.differences
    plan.losses = try losses(then, database, discarding: discarded)
    plan.steps = pending.flatMap(\.plan) + plan.steps
    return plan
  }

  /// Makes the tables of a database in an empty one, with what the store knows
  /// of itself and without any other row.
  private func copyTables(of stored: StoredSchema, to copy: Database) throws {
    for object in stored.objects.sorted(by: { $0.kind.rank < $1.kind.rank }) {
      // Tables of others may need what this connection does not have.
      do { try copy.execute(sql: object.sql) } catch  where !stored.isOwned(object.table) {}
    }
    for (table, names) in [
      (SchemaObject.entityTable, stored.owned), (.migrationTable, stored.migrations),
    ] {
      for name in names {
        try copy.execute(
          sql: "INSERT INTO \(quoted(table.name)) VALUES (?)", arguments: [name])
      }
    }
  }
}

extension Migration {
  /// The migration without the steps of which no one can tell what they do.
  fileprivate var withoutWork: Migration {
    Migration(name) { steps in
      steps.steps = self.steps.filter { if case .run = $0 { false } else { true } }
    }
  }

  /// The steps as they are printed.
  fileprivate var plan: [MigrationStep] {
    steps.map { step in
      let sql = if case .sql(let sql) = step { [sql] } else { [String]() }
      return MigrationStep("\(name): \(step.summary)", sql)
    }
  }
}

extension MigrationPlan {
  /// The plan that a comparison comes to.
  init(_ comparison: SchemaComparison) {
    self.init(
      differences: comparison.differences, steps: comparison.steps, losses: [],
      refusals: comparison.refusals.map(\.difference))
  }
}
