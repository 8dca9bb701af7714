extension ChangeSet {
  /// Computes the change set between two lists that differ only in touched
  /// rows.
  ///
  /// The result equals the one of a comparison of all rows. Both lists must be
  /// sectioned, or both unsectioned.
  ///
  /// - Complexity: O(*k* log *n*) for *k* touched rows.
  init(from old: OrderedIndex, to new: OrderedIndex, touched: [TouchedRow]) {
    let sections = TouchedSectionMatching(from: old, to: new, touched: touched)
    let oldGaps = Self.gaps(touched.map(\.old))
    let newGaps = Self.gaps(touched.map(\.new))

    var changes: [RowChange] = []
    // Offsets in `touched` of the rows that are in the same section in both
    // lists, by section in new space.
    var commonRows: [Int: [Int]] = [:]
    for offset in newGaps.order {
      let row = touched[offset]
      guard let newPath = row.new else { continue }
      if let oldPath = row.old, sections.areSame(oldPath.section, newPath.section) {
        commonRows[newPath.section, default: []].append(offset)
      } else if let oldPath = row.old {
        changes.append(.move(row.rowID, from: oldPath, to: newPath, changed: row.changedKeys))
      } else {
        changes.append(.insert(row.rowID, at: newPath))
      }
    }
    for row in touched where row.new == nil {
      if let path = row.old { changes.append(.delete(row.rowID, at: path)) }
    }

    for offsets in commonRows.values {
      let candidates = offsets.map { offset in
        MoveCandidate(
          old: touched[offset].old?.row ?? 0,
          oldGap: oldGaps.gaps[offset], newGap: newGaps.gaps[offset])
      }
      let stationary = Set(stationaryOffsets(candidates))
      for (number, offset) in offsets.enumerated() {
        let row = touched[offset]
        let change = RowChange(
          rowID: row.rowID, old: row.old, new: row.new,
          content: RowChange.Content(row.changedKeys), isMove: !stationary.contains(number))
        if change.isMove || change.content != .unchanged { changes.append(change) }
      }
    }
    self.init(sections: sections.deleted + sections.inserted, rows: changes)
  }

  /// Returns the offsets of the non-nil paths in ascending order of path, and
  /// the gap of each path: the number of rows before it in its section that are
  /// not among the paths.
  private static func gaps(_ paths: [RowPath?]) -> (order: [Int], gaps: [Int]) {
    let sorted = paths.enumerated().compactMap { offset, path in path.map { (offset, $0) } }
      .sorted { $0.1 < $1.1 }
    var gaps = Array(repeating: 0, count: paths.count)
    var section = -1
    var before = 0
    for (offset, path) in sorted {
      if path.section != section {
        section = path.section
        before = 0
      }
      gaps[offset] = path.row - before
      before += 1
    }
    return (sorted.map(\.0), gaps)
  }
}
