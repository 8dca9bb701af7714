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
    // The rows that are in the same section in both lists, by section in new
    // space: their offsets in `touched`, and their old positions in the section.
    var commonRows: [Int: [(offset: Int, old: Int)]] = [:]
    for (offset, newPath) in newGaps.order {
      let row = touched[offset]
      if let oldPath = row.old, sections.areSame(oldPath.section, newPath.section) {
        commonRows[newPath.section, default: []].append((offset, oldPath.row))
      } else if let oldPath = row.old {
        changes.append(.move(row.rowID, from: oldPath, to: newPath, changed: row.changedKeys))
      } else {
        changes.append(.insert(row.rowID, at: newPath))
      }
    }
    for row in touched where row.new == nil {
      if let path = row.old { changes.append(.delete(row.rowID, at: path)) }
    }

    for rows in commonRows.values {
      let candidates = rows.map { offset, old in
        MoveCandidate(old: old, oldGap: oldGaps.gaps[offset], newGap: newGaps.gaps[offset])
      }
      let stationary = Set(stationaryOffsets(candidates))
      for (number, common) in rows.enumerated() {
        let row = touched[common.offset]
        let change = RowChange(
          rowID: row.rowID, old: row.old, new: row.new,
          content: RowChange.Content(row.changedKeys), isMove: !stationary.contains(number))
        if change.isMove || change.content != .unchanged { changes.append(change) }
      }
    }
    self.init(sections: sections.deleted + sections.inserted, rows: changes)
  }

  /// Returns the non-nil paths with their offsets, in ascending order, and the
  /// gap of each path: the number of rows before it in its section that are not
  /// among the paths.
  private static func gaps(
    _ paths: [RowPath?]
  ) -> (order: [(offset: Int, path: RowPath)], gaps: [Int]) {
    let sorted = paths.enumerated().compactMap { offset, path in
      path.map { (offset: offset, path: $0) }
    }
    .sorted { $0.path < $1.path }
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
    return (sorted, gaps)
  }
}
