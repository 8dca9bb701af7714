/// Collects the changes of rows, section by section, then those between
/// sections.
struct RowComparison {
  private(set) var changes: [RowChange] = []

  private let old: OrderedIndex
  private let new: OrderedIndex
  // One array each, because every row is looked at.
  private let oldRowIDs: [Int64]
  private let newRowIDs: [Int64]
  private let touched: TouchedRows
  private lazy var newPositions = PositionTable(newRowIDs)

  // Rows that left a section or came to one, for `join()` to bring together.
  private var leavers: [(rowID: Int64, path: RowPath)] = []
  private var comers: [(rowID: Int64, path: RowPath)] = []

  init(from old: OrderedIndex, to new: OrderedIndex, changedKeys: [Int64: [String]]) {
    self.old = old
    self.new = new
    oldRowIDs = Array(old.rowIDs)
    newRowIDs = Array(new.rowIDs)
    touched = TouchedRows(changedKeys)
  }

  /// Whether a section has rows in common with its later self that are not
  /// touched.
  mutating func hasUntouchedRows(_ pair: SectionMatching.Pair) -> Bool {
    let newRange = new.range(ofSection: pair.new)
    return oldRowIDs[old.range(ofSection: pair.old)].contains { rowID in
      !touched.contains(rowID)
        && newPositions.position(of: rowID).map(newRange.contains) ?? false
    }
  }

  /// Compares a section with its later self.
  mutating func compare(section oldSection: Int, with newSection: Int) {
    let walk = walk(from: oldSection, to: newSection)
    var oldStops: [Int64: SectionWalk.Stop] = [:]
    oldStops.reserveCapacity(walk.departures.count)
    for stop in walk.departures { oldStops[stop.rowID] = stop }

    var survivors: [Survivor] = []
    for stop in walk.arrivals {
      if let oldStop = oldStops.removeValue(forKey: stop.rowID) {
        survivors.append(Survivor(old: oldStop, new: stop))
      } else {
        comers.append((stop.rowID, RowPath(section: newSection, row: stop.row)))
      }
    }
    for stop in walk.departures where oldStops[stop.rowID] != nil {
      leavers.append((stop.rowID, RowPath(section: oldSection, row: stop.row)))
    }
    record(survivors, from: oldSection, to: newSection)
  }

  /// Lets all rows of a section leave it, in old space.
  mutating func vacate(section: Int) {
    for (row, rowID) in old.rowIDs(inSection: section).enumerated() {
      leavers.append((rowID, RowPath(section: section, row: row)))
    }
  }

  /// Lets all rows of a section come to it, in new space.
  mutating func populate(section: Int) {
    for (row, rowID) in new.rowIDs(inSection: section).enumerated() {
      comers.append((rowID, RowPath(section: section, row: row)))
    }
  }

  /// Tells the rows that went from section to section from those that came
  /// into the list or left it.
  mutating func join() {
    var oldPaths: [Int64: RowPath] = [:]
    oldPaths.reserveCapacity(leavers.count)
    for leaver in leavers { oldPaths[leaver.rowID] = leaver.path }

    for (rowID, path) in comers {
      if let oldPath = oldPaths.removeValue(forKey: rowID) {
        changes.append(
          .move(rowID, from: oldPath, to: path, changed: touched.changedKeys(of: rowID)))
      } else {
        changes.append(.insert(rowID, at: path))
      }
    }
    for (rowID, path) in oldPaths { changes.append(.delete(rowID, at: path)) }
  }

  private mutating func walk(from oldSection: Int, to newSection: Int) -> SectionWalk {
    let oldRows = oldRowIDs[old.range(ofSection: oldSection)]
    let newRange = new.range(ofSection: newSection)
    let newRows = newRowIDs[newRange]
    let walk = SectionWalk(from: oldRows, to: newRows, touched: touched) { rowID in
      newPositions.position(of: rowID).flatMap {
        newRange.contains($0) ? $0 - newRange.lowerBound : nil
      }
    }
    return walk.isContradicted(by: touched) ? SectionWalk(distrusting: oldRows, newRows) : walk
  }

  private mutating func record(
    _ survivors: [Survivor], from oldSection: Int, to newSection: Int
  ) {
    let movables = survivors.map {
      Movable(old: $0.old.row, oldGap: $0.old.gap, newGap: $0.new.gap)
    }
    let staying = Set(stayingOffsets(movables))
    for (offset, survivor) in survivors.enumerated() {
      let rowID = survivor.new.rowID
      let change = RowChange(
        rowID: rowID,
        old: RowPath(section: oldSection, row: survivor.old.row),
        new: RowPath(section: newSection, row: survivor.new.row),
        content: RowChange.Content(touched.changedKeys(of: rowID)),
        isMove: !staying.contains(offset))
      if change.isMove || change.content != .unchanged { changes.append(change) }
    }
  }
}

/// A row that is in a section before and after.
private struct Survivor {
  let old: SectionWalk.Stop
  let new: SectionWalk.Stop
}
