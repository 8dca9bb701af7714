import GRDBSQLite

/// What a row held before it was written.
struct FormerRow {
  /// The fingerprints of its columns.
  private(set) var fingerprints: [UInt64] = []
  /// The rows that it was linked to, in the order of the table's link columns.
  private(set) var links: [Int64?] = []

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - table: Its table.
  ///   - value: The value of a column of the table's, by its place among them;
  ///     nil where it cannot be read, and so the row.
  // SAFETY: Values are read before the next is asked for.
  init?(of table: RecordedTable, _ value: (Int) -> OpaquePointer?) {
    fingerprints.reserveCapacity(table.columns.count)
    for column in table.columns.indices {
      guard let value = value(column) else { return nil }
      fingerprints.append(fingerprint(ofValue: value))
      guard table.links.contains(column) else { continue }
      links.append(
        sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil)
    }
  }
}
