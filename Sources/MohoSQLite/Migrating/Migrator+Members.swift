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
    _ stored: StoredSchema, keeping kept: Set<SchemaPart>,
    _ rows: (String) throws -> [[FieldContent]]
  ) throws -> MemberMoves {
    func table(_ entity: String) -> MemberMigration.Table? {
      guard let table = stored.table(entity), stored.isOwned(table.name), !table.isEmpty else {
        return nil
      }
      // A declared step may have transformed values for a key without a column.
      let transformed = schema.entity(entity)?.attributes.map(\.name).filter {
        table.column(ReservedName.interimColumn($0)) != nil
      }
      return MemberMigration.Table(
        name: table.storedName, identity: table.identityColumn,
        columns: table.columns.map(\.name) + (transformed ?? []))
    }
    return try schema.memberMoves(since: stored.record, policy, keeping: kept, table, rows)
  }

  /// Moves unknown members in tables that match the declarations otherwise.
  func moveMembers(_ stored: StoredSchema, _ database: Database) throws {
    guard !isRecorded(stored) else { return }
    var stored = stored
    try stored.readTables(database, for: schema)
    let moves = try memberMoves(stored, keeping: []) { try database.contents($0) }
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
    return try memberMoves(stored, keeping: kept) { sql in
      do {
        return try database.contents(sql)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // A step creates or renames a column.
        return []
      }
    }
  }
}

extension Database {
  /// Returns the values of the rows of a query.
  func contents(_ sql: String) throws -> [[FieldContent]] {
    let statement = try PreparedStatement(self, sql)
    var rows: [[FieldContent]] = []
    try statement.forEachRow { row in
      rows.append((0..<sqlite3_column_count(row)).map { StoredValue(row, $0).content })
    }
    return rows
  }
}
