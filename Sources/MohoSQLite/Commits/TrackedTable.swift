import GRDBSQLite
import MohoRows

/// A table whose written rows a ``WriteRecorder`` records.
final class TrackedTable {
  let table: CompiledTable
  let name: ContiguousArray<CChar>
  /// The indexes of the columns in the table, or nil if they have not been
  /// read.
  var columns: [CInt]?
  /// The rows that the current transaction has written.
  var written: RowWriteSet
  /// The rows that each running part of the transaction has written. The innermost part is last.
  var parts: [RowWriteSet] = []

  init(_ table: CompiledTable, isComplete: Bool) {
    self.table = table
    name = table.name.utf8CString
    written = RowWriteSet(isComplete: isComplete)
  }

  // SAFETY: Both names end with a null character.
  func isNamed(_ other: UnsafePointer<CChar>) -> Bool {
    name.withUnsafeBufferPointer { sqlite3_stricmp($0.baseAddress, other) == 0 }
  }

  func takeWritten() -> RowWriteSet {
    defer { written = RowWriteSet(isComplete: written.isComplete) }
    return written
  }
}
