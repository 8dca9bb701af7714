import GRDBSQLite

/// A value of a column that stays when the statement moves on: with its type
/// and all of its bytes.
// SAFETY: The instance owns its copy, which is never changed, so it may be read
// from any thread.
final class KeptValue: @unchecked Sendable {
  let pointer: OpaquePointer?

  /// Copies the value of a column of the row that a statement stands on.
  init(_ statement: OpaquePointer, _ column: Int32) {
    pointer = sqlite3_value_dup(sqlite3_column_value(statement, column))
  }

  /// Nil of SQLite.
  init() { pointer = nil }

  deinit { sqlite3_value_free(pointer) }

  var isNull: Bool { pointer == nil || sqlite3_value_type(pointer) == SQLITE_NULL }

  var int64: Int64 { pointer == nil ? 0 : sqlite3_value_int64(pointer) }
}
