import MohoRows

/// Collects the rows of the log that belong to one step, in the order in which
/// they were written.
///
/// The first entry of a row has the values before the step, because a transaction
/// can only change a row after the previous one that changed it has ended.
struct LoggedChanges {
  private(set) var tables: [String: RowWriteSet] = [:]
  /// False if any row of any table may have changed.
  private(set) var isComplete = true
  private let schema: [String: RecordedTable]

  init(_ schema: [String: RecordedTable]) { self.schema = schema }

  var isEmpty: Bool { tables.isEmpty && isComplete }

  /// Records that any row of a table may have changed.
  mutating func appendAnyRow(of table: String) {
    tables[table, default: RowWriteSet(isComplete: true)].isComplete = false
  }

  /// Adds a row of the log.
  ///
  /// - Parameter old: The values before the change, or the links of several rows, in
  ///   the binary form of records.
  mutating func append(_ row: LogRow, old: UnsafeRawBufferPointer?) {
    if row.kind == .anyRow && row.table.isEmpty {
      isComplete = false
      return
    }
    // Other stores may record more tables.
    guard let table = schema[row.table] else { return }
    Self.append(
      row, old: old, table, &tables[row.table, default: RowWriteSet(isComplete: true)])
  }

  private static func append(
    _ row: LogRow, old: UnsafeRawBufferPointer?, _ table: RecordedTable, _ rows: inout RowWriteSet
  ) {
    switch row.kind {
    case .anyRow: rows.isComplete = false
    case .changed:
      guard let rowID = row.rowID, rows.lacksPreviousValues(of: rowID) else { return }
      // After all rows have been removed, the row may be another one.
      let previous =
        rows.isComplete
        ? old.flatMap { PreviousRow($0, of: table, hasValues: rows.recordsValues) } : nil
      rows.record(rowID, previous: previous, of: table.table)
    case .inserted:
      if let rowID = row.rowID { insert(rowID, table, &rows) }
    case .insertedRows:
      for rowID in row.rowIDs { insert(rowID, table, &rows) }
    case .changedRows:
      let previous =
        rows.isComplete
        ? old.flatMap { PreviousRow.rows($0, of: table, count: row.rowIDs.count) } : nil
      for (index, rowID) in row.rowIDs.enumerated() where rows.lacksPreviousValues(of: rowID) {
        rows.record(rowID, previous: previous?[index], of: table.table)
      }
    }
  }

  private static func insert(_ rowID: Int64, _ table: RecordedTable, _ rows: inout RowWriteSet) {
    if rows.isComplete {
      rows.insertNew(rowID)
    } else if rows.lacksPreviousValues(of: rowID) {
      rows.record(rowID, previous: nil, of: table.table)
    }
  }
}
