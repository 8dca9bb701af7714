import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension Migrator {
  /// Finds the unknown members that a migration moves.
  ///
  /// - Parameters:
  ///   - stored: The schema with its tables, after the renaming steps.
  ///   - kept: The keys whose values declared migrations keep.
  func memberMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart>, isPlan: Bool = false,
    _ database: Database
  ) throws -> MemberMoves {
    func table(_ entity: String) -> MemberMigration.Table? {
      guard let table = stored.table(entity), stored.isOwned(table.name), !table.isEmpty else {
        return nil
      }
      return MemberMigration.Table(
        name: table.storedName, identity: table.storedIdentityColumn,
        columns: table.valueColumns(of: schema.entity(entity)))
    }
    return try schema.memberMoves(
      since: stored.record, policy, keeping: kept, isPlan: isPlan, table
    ) { try database.contents($0, $1) }
  }

  /// Moves unknown members in tables that match the declarations otherwise.
  func moveMembers(_ stored: StoredSchema, _ database: Database) throws {
    guard !isRecorded(stored) else { return }
    var stored = stored
    try stored.readTables(database, for: schema)
    let moves = try memberMoves(stored, keeping: [], database)
    try moves.check([], allowing: policy.discarded)
    var run = MigrationRun(database, configuration.onMigrationProgress)
    try run.perform(moves, schema)
  }

  /// Finds unknown members for a plan.
  ///
  /// - Parameter stored: The schema with its tables, before the renaming steps.
  func plannedMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart> = [], _ database: Database
  ) throws -> MemberMoves {
    var stored = stored
    for renaming in renamings where schema.canApply(renaming) { _ = stored.rename(renaming) }
    return try memberMoves(stored, keeping: kept, isPlan: true, database)
  }
}

extension StoredTable {
  /// The columns in the database that contain the values of keys, by key.
  fileprivate func valueColumns(of entity: Entity?) -> [String: String] {
    let names = columns.map(\.name).filter { !ReservedName.isInterimColumn($0) }
    var values: [String: String] = [:]
    for name in names + (entity?.attributes.map(\.name) ?? []) {
      values[name] = valueColumn(of: name)?.storedName
    }
    return values
  }
}

extension Database {
  /// Returns the values of the rows of a statement.
  // Not cached: most of these statements run once.
  func contents(_ sql: String, _ arguments: [FieldContent] = []) throws -> [[FieldContent]] {
    let made = try makeStatement(sql: sql)
    // GRDB only runs statements after their arguments have been set.
    made.setUncheckedArguments(StatementArguments())
    let statement = PreparedStatement(made, self, offset: 0)
    try statement.bind(arguments)
    var rows: [[FieldContent]] = []
    try statement.forEachRow { row in
      rows.append((0..<sqlite3_column_count(row)).map { StoredValue(row, $0).content })
    }
    return rows
  }
}
