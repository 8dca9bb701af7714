/// A set of row identities. Ascending identities, as SQLite assigns them, are
/// stored as ranges and take almost no memory.
package struct RowIDRanges: Sendable, Equatable {
  /// Ascending ranges that do not touch.
  private(set) var runs: [ClosedRange<Int64>] = []
  /// The rows that were added after a greater one.
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
  /// - Complexity: O(1) for a row that is greater than all others, else
  ///   O(log *r*) for *r* runs.
  package mutating func append(_ row: Int64) {
    guard let last = runs.last, row <= last.upperBound else { return extend(by: row...row) }
    if !isInRun(row) { others.insert(row) }
  }

  /// Adds other rows.
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

  /// Whether a row is in the set.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  package func contains(_ row: Int64) -> Bool { isInRun(row) || others.contains(row) }

  /// Adds a run that lies after all others.
  private mutating func extend(by run: ClosedRange<Int64>) {
    guard let last = runs.last, run.lowerBound - 1 == last.upperBound else {
      return runs.append(run)
    }
    runs[runs.count - 1] = last.lowerBound...run.upperBound
  }

  private func isInRun(_ row: Int64) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].lowerBound <= row
  }
}
