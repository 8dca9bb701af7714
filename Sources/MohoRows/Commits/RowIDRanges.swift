/// A set of row identities that stores consecutive identities as ranges.
/// Ascending identities, as SQLite assigns them, take almost no memory.
package struct RowIDRanges: Sendable, Equatable {
  /// Ascending ranges that are neither overlapping nor adjacent.
  private(set) var runs: [ClosedRange<Int64>] = []
  /// The rows that were added after a row with a greater identity.
  private(set) var others: Set<Int64> = []

  package init() {}

  var isEmpty: Bool { runs.isEmpty }

  /// All rows, in no particular order.
  package var rows: Set<Int64> {
    var rows = others
    for run in runs { rows.formUnion(run) }
    return rows
  }

  /// Adds a row.
  ///
  /// - Complexity: O(1) if the row is greater than all other rows. Otherwise
  ///   O(log *r*), where *r* is the number of ranges.
  package mutating func append(_ row: Int64) {
    guard let last = runs.last, row <= last.upperBound else { return extend(by: row...row) }
    if !isInRun(row) { others.insert(row) }
  }

  /// Adds the rows of another set.
  mutating func append(_ rows: RowIDRanges) {
    for run in rows.runs {
      if let last = runs.last, run.lowerBound <= last.upperBound {
        for row in run { append(row) }
      } else {
        extend(by: run)
      }
    }
    for row in rows.others { append(row) }
  }

  /// Returns whether a row is in the set.
  ///
  /// - Complexity: O(log *r*), where *r* is the number of ranges.
  package func contains(_ row: Int64) -> Bool { isInRun(row) || others.contains(row) }

  /// Adds a range that follows all other ranges.
  private mutating func extend(by run: ClosedRange<Int64>) {
    guard let last = runs.last, run.lowerBound - 1 == last.upperBound else {
      return runs.append(run)
    }
    runs[runs.count - 1] = last.lowerBound...run.upperBound
  }

  private func isInRun(_ row: Int64) -> Bool {
    let index = runs.partitioningIndex { $0.upperBound >= row }
    return index < runs.count && runs[index].lowerBound <= row
  }
}
