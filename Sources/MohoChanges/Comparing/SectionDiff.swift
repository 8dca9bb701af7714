/// A linear diff of the old and new rows of a section that matches untouched
/// rows in order.
///
/// Matched rows are only counted. Each unmatched row has a *gap*: the number of
/// matched rows before it.
struct SectionDiff {
  struct UnmatchedRow {
    let rowID: Int64
    /// The row index within the section, in the space of its list.
    let row: Int
    let gap: Int
  }

  /// The unmatched old rows, ascending in old space.
  private(set) var oldRows: [UnmatchedRow] = []
  /// The unmatched new rows, ascending in new space.
  private(set) var newRows: [UnmatchedRow] = []

  private var matchedCount = 0

  /// Compares two sections under the assumption that only touched rows changed
  /// their order.
  ///
  /// `newRow` returns the row index of a row in the new section, or `nil` if
  /// the section does not contain it. The initializer calls it only where the
  /// sections differ at untouched rows.
  init(
    from old: ArraySlice<Int64>,
    to new: ArraySlice<Int64>,
    touched: TouchedRowSet,
    newRow: (Int64) -> Int?
  ) {
    var oldRow = 0
    var row = 0
    while oldRow < old.count, row < new.count {
      let oldID = old[old.startIndex + oldRow]
      let newID = new[new.startIndex + row]
      if touched.contains(oldID) {
        appendOldRow(oldID, &oldRow)
      } else if oldID == newID {
        matchedCount += 1
        oldRow += 1
        row += 1
      } else if touched.contains(newID) {
        appendNewRow(newID, &row)
      } else if let target = newRow(oldID), target > row {
        appendNewRow(newID, &row)
      } else {
        appendOldRow(oldID, &oldRow)
      }
    }
    while oldRow < old.count { appendOldRow(old[old.startIndex + oldRow], &oldRow) }
    while row < new.count { appendNewRow(new[new.startIndex + row], &row) }
  }

  /// Leaves all rows unmatched, as if every row were touched.
  init(treatingAllAsTouched old: ArraySlice<Int64>, _ new: ArraySlice<Int64>) {
    var oldRow = 0
    var row = 0
    for rowID in old { appendOldRow(rowID, &oldRow) }
    for rowID in new { appendNewRow(rowID, &row) }
  }

  /// Whether an untouched row changed its order, contrary to the assumption.
  func hasMovedUntouchedRows(_ touched: TouchedRowSet) -> Bool {
    let untouchedOld = oldRows.filter { !touched.contains($0.rowID) }
    let untouchedNew = newRows.filter { !touched.contains($0.rowID) }
    guard !untouchedOld.isEmpty, !untouchedNew.isEmpty else { return false }
    return !Set(untouchedOld.map(\.rowID)).isDisjoint(with: untouchedNew.lazy.map(\.rowID))
  }

  private mutating func appendOldRow(_ rowID: Int64, _ row: inout Int) {
    oldRows.append(UnmatchedRow(rowID: rowID, row: row, gap: matchedCount))
    row += 1
  }

  private mutating func appendNewRow(_ rowID: Int64, _ row: inout Int) {
    newRows.append(UnmatchedRow(rowID: rowID, row: row, gap: matchedCount))
    row += 1
  }
}
