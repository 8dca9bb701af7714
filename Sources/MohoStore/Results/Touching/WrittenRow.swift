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

extension StoreReader {
  /// What a commit made of the rows of a table.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that were written.
  func differences(
    of written: WrittenRows, in table: String, identity: String, columns: [String]
  ) throws -> [Int64: WrittenRow] {
    // Of rows that are too many to have kept what they held, nothing is learned
    // from what they hold.
    let rowIDs = written.before.filter { $1 != .unknown }.map(\.key)
    let values = try fingerprints(of: rowIDs, in: table, identity: identity, columns: columns)
    var differences: [Int64: WrittenRow] = [:]
    differences.reserveCapacity(written.before.count)
    for (rowID, before) in written.before {
      let after =
        before == .unknown
        ? .unknown : values[rowID].map { WrittenRows.Before.row($0) } ?? .absent
      differences[rowID] = WrittenRow(before: before, after: after)
    }
    return differences
  }
}
