import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Finds the unique keys that rows had after a recorded change.
///
/// The history contains the unique keys of deleted rows. A row that has not been
/// deleted after a change still has the unique key that it had then, because an
/// update of a unique key is recorded as a deletion and an insertion.
struct RecordedKeyFinder {
  private let database: Database
  private let schema: CompiledSchema

  init(_ database: Database, _ schema: CompiledSchema) {
    self.database = database
    self.schema = schema
  }

  /// Returns the unique key of a changed row. Returns nil if it is not known,
  /// because `REPLACE` has deleted the row.
  func key(of change: RecordedRow, _ entity: CompiledEntity) throws -> FieldContent? {
    if change.kind == .deleted, entity.hasOwnKey {
      return try key(recorded: change.key, of: entity, at: change.sequence)
    }
    return try key(of: change.row, entity, after: change.sequence)
  }

  /// Returns the unique key that a row had after a change.
  private func key(
    of row: Int64, _ entity: CompiledEntity, after sequence: Int64
  ) throws -> FieldContent? {
    guard entity.hasOwnKey else { return .int64(row) }
    if let deletion = try deletion(of: row, entity, "> ? ORDER BY sequence", sequence) {
      return try key(recorded: deletion.key, of: entity, at: deletion.sequence)
    }
    if let values = try entity.identifyingValues(of: row, database) {
      return try key(values, of: entity, at: .max)
    }
    // A row that links to the row may have been deleted after it.
    guard
      let deletion = try deletion(of: row, entity, "<= ? ORDER BY sequence DESC", sequence)
    else { return nil }
    return try key(recorded: deletion.key, of: entity, at: deletion.sequence)
  }

  private func deletion(
    of row: Int64, _ entity: CompiledEntity, _ condition: String, _ sequence: Int64
  ) throws -> (sequence: Int64, key: StoredValue)? {
    let sql = """
      SELECT sequence, key FROM \(quotedName(ReservedName.history)) \
      WHERE entity = ? AND row = ? AND change = 2 AND sequence \(condition) LIMIT 1
      """
    let arguments = [FieldContent.string(entity.name), .int64(row), .int64(sequence)]
    return try PreparedStatement(database, SQLQuery(sql, arguments)).first { statement in
      (sqlite3_column_int64(statement, 0), StoredValue(statement, 1))
    }
  }

  /// Returns the unique key of a deleted row.
  private func key(
    recorded key: StoredValue, of entity: CompiledEntity, at sequence: Int64
  ) throws -> FieldContent {
    guard entity.identifying.count > 1 else {
      return try self.key([key], of: entity, at: sequence)
    }
    guard case .text(let text) = key else { return .null }
    return try self.key(HistoryKeys.parts(text), of: entity, at: sequence)
  }

  private func key(
    _ values: [StoredValue], of entity: CompiledEntity, at sequence: Int64
  ) throws -> FieldContent {
    guard values.count == entity.identifying.count else { return .null }
    let parts = try zip(entity.identifying, values).map { column, value in
      switch column {
      case .attribute(let index):
        value.content(as: ValueType(entity.attributes[index].type)) ?? value.content
      case .slot(let slot):
        if let row = value.integer {
          try key(of: row, schema.entities[entity.linkColumns[slot].destination], after: sequence)
            ?? .null
        } else {
          FieldContent.null
        }
      }
    }
    return FieldContent(identity: parts)
  }
}
