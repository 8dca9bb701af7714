import MohoRows

/// A row of the log.
struct LogRow {
  /// What is known about the row or the rows.
  enum Kind: Int16 {
    /// The row was updated or deleted. Its old values are recorded.
    case changed
    /// The rows were updated or deleted. Only their old links are recorded.
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
  init?(_ record: UnsafeRawBufferPointer, of table: RecordedTable, hasValues: Bool) {
    var reader = BinaryReader(record)
    guard reader.integer() == table.columns.count else { return nil }
    var fingerprints: [UInt64] = []
    if hasValues { fingerprints.reserveCapacity(table.columns.count) }
    var links: [Int64?] = []
    for (index, column) in table.columns.enumerated() {
      guard reader.integer() != nil, let value = reader.value() else { return nil }
      if table.table.linkColumns.contains(index) {
        links.append(value.flatMap { Int64(binary: $0) })
      }
      if hasValues {
        guard let fingerprint = column.fingerprint(of: value) else { return nil }
        fingerprints.append(fingerprint)
      }
    }
    self.init(fingerprints: hasValues ? fingerprints : nil, links: links)
  }

  /// Reads the links of several rows from a record of arrays, one for each link
  /// column.
  ///
  /// - Returns: Nil if the record does not have the columns of the table.
  static func rows(
    _ record: UnsafeRawBufferPointer, of table: RecordedTable, count: Int
  ) -> [PreviousRow]? {
    var reader = BinaryReader(record)
    guard reader.integer() == table.linkColumns.count else { return nil }
    var columns: [[Int64?]] = []
    for _ in table.linkColumns {
      guard reader.integer() != nil, let array = reader.value() ?? nil else { return nil }
      var elements = BinaryReader(array)
      guard elements.arrayCount() == count else { return nil }
      var links: [Int64?] = []
      links.reserveCapacity(count)
      for _ in 0..<count {
        guard let value = elements.value() else { return nil }
        links.append(value.flatMap { Int64(binary: $0) })
      }
      columns.append(links)
    }
    return (0..<count).map { row in
      PreviousRow(fingerprints: nil, links: columns.map { $0[row] })
    }
  }
}
