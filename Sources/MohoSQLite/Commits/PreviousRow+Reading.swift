import MohoRows

extension PreviousRow {
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
