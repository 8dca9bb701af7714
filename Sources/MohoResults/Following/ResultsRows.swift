import MohoChanges

/// The rows of a result: all rows that satisfy the conditions, and those that a window shows.
struct ResultsRows: Sendable {
  var all: OrderedIndex
  /// The groups of the rows. Nil if the window does not limit groups, or if the values of a
  /// key could not be read.
  var groups: RowGroups?
  /// The first rows of each group. All rows if the window does not limit groups.
  var first: OrderedIndex
  var visible: OrderedIndex
  /// Whether all rows have been read. False if only the first batch has been
  /// read.
  var isComplete = true

  init(all: OrderedIndex, visible: OrderedIndex) {
    (self.all, first, self.visible) = (all, all, visible)
  }

  /// Selects the rows of a window that does not limit groups.
  init(_ all: OrderedIndex, _ window: RowWindow) throws(OrderedIndexError) {
    self.init(all: all, visible: try window.visibleRows(of: all))
  }

  /// Selects the rows of a window.
  ///
  /// - Parameter firstRows: The first rows of all groups.
  init(
    _ all: OrderedIndex, _ window: RowWindow, groups: RowGroups? = nil, _ firstRows: Set<Int64>
  ) throws(OrderedIndexError) {
    var first = OrderedIndex.Builder(sectioned: all.isSectioned)
    for section in 0..<all.sectionCount {
      try first.append(
        contentsOf: all.rowIDs(inSection: section).filter(firstRows.contains),
        section: all.sectionKey(at: section) ?? .all)
    }
    (self.all, self.groups, self.first) = (all, groups, first.finish())
    visible = try window.visibleRows(of: self.first)
  }
}

extension ResultsRows {
  /// Returns the rows after an update, and the changes of the visible rows.
  ///
  /// - Parameters:
  ///   - removed: The touched rows that are no longer in the list.
  ///   - placements: All other touched rows, in their order in the new list.
  ///   - keys: The keys of the groups of these rows, if the window limits groups.
  func updated(
    removing removed: some Sequence<Int64>, placing placements: [RowPlacement], _ window: RowWindow,
    touched: Set<Int64>, groupKeys keys: [Int64: GroupKey] = [:]
  ) throws(OrderedIndexError) -> (ResultsRows, ChangeSet) {
    var (rows, touched) = (self, touched)
    var changes: ChangeSet
    (rows.all, changes) = try all.updated(removing: removed, placing: placements)
    rows.first = rows.all
    if let groups, let limit = window.rowsPerGroup {
      let newGroups = try groups.updated(to: rows.all, touched: touched, keys)
      touched.formUnion(groups.rowsCrossingLimit(limit, to: newGroups, touched: touched))
      rows.groups = newGroups
      (rows.first, changes) = try first.updated(
        to: rows.all, touched: touched, where: { newGroups.isFirst($0, limit) })
    }
    if window.includesAllFirstRows {
      rows.visible = rows.first
    } else {
      (rows.visible, changes) = try window.updated(
        visible, from: first, to: rows.first, touched: touched)
    }
    return (rows, changes)
  }
}

extension OrderedIndex {
  /// Returns the part of a list after a change of the list, and the changes of this part.
  ///
  /// - Parameters:
  ///   - all: The list after the change.
  ///   - touched: The rows that may have been inserted, deleted or moved, or that are in one
  ///     of the two parts only.
  ///   - isIncluded: Whether the part contains a row.
  fileprivate func updated(
    to all: OrderedIndex, touched: Set<Int64>, where isIncluded: (Int64) -> Bool
  ) throws(OrderedIndexError) -> (index: OrderedIndex, changes: ChangeSet) {
    let staying = touched.filter(isIncluded).compactMap { rowID in
      all.position(of: rowID).map { (rowID: rowID, position: $0) }
    }
    .sorted { $0.position < $1.position }
    let placements = staying.map { rowID, position in
      RowPlacement(
        rowID,
        after: lastRow(excluding: touched) { all.position(of: $0).map { $0 < position } ?? false },
        section: all.path(atPosition: position).flatMap { all.sectionKey(at: $0.section) } ?? .all)
    }
    return try updated(removing: touched.subtracting(staying.map(\.rowID)), placing: placements)
  }
}
