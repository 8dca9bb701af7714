/// What a commit made of one row of a table.
package struct RowDelta: Sendable, Equatable {
  /// What the row held before, and what it holds.
  package let before: RowWriteSet.Before
  package let after: RowWriteSet.Before

  package init(before: RowWriteSet.Before, after: RowWriteSet.Before) {
    self.before = before
    self.after = after
  }

  /// Whether the row came or went.
  package var isNewOrGone: Bool { (before == .absent) != (after == .absent) }

  /// Whether all values are known to be the same.
  var isNone: Bool { before == after && before != .unknown }

  /// The names of the columns whose values differ, or nil where that is not
  /// known or the row came or went.
  package func columns(among names: [String]) -> Set<String>? {
    guard case .row(let old) = before, case .row(let new) = after,
      old.count == names.count, new.count == names.count
    else { return nil }
    return Set(names.indices.filter { old[$0] != new[$0] }.map { names[$0] })
  }
}

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
  /// What is known that a row held.
  fileprivate var values: [UInt64]? {
    if case .row(let values) = self { values } else { nil }
  }

  fileprivate func selecting(_ columns: [Int]) -> Self {
    guard case .row(let values) = self, values.count > columns.count else { return self }
    return .row(columns.map { values[$0] })
  }
}

extension StoreReader {
  /// The rows of a table that a commit has written, before and after it.
  ///
  /// They are read once for all observers of the commit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that were written.
  func rows(
    of table: String, by commit: CommittedChanges, identity: String, columns: [String]
  ) throws -> [Int64: RowDelta] {
    try rows(of: table, by: commit) {
      IntegerListStatement(SQLListQuery(columns: columns, of: table, identity: identity))
    }
  }

  /// What a commit made of the rows of a result's own table.
  ///
  /// - Complexity: As ``rows(of:by:identity:columns:)``.
  package func ownRows(
    of result: ResultStatements, by commit: CommittedChanges
  ) throws -> [Int64: RowDelta] {
    try rows(of: result.definition.tableName, by: commit) { result.writtenRows }
      .selecting(result.definition.readColumns)
  }

  /// What a commit made of the links of a table, of all of them.
  ///
  /// - Complexity: As ``rows(of:by:identity:columns:)``.
  func links(of table: LinkTable, by commit: CommittedChanges) throws -> [Int64: RowDelta] {
    if let known = session.rowDeltas[table.name] { return known }
    guard let written = commit.tables[table.name] else { return [:] }
    var before = written.before
    for row in written.newRows.rows { before[row] = .absent }
    // Links that were removed may have been made again.
    let isRead = before.values.contains { $0 != .absent }
    let statement = IntegerListStatement(
      SQLListQuery(columns: table.table.columnNames, of: table.name, identity: "rowid"))
    let rows = try rows(before, statement) { _ in isRead }
    session.rowDeltas[table.name] = rows
    return rows
  }

  private func rows(
    of table: String, by commit: CommittedChanges, _ statement: () -> IntegerListStatement
  ) throws -> [Int64: RowDelta] {
    if let known = session.rowDeltas[table] { return known }
    guard let written = commit.tables[table] else { return [:] }
    let readsNew = written.before.count <= Self.fewRows
    // The values of rows whose former values are not known say nothing.
    let rows = try rows(written.before, statement()) {
      $0 == .absent ? readsNew : $0 != .unknown
    }
    session.rowDeltas[table] = rows
    return rows
  }

  /// The maximum number of written rows up to which new ones are read. What
  /// they hold is not known otherwise, until they are written again.
  private static let fewRows = 1_024

  /// Reads what rows hold, those of which it is asked for.
  private func rows(
    _ before: [Int64: RowWriteSet.Before], _ statement: IntegerListStatement,
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
    for (rowID, values) in try fingerprints(of: read, by: statement) {
      guard let before = before[rowID] else { continue }
      rows[rowID] = RowDelta(before: before, after: .row(values))
    }
    return rows
  }
}
