extension ChangeSet {
  /// What happened between two states of a list that only differ in touched
  /// rows: the same that comparing all rows finds.
  ///
  /// Both lists must be sectioned, or none.
  ///
  /// - Complexity: O(*k* log *n*) for *k* touched rows.
  init(from old: OrderedIndex, to new: OrderedIndex, touched: [TouchedRow]) {
    let sections = TouchedSections(from: old, to: new, touched: touched)
    let oldGaps = Self.gaps(touched.map(\.old))
    let newGaps = Self.gaps(touched.map(\.new))

    var changes: [RowChange] = []
    // The rows that are in one section before and after, by that section.
    var survivors: [Int: [Int]] = [:]
    for offset in newGaps.order {
      let row = touched[offset]
      guard let newPath = row.new else { continue }
      if let oldPath = row.old, sections.areSame(oldPath.section, newPath.section) {
        survivors[newPath.section, default: []].append(offset)
      } else if let oldPath = row.old {
        changes.append(.move(row.rowID, from: oldPath, to: newPath, changed: row.changedKeys))
      } else {
        changes.append(.insert(row.rowID, at: newPath))
      }
    }
    for row in touched where row.new == nil {
      if let path = row.old { changes.append(.delete(row.rowID, at: path)) }
    }

    for offsets in survivors.values {
      let movables = offsets.map { offset in
        Movable(
          old: touched[offset].old?.row ?? 0,
          oldGap: oldGaps.gaps[offset], newGap: newGaps.gaps[offset])
      }
      let staying = Set(stayingOffsets(movables))
      for (number, offset) in offsets.enumerated() {
        let row = touched[offset]
        let change = RowChange(
          rowID: row.rowID, old: row.old, new: row.new,
          content: RowChange.Content(row.changedKeys), isMove: !staying.contains(number))
        if change.isMove || change.content != .unchanged { changes.append(change) }
      }
    }
    self.init(sections: sections.deleted + sections.inserted, rows: changes)
  }

  /// The order of paths, and for each path the number of rows of its section
  /// before it that have none of the paths.
  private static func gaps(_ paths: [RowPath?]) -> (order: [Int], gaps: [Int]) {
    let known = paths.enumerated().compactMap { offset, path in path.map { (offset, $0) } }
      .sorted { $0.1 < $1.1 }
    var gaps = Array(repeating: 0, count: paths.count)
    var section = -1
    var before = 0
    for (offset, path) in known {
      if path.section != section {
        section = path.section
        before = 0
      }
      gaps[offset] = path.row - before
      before += 1
    }
    return (known.map(\.0), gaps)
  }
}
