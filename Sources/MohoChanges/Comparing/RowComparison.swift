/// Collects the changes of rows, section by section, then those between
/// sections.
struct RowComparison {
  private(set) var changes: [RowChange] = []

  private let old: OrderedIndex
  private let new: OrderedIndex
  private let touched: TouchedRows
  private lazy var newPositions = PositionTable(new.identities)

  // Rows that left a section or came to one, for `join()` to bring together.
  private var leavers: [(rowID: Int64, path: RowPath)] = []
  private var comers: [(rowID: Int64, path: RowPath)] = []

  init(from old: OrderedIndex, to new: OrderedIndex, changedKeys: [Int64: [String]]) {
    self.old = old
    self.new = new
    touched = TouchedRows(changedKeys)
  }

  /// Compares a section with its later self.
  mutating func compare(section oldSection: Int, with newSection: Int) {
    let walk = walk(from: oldSection, to: newSection)
    var oldStops: [Int64: SectionWalk.Stop] = [:]
    oldStops.reserveCapacity(walk.departures.count)
    for stop in walk.departures { oldStops[stop.rowID] = stop }

    var survivors: [TouchedSurvivor] = []
    for stop in walk.arrivals {
      if let oldStop = oldStops.removeValue(forKey: stop.rowID) {
        survivors.append(TouchedSurvivor(rowID: stop.rowID, old: oldStop, new: stop))
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
    let oldRows = old.identities[old.range(ofSection: oldSection)]
    let newRange = new.range(ofSection: newSection)
    let newRows = new.identities[newRange]
    let walk = SectionWalk(from: oldRows, to: newRows, touched: touched) { rowID in
      newPositions.position(of: rowID).flatMap {
        newRange.contains($0) ? $0 - newRange.lowerBound : nil
      }
    }
    return walk.isContradicted(by: touched) ? SectionWalk(distrusting: oldRows, newRows) : walk
  }

  private mutating func record(
    _ survivors: [TouchedSurvivor], from oldSection: Int, to newSection: Int
  ) {
    let staying = Set(stayingOffsets(survivors))
    for (offset, survivor) in survivors.enumerated() {
      let keys = touched.changedKeys(of: survivor.rowID)
      let oldPath = RowPath(section: oldSection, row: survivor.old.row)
      let newPath = RowPath(section: newSection, row: survivor.new.row)
      if !staying.contains(offset) {
        changes.append(.move(survivor.rowID, from: oldPath, to: newPath, changed: keys))
      } else if !keys.isEmpty {
        changes.append(.update(survivor.rowID, from: oldPath, to: newPath, changed: keys))
      }
    }
  }
}
