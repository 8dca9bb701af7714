/// What a commit made of one row of a table.
package struct WrittenRow: Sendable, Equatable {
  /// What the row held before, and what it holds.
  package let before: WrittenRows.Before
  package let after: WrittenRows.Before

  package init(before: WrittenRows.Before, after: WrittenRows.Before) {
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

extension [Int64: WrittenRow] {
  /// The rows that hold what none held before, and those that held what none holds
  /// any more: what has changed where rows have no identity but what they hold.
  var comeAndGone: (come: Set<Int64>, gone: Set<Int64>) {
    let before = Set(values.compactMap(\.before.values))
    let after = Set(values.compactMap(\.after.values))
    func others(than known: Set<[UInt64]>, _ held: (WrittenRow) -> WrittenRows.Before) -> Set<Int64>
    {
      let rows = filter { _, row in
        held(row) != .absent && held(row).values.map { !known.contains($0) } ?? true
      }
      return Set<Int64>(rows.keys)
    }
    return (others(than: before, \.after), others(than: after, \.before))
  }
}

extension WrittenRows.Before {
  /// What is known that a row held.
  fileprivate var values: [UInt64]? {
    if case .row(let values) = self { values } else { nil }
  }
}

extension StoreReader {
  /// What a commit made of the rows of a table.
  ///
  /// They are read once, for all who are told of the commit.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that were written.
  func rows(
    of table: String, by commit: CommittedChanges, identity: String, columns: [String]
  ) throws -> [Int64: WrittenRow] {
    try rows(of: table, by: commit) {
      ListStatement(written: columns, of: table, identity: identity)
    }
  }

  /// What a commit made of the rows of a result's own table.
  ///
  /// - Complexity: As ``rows(of:by:identity:columns:)``.
  package func ownRows(
    of result: ResultStatements, by commit: CommittedChanges
  ) throws -> [Int64: WrittenRow] {
    try rows(of: result.tableName, by: commit) { result.written }
  }

  private func rows(
    of table: String, by commit: CommittedChanges, _ statement: () -> ListStatement
  ) throws -> [Int64: WrittenRow] {
    if let known = session.writtenRows[table] { return known }
    guard let written = commit.tables[table] else { return [:] }
    let rows = try rows(written, statement())
    session.writtenRows[table] = rows
    return rows
  }

  /// Of how many rows at most those are read that were not there before. Of
  /// more it is not known what they hold, until they are written again.
  private static let fewRows = 1_024

  private func rows(
    _ written: WrittenRows, _ statement: ListStatement
  ) throws -> [Int64: WrittenRow] {
    let before = written.before
    let readsNew = before.count <= Self.fewRows
    // Of rows that are too many to have kept what they held, nothing is learned
    // from what they hold.
    func isRead(_ before: WrittenRows.Before) -> Bool {
      before == .absent ? readsNew : before != .unknown
    }
    var rows: [Int64: WrittenRow] = [:]
    rows.reserveCapacity(before.count)
    var read: [Int64] = []
    for (rowID, before) in before {
      let isRead = isRead(before)
      if isRead { read.append(rowID) }
      rows[rowID] = WrittenRow(before: before, after: isRead ? .absent : .unknown)
    }
    if read.isEmpty { return rows }
    try perform { database in
      try statement.query(for: read, database).forEachRow { statement in
        let (rowID, values) = MohoStore.fingerprints(statement)
        guard let before = before[rowID] else { return }
        rows[rowID] = WrittenRow(before: before, after: .row(values))
      }
    }
    return rows
  }
}
