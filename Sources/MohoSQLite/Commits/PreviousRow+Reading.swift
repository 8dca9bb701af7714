import MohoRows

extension PreviousRow {
  /// Reads a row.
  ///
  /// - Parameters:
  ///   - table: The table of the row.
  ///   - hasValues: Whether to read fingerprints in addition to links.
  ///   - value: A closure that returns the value of a column, by its index in
  ///     the table. It returns nil if the value cannot be read.
  /// - Returns: Nil if a value cannot be read.
  // SAFETY: Each value is read before the next is requested.
  init?(of table: CompiledTable, hasValues: Bool, _ value: (Int) -> SQLiteValue?) {
    var links: [Int64?] = []
    links.reserveCapacity(table.linkColumns.count)
    guard hasValues else {
      for column in table.linkColumns {
        guard let value = value(column) else { return nil }
        links.append(value.integer)
      }
      self.init(fingerprints: nil, links: links)
      return
    }
    var fingerprints: [UInt64] = []
    fingerprints.reserveCapacity(table.columns.count)
    for column in table.columns.indices {
      guard let value = value(column) else { return nil }
      fingerprints.append(value.fingerprint)
      if table.linkColumns.contains(column) { links.append(value.integer) }
    }
    self.init(fingerprints: fingerprints, links: links)
  }
}
