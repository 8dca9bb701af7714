import MohoChanges

/// Verifies a change set independently of the algorithm that computes it.
struct MoveOracle {
  let before: [Int64]
  let after: [Int64]
  /// The rows that were written. All of them are in both lists.
  let touched: Set<Int64>

  func check(_ changes: ChangeSet) throws {
    guard changes.sections.isEmpty, Set(changes.rows.map(\.rowID)) == touched,
      changes.rows.count == touched.count
    else { throw ChecksumMismatch(description: "expected one record for each written row") }
    for change in changes.rows {
      guard let old = change.old?.row, let new = change.new?.row, before[old] == change.rowID,
        after[new] == change.rowID, change.changedKeys == ["title", "publishedAt"]
      else { throw ChecksumMismatch(description: "wrong record: \(change)") }
    }
    let moved = Set(changes.rows.filter(\.isMove).map(\.rowID))
    guard before.filter({ !moved.contains($0) }) == after.filter({ !moved.contains($0) }) else {
      throw ChecksumMismatch(description: "rows without a move changed their order")
    }
    guard moved.count == touched.count - maximumStationaryCount else {
      throw ChecksumMismatch(
        description: "\(moved.count) moves, expected \(touched.count - maximumStationaryCount)")
    }
  }

  /// The maximum number of touched rows without a move: rows between the same
  /// untouched rows as before that are in their old order.
  private var maximumStationaryCount: Int {
    let (oldGaps, newGaps) = (gaps(of: before), gaps(of: after))
    var candidates: [(gap: Int, new: Int)] = []
    let newRanks = Dictionary(
      uniqueKeysWithValues: after.filter(touched.contains).enumerated().map { ($1, $0) })
    for row in before where touched.contains(row) {
      guard let gap = oldGaps[row], gap == newGaps[row], let rank = newRanks[row] else { continue }
      candidates.append((gap, rank))
    }
    // The gaps ascend, so an increasing subsequence of all ranks contains one
    // for each gap.
    var ends: [Int] = []
    for rank in candidates.map(\.new) {
      let offset = ends.firstIndex { $0 >= rank } ?? ends.count
      if offset == ends.count { ends.append(rank) } else { ends[offset] = rank }
    }
    return ends.count
  }

  /// Returns the number of untouched rows before each touched row.
  private func gaps(of rows: [Int64]) -> [Int64: Int] {
    var gaps: [Int64: Int] = [:]
    var gap = 0
    for row in rows {
      if touched.contains(row) { gaps[row] = gap } else { gap += 1 }
    }
    return gaps
  }
}
