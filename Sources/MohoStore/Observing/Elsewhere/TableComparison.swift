import Foundation
import GRDBSQLite

/// Finds the rows in which two states of a table differ.
///
/// Both states are read in the order of identities, side by side.
struct TableComparison {
  private let table: RecordedTable
  private let old: StateConnection
  private let new: StateConnection
  private let sql: String
  private let count: CInt

  init(of table: RecordedTable, from old: StateConnection, to new: StateConnection) {
    self.table = table
    self.old = old
    self.new = new
    let columns = [table.identity] + table.columns
    sql =
      "SELECT \(columns.map(quoted).joined(separator: ", "))"
      + " FROM main.\(quoted(table.name)) ORDER BY 1"
    count = CInt(columns.count)
  }

  /// The rows that are in one state only, or differ, as if the transaction that
  /// lies between the two had been recorded.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  func differences() throws -> WrittenRows {
    var written = WrittenRows(isComplete: true)
    let (before, after) = (try old.statement(sql), try new.statement(sql))
    defer {
      sqlite3_reset(before)
      sqlite3_reset(after)
    }
    var (hasOld, hasNew) = (try old.step(before), try new.step(after))
    while hasOld || hasNew {
      let oldRow = hasOld ? sqlite3_column_int64(before, 0) : .max
      let newRow = hasNew ? sqlite3_column_int64(after, 0) : .max
      if hasNew && (!hasOld || newRow < oldRow) {
        written.noteNew(newRow)
        hasNew = try new.step(after)
      } else if hasOld && (!hasNew || oldRow < newRow) {
        note(oldRow, before, in: &written)
        hasOld = try old.step(before)
      } else {
        if !isSame(before, after) { note(oldRow, before, in: &written) }
        (hasOld, hasNew) = (try old.step(before), try new.step(after))
      }
    }
    return written
  }

  private func note(_ row: Int64, _ statement: OpaquePointer, in written: inout WrittenRows) {
    let former = FormerRow(of: table, hasValues: written.keepsValues) {
      sqlite3_column_value(statement, CInt($0 + 1))
    }
    written.note(row, former, of: table)
  }

  /// Whether two rows have the same values: the same types and the same bytes.
  // SAFETY: The statements stand on rows. The bytes that SQLite lends stay until
  // the statement goes on.
  private func isSame(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
    for column in 1..<count {
      guard isSame(sqlite3_column_value(left, column), sqlite3_column_value(right, column))
      else { return false }
    }
    return true
  }

  private func isSame(_ left: OpaquePointer?, _ right: OpaquePointer?) -> Bool {
    let type = sqlite3_value_type(left)
    guard type == sqlite3_value_type(right) else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right)
    case SQLITE_FLOAT:
      return sqlite3_value_double(left).bitPattern == sqlite3_value_double(right).bitPattern
    default:
      // The number first: texts of other encodings are made UTF-8 for it.
      let count = sqlite3_value_bytes(left)
      guard count == sqlite3_value_bytes(right) else { return false }
      guard count > 0, let bytes = sqlite3_value_blob(left), let others = sqlite3_value_blob(right)
      else { return true }
      return memcmp(bytes, others, Int(count)) == 0
    }
  }
}
