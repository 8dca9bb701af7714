import MohoRows

extension RowDelta {
  /// Whether the values of a column may differ.
  ///
  /// - Parameter column: Its index among those of the row.
  func mayDiffer(in column: Int) -> Bool {
    guard case .row(let old) = before, case .row(let new) = after,
      column < old.count, column < new.count
    else { return true }
    return old[column] != new[column]
  }

  /// The row with some of its columns.
  func selecting(_ columns: [Int]) -> RowDelta {
    RowDelta(before: before.selecting(columns), after: after.selecting(columns))
  }
}

extension [Int64: RowDelta] {
  /// The rows with some of their columns.
  func selecting(_ columns: [Int]?) -> [Int64: RowDelta] {
    guard let columns else { return self }
    return mapValues { $0.selecting(columns) }
  }

  /// Finds the inserted and deleted rows of a table whose rows have no identity
  /// other than their values: the rows with values that no row had before, and the
  /// previous rows with values that no row has any more.
  ///
  /// - Parameter columns: The columns to compare.
  func insertedAndDeleted(
    comparing columns: [Int]
  ) -> (inserted: Set<Int64>, deleted: Set<Int64>) {
    let before = Set(values.compactMap { $0.before.selecting(columns).values })
    let after = Set(values.compactMap { $0.after.selecting(columns).values })
    func rows(
      without known: Set<[UInt64]>, _ state: (RowDelta) -> RowWriteSet.Before
    ) -> Set<Int64> {
      var rows: Set<Int64> = []
      for (rowID, row) in self {
        let row = state(row)
        if row == .absent { continue }
        if let values = row.selecting(columns).values, known.contains(values) { continue }
        rows.insert(rowID)
      }
      return rows
    }
    return (rows(without: before, \.after), rows(without: after, \.before))
  }
}

extension RowWriteSet.Before {
  fileprivate var values: [UInt64]? {
    if case .row(let values) = self { values } else { nil }
  }

  fileprivate func selecting(_ columns: [Int]) -> Self {
    guard case .row(let values) = self, values.count > columns.count else { return self }
    return .row(columns.map { values[$0] })
  }
}

extension StoreReader {
  /// The rows of an entity's table that a commit has written, before and after
  /// it.
  ///
  /// They are read once for all observers of the commit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that were written.
  func rows(of entity: Entity, by commit: CommittedChanges) throws -> [Int64: RowDelta] {
    if let known = session.rowDeltas[entity.name] { return known }
    guard let written = commit.tables[entity.name] else { return [:] }
    let readsNew = written.before.count <= Self.fewRows
    // Rows whose former values are unknown need not be read.
    let rows = try rows(written.before, of: schema.compiled.requireEntity(entity.name).table) {
      $0 == .absent ? readsNew : $0 != .unknown
    }
    session.rowDeltas[entity.name] = rows
    return rows
  }

  /// The rows of a result's own table that a commit has written, with the columns
  /// of ``ResultDefinition/columnNames``.
  ///
  /// - Complexity: As ``rows(of:by:)``.
  func ownRows(
    of result: ResultDefinition, by commit: CommittedChanges
  ) throws -> [Int64: RowDelta] {
    try rows(of: result.entity, by: commit).selecting(result.readColumns)
  }

  /// All links of a table that a commit has written, before and after it.
  ///
  /// - Complexity: As ``rows(of:by:)``.
  func links(of table: LinkTable, by commit: CommittedChanges) throws -> [Int64: RowDelta] {
    if let known = session.rowDeltas[table.name] { return known }
    guard let written = commit.tables[table.name] else { return [:] }
    var before = written.before
    for row in written.newRows.rows { before[row] = .absent }
    // Removed links may have been added again.
    let isRead = before.values.contains { $0 != .absent }
    let rows = try rows(before, of: table.table) { _ in isRead }
    session.rowDeltas[table.name] = rows
    return rows
  }

  /// The maximum number of written rows up to which new ones are read. The values
  /// of further ones are unknown until they are written again.
  private static let fewRows = 1_024

  /// Reads the present values of those rows that a closure selects.
  private func rows(
    _ before: [Int64: RowWriteSet.Before], of table: CompiledTable,
    where isRead: (RowWriteSet.Before) -> Bool
  ) throws -> [Int64: RowDelta] {
    var rows: [Int64: RowDelta] = [:]
    rows.reserveCapacity(before.count)
    var read: [Int64] = []
    for (rowID, before) in before {
      let isRead = isRead(before)
      if isRead { read.append(rowID) }
      rows[rowID] = RowDelta(before: before, after: isRead ? .absent : .unknown)
    }
    for (rowID, values) in try session.fingerprints(of: read, in: table) {
      guard let before = before[rowID] else { continue }
      rows[rowID] = RowDelta(before: before, after: .row(values))
    }
    return rows
  }
}
