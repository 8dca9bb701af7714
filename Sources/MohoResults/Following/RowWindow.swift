import MohoChanges

/// The part of a list that is visible: the first rows of each group, within a limit and an
/// offset.
///
/// Methods without groups select rows of the list of all first rows.
struct RowWindow: Sendable, Equatable {
  /// The maximum number of rows of each group. Nil for all rows.
  var rowsPerGroup: Int?
  let offset: Int
  let limit: Int?

  var includesAllRows: Bool { rowsPerGroup == nil && includesAllFirstRows }
  var includesAllFirstRows: Bool { offset == 0 && limit == nil }

  /// Returns the positions of the visible rows in a list.
  func positions(in all: OrderedIndex) -> Range<Int> {
    let start = min(max(0, offset), all.count)
    guard let limit else { return start..<all.count }
    return start..<(limit < all.count - start ? start + max(0, limit) : all.count)
  }

  /// Returns the visible rows of a list.
  ///
  /// - Complexity: O(*m*) for *m* visible rows.
  func visibleRows(of all: OrderedIndex) throws(OrderedIndexError) -> OrderedIndex {
    if includesAllFirstRows { return all }
    var builder = OrderedIndex.Builder(sectioned: all.isSectioned)
    let positions = positions(in: all)
    var position = positions.lowerBound
    while position < positions.upperBound, let path = all.path(atPosition: position) {
      let rows = all.rowIDs(inSection: path.section)
      let end = min(rows.count, path.row + positions.upperBound - position)
      try builder.append(
        contentsOf: rows[path.row..<end], section: all.sectionKey(at: path.section) ?? .all)
      position += end - path.row
    }
    return builder.finish()
  }

  /// Returns the visible rows after a change of a list, and their changes.
  ///
  /// In addition to the touched rows, rows that cross an edge of the window are
  /// inserted or deleted.
  ///
  /// - Parameters:
  ///   - rows: The visible rows before the change.
  ///   - touched: The rows that may have been inserted, deleted or moved.
  /// - Complexity: O(*k* (log *n* + *m* / 2,000)) for *k* touched rows and *m*
  ///   visible rows. O(*m*) if *k* approaches *m*.
  func updated(
    _ rows: OrderedIndex, from old: OrderedIndex, to new: OrderedIndex, touched: Set<Int64>
  ) throws(OrderedIndexError) -> (index: OrderedIndex, changes: ChangeSet) {
    let (before, after) = (positions(in: old), positions(in: new))
    guard touched.count * 2 < max(before.count, after.count) else {
      let index = try visibleRows(of: new)
      let unchanged = Dictionary(uniqueKeysWithValues: touched.map { ($0, [String]()) })
      return (index, ChangeSet(from: rows, to: index, changedKeys: unchanged))
    }
    let leaving = touched.union(edges(of: before, in: old, touched.count)).filter { rowID in
      rows.position(of: rowID) != nil && !(new.position(of: rowID).map(after.contains) ?? false)
    }
    let staying = touched.union(edges(of: after, in: new, touched.count)).filter { rowID in
      touched.contains(rowID) || rows.position(of: rowID) == nil
    }
    let placements = staying.compactMap { rowID in
      new.position(of: rowID).flatMap { after.contains($0) ? (rowID: rowID, position: $0) : nil }
    }
    .sorted { $0.position < $1.position }
    .map { rowID, position in
      RowPlacement(
        rowID, after: position > after.lowerBound ? new.rowIDs[position - 1] : nil,
        section: new.path(atPosition: position).flatMap { new.sectionKey(at: $0.section) } ?? .all)
    }
    return try rows.updated(removing: leaving, placing: placements)
  }

  /// Returns the untouched rows that entered or left the window.
  ///
  /// - Parameters:
  ///   - old: The visible rows before the change.
  ///   - new: The visible rows after the change.
  ///   - count: The number of rows that may have been inserted, deleted or moved.
  /// - Returns: `nil` if so many rows may have crossed an edge that comparing all
  ///   rows costs less.
  /// - Complexity: O(*k* log *n*) for *k* rows.
  func rowsCrossingEdges(
    from old: OrderedIndex, to new: OrderedIndex, touchedCount count: Int
  ) -> Set<Int64>? {
    if includesAllFirstRows { return [] }
    guard count * 2 < max(old.count, new.count) else { return nil }
    let left = edges(of: 0..<old.count, in: old, count).filter { new.position(of: $0) == nil }
    let entered = edges(of: 0..<new.count, in: new, count).filter { old.position(of: $0) == nil }
    return Set(left + entered)
  }

  /// Returns the untouched rows that entered or left the window.
  ///
  /// - Parameters:
  ///   - touched: The rows that may have been inserted, deleted or moved, or that may be in
  ///     another group.
  /// - Returns: `nil` if they are not known, or if comparing all rows costs less.
  /// - Complexity: O(*k* log² *n*) for *k* touched rows.
  func rowsCrossingEdges(
    from old: ResultsRows, to new: ResultsRows, touched: Set<Int64>
  ) -> Set<Int64>? {
    var crossing: Set<Int64> = []
    if let rowsPerGroup {
      guard let groups = old.groups, let newGroups = new.groups else { return nil }
      crossing = groups.rowsCrossingLimit(rowsPerGroup, to: newGroups, touched: touched)
    }
    return rowsCrossingEdges(
      from: old.visible, to: new.visible, touchedCount: touched.count + crossing.count
    )?.union(crossing)
  }

  /// Returns the rows within a distance of the edges of a range.
  private func edges(of range: Range<Int>, in index: OrderedIndex, _ distance: Int) -> [Int64] {
    let low = range.prefix(distance)
    let high = range.suffix(distance)
    return (Array(low) + high).map { index.rowIDs[$0] }
  }
}
