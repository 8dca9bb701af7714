import MohoChanges

/// Tells whether a change set is right, without looking at how it was made.
struct MoveOracle {
  let before: [Int64]
  let after: [Int64]
  /// The rows that were written; all of them stayed in the list.
  let touched: Set<Int64>

  func check(_ changes: ChangeSet) throws {
    guard changes.sections.isEmpty, Set(changes.rows.map(\.rowID)) == touched,
      changes.rows.count == touched.count
    else { throw ChecksumMismatch(description: "not one record for each row that was written") }
    for change in changes.rows {
      guard let old = change.old?.row, let new = change.new?.row, before[old] == change.rowID,
        after[new] == change.rowID, change.changedKeys == ["title", "publishedAt"]
      else { throw ChecksumMismatch(description: "a wrong record: \(change)") }
    }
    let moved = Set(changes.rows.filter(\.isMove).map(\.rowID))
    guard before.filter({ !moved.contains($0) }) == after.filter({ !moved.contains($0) }) else {
      throw ChecksumMismatch(description: "rows that have not moved changed places")
    }
    guard moved.count == touched.count - longestStay else {
      throw ChecksumMismatch(description: "\(moved.count) moves, but fewer are enough")
    }
  }

  /// How many of the touched rows can stay at most: those between the same
  /// untouched rows as before, as far as they kept their order.
  private var longestStay: Int {
    let (oldGaps, newGaps) = (gaps(of: before), gaps(of: after))
    var candidates: [(gap: Int, new: Int)] = []
    let newRanks = Dictionary(
      uniqueKeysWithValues: after.filter(touched.contains).enumerated().map { ($1, $0) })
    for row in before where touched.contains(row) {
      guard let gap = oldGaps[row], gap == newGaps[row], let rank = newRanks[row] else { continue }
      candidates.append((gap, rank))
    }
    // The gaps ascend, so that an ascending run of ranks ascends in each gap.
    var ends: [Int] = []
    for rank in candidates.map(\.new) {
      let place = ends.firstIndex { $0 >= rank } ?? ends.count
      if place == ends.count { ends.append(rank) } else { ends[place] = rank }
    }
    return ends.count
  }

  /// How many untouched rows come before each touched one.
  private func gaps(of rows: [Int64]) -> [Int64: Int] {
    var gaps: [Int64: Int] = [:]
    var gap = 0
    for row in rows {
      if touched.contains(row) { gaps[row] = gap } else { gap += 1 }
    }
    return gaps
  }
}
