import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Reads the recorded unique keys of deleted rows, and those of existing rows.
struct SQLiteRecordedKeys: RecordedKeySource {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func deletions(
    of rows: [RecordedVersion], _ entity: CompiledEntity, after isAfter: Bool
  ) throws -> [RecordedDeletion?] {
    let sql = """
      SELECT sequence, key FROM \(quotedName(ReservedName.history)) \
      WHERE entity = ? AND row = ? AND change = 2 AND sequence \
      \(isAfter ? "> ? ORDER BY sequence" : "<= ? ORDER BY sequence DESC") LIMIT 1
      """
    return try rows.map { row in
      let arguments = [FieldContent.string(entity.name), .int64(row.row), .int64(row.sequence)]
      return try PreparedStatement(database, SQLQuery(sql, arguments)).first { statement in
        RecordedDeletion(
          sequence: sqlite3_column_int64(statement, 0),
          key: entity.key(recorded: StoredValue(statement, 1)))
      }
    }
  }

  func identifyingValues(
    of rows: [Int64], _ entity: CompiledEntity
  ) throws -> [Int64: [FieldContent]] {
    var values: [Int64: [FieldContent]] = [:]
    for row in rows where values[row] == nil {
      values[row] = try entity.identifyingValues(of: row, database).map { entity.contents($0) }
    }
    return values
  }
}
