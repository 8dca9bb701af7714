/// Compares the rows of two lists: first within each section, then across
/// sections.
struct RowComparison {
  private(set) var changes: [RowChange] = []

  private let old: OrderedIndex
  private let new: OrderedIndex
  // Copies as arrays, because the comparison reads every row.
  private let oldRowIDs: [Int64]
  private let newRowIDs: [Int64]
  private let touched: TouchedRowSet
  private lazy var newPositions = PositionTable(newRowIDs)

  // Rows that left a section and rows that entered one, until
  // `matchDeparturesWithArrivals()` pairs them.
  private var departures: [(rowID: Int64, path: RowPath)] = []
  private var arrivals: [(rowID: Int64, path: RowPath)] = []

  init(from old: OrderedIndex, to new: OrderedIndex, changedKeys: [Int64: [String]]) {
    self.old = old
    self.new = new
    oldRowIDs = Array(old.rowIDs)
    newRowIDs = Array(new.rowIDs)
    touched = TouchedRowSet(changedKeys)
  }

  /// Whether a section has at least one untouched row in both lists.
  mutating func hasUntouchedRows(_ pair: SectionMatching.Pair) -> Bool {
    let newRange = new.range(ofSection: pair.new)
    return oldRowIDs[old.range(ofSection: pair.old)].contains { rowID in
      !touched.contains(rowID)
        && newPositions.position(of: rowID).map(newRange.contains) ?? false
    }
  }

  /// Compares the rows of a section in old space with those of the same section
  /// in new space.
  mutating func compare(section oldSection: Int, with newSection: Int) {
    let diff = diff(from: oldSection, to: newSection)
    var oldRowsByID: [Int64: SectionDiff.UnmatchedRow] = [:]
    oldRowsByID.reserveCapacity(diff.oldRows.count)
    for oldRow in diff.oldRows { oldRowsByID[oldRow.rowID] = oldRow }

    var commonRows: [CommonRow] = []
    for newRow in diff.newRows {
      if let oldRow = oldRowsByID.removeValue(forKey: newRow.rowID) {
        commonRows.append(CommonRow(old: oldRow, new: newRow))
      } else {
        arrivals.append((newRow.rowID, RowPath(section: newSection, row: newRow.row)))
      }
    }
    for oldRow in diff.oldRows where oldRowsByID[oldRow.rowID] != nil {
      departures.append((oldRow.rowID, RowPath(section: oldSection, row: oldRow.row)))
    }
    record(commonRows, from: oldSection, to: newSection)
  }

  /// Records all rows of a deleted section as departures. `section` is in old
  /// space.
  mutating func recordDepartures(fromSection section: Int) {
    for (row, rowID) in old.rowIDs(inSection: section).enumerated() {
      departures.append((rowID, RowPath(section: section, row: row)))
    }
  }

  /// Records all rows of an inserted section as arrivals. `section` is in new
  /// space.
  mutating func recordArrivals(inSection section: Int) {
    for (row, rowID) in new.rowIDs(inSection: section).enumerated() {
      arrivals.append((rowID, RowPath(section: section, row: row)))
    }
  }

  /// Records rows that moved between sections as moves, and all other arrivals
  /// and departures as insertions and deletions.
  mutating func matchDeparturesWithArrivals() {
    var oldPaths: [Int64: RowPath] = [:]
    oldPaths.reserveCapacity(departures.count)
    for departure in departures { oldPaths[departure.rowID] = departure.path }

    for (rowID, path) in arrivals {
      if let oldPath = oldPaths.removeValue(forKey: rowID) {
        changes.append(
          .move(rowID, from: oldPath, to: path, changed: touched.changedKeys(of: rowID)))
      } else {
        changes.append(.insert(rowID, at: path))
      }
    }
    for (rowID, path) in oldPaths { changes.append(.delete(rowID, at: path)) }
  }

  private mutating func diff(from oldSection: Int, to newSection: Int) -> SectionDiff {
    let oldRows = oldRowIDs[old.range(ofSection: oldSection)]
    let newRange = new.range(ofSection: newSection)
    let newRows = newRowIDs[newRange]
    let diff = SectionDiff(from: oldRows, to: newRows, touched: touched) { rowID in
      newPositions.position(of: rowID).flatMap {
        newRange.contains($0) ? $0 - newRange.lowerBound : nil
      }
    }
    return diff.hasMovedUntouchedRows(touched)
      ? SectionDiff(treatingAllAsTouched: oldRows, newRows) : diff
  }

  private mutating func record(
    _ commonRows: [CommonRow], from oldSection: Int, to newSection: Int
  ) {
    let candidates = commonRows.map {
      MoveCandidate(old: $0.old.row, oldGap: $0.old.gap, newGap: $0.new.gap)
    }
    let stationary = Set(stationaryOffsets(candidates))
    for (offset, commonRow) in commonRows.enumerated() {
      let rowID = commonRow.new.rowID
      let change = RowChange(
        rowID: rowID,
        old: RowPath(section: oldSection, row: commonRow.old.row),
        new: RowPath(section: newSection, row: commonRow.new.row),
        content: RowChange.Content(touched.changedKeys(of: rowID)),
        isMove: !stationary.contains(offset))
      if change.isMove || change.content != .unchanged { changes.append(change) }
    }
  }
}

/// A row that is in the same section in both lists and was not matched in
/// order.
private struct CommonRow {
  let old: SectionDiff.UnmatchedRow
  let new: SectionDiff.UnmatchedRow
}
