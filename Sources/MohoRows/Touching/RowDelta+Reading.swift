extension RowDelta {
  /// Returns whether the values of a column may differ.
  ///
  /// - Parameter column: The index of the column in the row.
  package func mayDiffer(in column: Int) -> Bool {
    guard case .row(let old) = before, case .row(let new) = after,
      column < old.count, column < new.count
    else { return true }
    return old[column] != new[column]
  }

  /// Returns the row with some of its columns.
  package func selecting(_ columns: [Int]) -> RowDelta {
    RowDelta(before: before.selecting(columns), after: after.selecting(columns))
  }
}

extension [Int64: RowDelta] {
  /// Returns the rows with some of their columns.
  package func selecting(_ columns: [Int]?) -> [Int64: RowDelta] {
    guard let columns else { return self }
    return mapValues { $0.selecting(columns) }
  }

  /// Returns the inserted and deleted rows of a table whose rows are identified
  /// only by their values. A row is inserted if no previous row had its values,
  /// and deleted if no current row has its values.
  ///
  /// - Parameter columns: The columns to compare.
  package func insertedAndDeleted(
    comparing columns: [Int]
  ) -> (inserted: Set<Int64>, deleted: Set<Int64>) {
    let before = Set(values.compactMap { $0.before.selecting(columns).values })
    let after = Set(values.compactMap { $0.after.selecting(columns).values })
    func rows(
      without known: Set<[UInt64]>, _ state: (RowDelta) -> RowWriteSet.RecordedRow
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

extension RowWriteSet.RecordedRow {
  fileprivate var values: [UInt64]? {
    if case .row(let values) = self { values } else { nil }
  }

  fileprivate func selecting(_ columns: [Int]) -> Self {
    guard case .row(let values) = self, values.count > columns.count else { return self }
    return .row(columns.map { values[$0] })
  }
}

extension StoreReader {
  /// Returns the rows of an entity's table that a commit has written, before
  /// and after the commit.
  ///
  /// The rows are read once for all observers of the commit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* written rows.
  package func rows(of entity: Entity, by commit: CommittedChanges) throws -> [Int64: RowDelta] {
    guard let written = commit.tables[entity.name] else { return [:] }
    return try commit.deltas.rows(of: entity.name) {
      let readsNew = written.before.count <= Self.fewRows
      // Rows whose former values are not available do not need to be read.
      return try rows(written.before, of: schema.compiled.requireEntity(entity.name).table) {
        $0 == .absent ? readsNew : $0 != .unknown
      }
    }
  }

  /// Returns the rows of a result's own table that a commit has written, with
  /// the columns of ``ResultDefinition/columnNames``.
  ///
  /// - Complexity: O(*k* log *n*) for *k* written rows.
  package func ownRows(
    of result: ResultDefinition, by commit: CommittedChanges
  ) throws -> [Int64: RowDelta] {
    try rows(of: result.entity, by: commit).selecting(result.readColumns)
  }

  /// The maximum number of written rows that are examined individually before any other
  /// work.
  private static let examinedRows = 16

  /// Returns the changes that a complete commit made to the rows of a result's own table.
  /// Nil if there are many changes, or if the result reads other tables.
  package func fewOwnRows(
    of result: ResultDefinition, by commit: CommittedChanges
  ) throws -> [Int64: RowDelta]? {
    guard commit.hasAllTables, result.readsOnlyOwnTable else { return nil }
    guard let written = commit.tables[result.tableName] else { return [:] }
    guard written.recordsEveryRow, written.before.count <= Self.examinedRows else { return nil }
    return try ownRows(of: result, by: commit)
  }

  /// Returns all links of a table that a commit has written, before and after
  /// the commit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* written links.
  package func links(of table: LinkTable, by commit: CommittedChanges) throws -> [Int64: RowDelta] {
    guard let written = commit.tables[table.name] else { return [:] }
    return try commit.deltas.rows(of: table.name) {
      var before = written.before
      for row in written.newRows.rows { before[row] = .absent }
      // Links that were removed may have been added again.
      let isRead = before.values.contains { $0 != .absent }
      return try rows(before, of: table.table) { _ in isRead }
    }
  }

  /// The maximum number of written rows for which the values of new rows are
  /// read. With more written rows, the values of new rows are not available
  /// until the rows are written again.
  private static let fewRows = 1_024

  /// Reads the current values of those rows that a closure selects.
  private func rows(
    _ before: [Int64: RowWriteSet.RecordedRow], of table: CompiledTable,
    where isRead: (RowWriteSet.RecordedRow) -> Bool
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
