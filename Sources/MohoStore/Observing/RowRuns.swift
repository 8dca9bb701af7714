/// Identities of rows as runs of numbers that follow one another, in the order in
/// which they came: of many new rows, which mostly are numbered so, it takes next
/// to no memory.
struct RowRuns: Sendable, Equatable {
  private(set) var runs: [ClosedRange<Int64>] = []

  var isEmpty: Bool { runs.isEmpty }

  /// Adds a row. One that is added twice may be in two runs.
  mutating func append(_ row: Int64) {
    if let last = runs.last {
      if last.contains(row) { return }
      if last.upperBound < row, row - 1 == last.upperBound {
        runs[runs.count - 1] = last.lowerBound...row
        return
      }
    }
    runs.append(row...row)
  }

  /// Adds other rows.
  mutating func append(_ others: RowRuns) { runs += others.runs }

  /// Whether a row is among them.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  func contains(_ row: Int64) -> Bool { runs.contains { $0.contains(row) } }
}
