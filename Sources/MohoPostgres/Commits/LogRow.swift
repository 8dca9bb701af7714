import MohoRows

/// A row of the log.
struct LogRow {
  /// What is known about the row or the rows.
  enum Kind: Int16 {
    /// The row was updated or deleted. Its old values are recorded.
    case changed
    /// The rows were updated or deleted. Their old values are not recorded.
    case changedRows
    /// The row was inserted.
    case inserted
    /// The rows were inserted.
    case insertedRows
    /// Any row of the table may have changed. Without a table, any row of any
    /// table.
    case anyRow
  }

  let table: String
  let kind: Kind
  var rowID: Int64?
  var rowIDs: [Int64] = []
}

extension PreviousRow {
  /// Reads a row in the binary form of records.
  ///
  /// - Parameter hasValues: Whether to read fingerprints in addition to links.
  /// - Returns: Nil if the record does not have the columns of the table. It may
  ///   have been written before the table was altered.
  // SAFETY: All reads are within the bounds of the buffer.
  init?(_ record: UnsafeRawBufferPointer, of table: RecordedTable, hasValues: Bool) {
    var rest = record[...]
    func integer() -> Int? {
      guard rest.count >= 4 else { return nil }
      let value = Int32(
        bigEndian: UnsafeRawBufferPointer(rebasing: rest.prefix(4)).loadUnaligned(as: Int32.self))
      rest = rest.dropFirst(4)
      return Int(value)
    }
    guard integer() == table.columns.count else { return nil }
    var fingerprints: [UInt64] = []
    if hasValues { fingerprints.reserveCapacity(table.columns.count) }
    var links: [Int64?] = []
    for (index, column) in table.columns.enumerated() {
      guard integer() != nil, let count = integer(), count <= rest.count else { return nil }
      let value = count < 0 ? nil : UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      rest = rest.dropFirst(max(count, 0))
      if table.table.linkColumns.contains(index) {
        links.append(value.flatMap { RecordedColumn.integer($0) })
      }
      if hasValues {
        guard let fingerprint = column.fingerprint(of: value) else { return nil }
        fingerprints.append(fingerprint)
      }
    }
    self.init(fingerprints: hasValues ? fingerprints : nil, links: links)
  }
}
