/// The values of a row before it was written.
struct PreviousRow {
  /// The fingerprints of its columns, or nil if they were not read.
  private(set) var fingerprints: [UInt64]?
  /// The identities of its linked rows, in the order of the table's link
  /// columns.
  private(set) var links: [Int64?] = []

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - table: Its table.
  ///   - hasValues: Whether fingerprints are read, in addition to links.
  ///   - value: The value of a column, by its index among those of the table;
  ///     nil if it cannot be read.
  /// - Returns: Nil if a value cannot be read.
  // SAFETY: Each value is read before the next is requested.
  init?(of table: CompiledTable, hasValues: Bool, _ value: (Int) -> SQLiteValue?) {
    links.reserveCapacity(table.linkColumns.count)
    guard hasValues else {
      for column in table.linkColumns {
        guard let value = value(column) else { return nil }
        links.append(value.integer)
      }
      return
    }
    var fingerprints: [UInt64] = []
    fingerprints.reserveCapacity(table.columns.count)
    for column in table.columns.indices {
      guard let value = value(column) else { return nil }
      fingerprints.append(value.fingerprint)
      if table.linkColumns.contains(column) { links.append(value.integer) }
    }
    self.fingerprints = fingerprints
  }
}
