import GRDBSQLite
import MohoRows

/// Finds the rows of a table that differ between two snapshots.
///
/// It reads both snapshots in parallel, sorted by identity.
struct TableComparison {
  private let table: CompiledTable
  private let old: SnapshotConnection
  private let new: SnapshotConnection
  private let sql: String
  private let count: CInt

  init(of table: CompiledTable, from old: SnapshotConnection, to new: SnapshotConnection) {
    self.table = table
    self.old = old
    self.new = new
    let columns = [table.identityColumn ?? "rowid"] + table.columnNames
    sql =
      "SELECT \(columns.map(quotedName).joined(separator: ", "))"
      + " FROM main.\(quotedName(table.name)) ORDER BY 1"
    count = CInt(columns.count)
  }

  /// Returns the rows that were inserted, updated or deleted between the two
  /// snapshots, in the form that a recorded transaction has.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func differences() throws -> RowWriteSet {
    var written = RowWriteSet(isComplete: true)
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
        written.insertNew(newRow)
        hasNew = try new.step(after)
      } else if hasOld && (!hasNew || oldRow < newRow) {
        record(oldRow, before, in: &written)
        hasOld = try old.step(before)
      } else {
        if !isSame(before, after) { record(oldRow, before, in: &written) }
        (hasOld, hasNew) = (try old.step(before), try new.step(after))
      }
    }
    return written
  }

  private func record(_ row: Int64, _ statement: OpaquePointer, in written: inout RowWriteSet) {
    let previous = PreviousRow(of: table, hasValues: written.recordsValues) {
      SQLiteValue(statement, CInt($0 + 1))
    }
    written.record(row, previous: previous, of: table)
  }

  /// Whether two rows have the same values: the same types and the same bytes.
  // SAFETY: Both statements have a current row. The bytes from SQLite are valid
  // until the statement is advanced.
  private func isSame(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
    for column in 1..<count {
      guard SQLiteValue(left, column).isIdentical(to: SQLiteValue(right, column)) else {
        return false
      }
    }
    return true
  }
}
