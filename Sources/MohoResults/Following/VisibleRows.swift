import MohoChanges

/// The rows of a list that a limit and an offset let through.
struct VisibleRows: Sendable, Equatable {
  let offset: Int
  let limit: Int?

  /// Whether they are all.
  var areAll: Bool { offset == 0 && limit == nil }

  /// Their positions in a list.
  func positions(in all: OrderedIndex) -> Range<Int> {
    let start = min(max(0, offset), all.count)
    guard let limit else { return start..<all.count }
    return start..<(limit < all.count - start ? start + max(0, limit) : all.count)
  }

  /// The rows that are let through of a list.
  ///
  /// - Complexity: O(*m*) for *m* of them.
  func rows(of all: OrderedIndex) throws(OrderedIndexError) -> OrderedIndex {
    if areAll { return all }
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

  /// The rows that are let through after a change of a list, and what happened
  /// to them.
  ///
  /// Besides the touched rows those come and go that cross the edges, which
  /// others have pushed.
  ///
  /// - Parameters:
  ///   - rows: The rows that were let through before.
  ///   - touched: The rows that have come, gone or may have another place.
  /// - Complexity: O(*k* log *n*) for *k* touched rows, O(*m*) where they are
  ///   as many as the *m* rows that are let through.
  func updated(
    _ rows: OrderedIndex, from old: OrderedIndex, to new: OrderedIndex, touched: Set<Int64>
  ) throws(OrderedIndexError) -> (index: OrderedIndex, changes: ChangeSet) {
    let (before, after) = (positions(in: old), positions(in: new))
    guard touched.count * 2 < max(before.count, after.count) else {
      let index = try self.rows(of: new)
      let unchanged = Dictionary(uniqueKeysWithValues: touched.map { ($0, [String]()) })
      return (index, ChangeSet(from: rows, to: index, changedKeys: unchanged))
    }
    let suspects = touched.union(edges(of: before, in: old, touched.count))
    let gone = suspects.filter { rowID in
      rows.position(of: rowID) != nil && !(new.position(of: rowID).map(after.contains) ?? false)
    }
    let staying = touched.union(edges(of: after, in: new, touched.count)).filter { rowID in
      touched.contains(rowID) || rows.position(of: rowID) == nil
    }
    let places = staying.compactMap { rowID in
      new.position(of: rowID).flatMap { after.contains($0) ? (rowID: rowID, position: $0) : nil }
    }
    .sorted { $0.position < $1.position }
    .map { rowID, position in
      RowPlacement(
        rowID, after: position > after.lowerBound ? new.rowIDs[position - 1] : nil,
        section: new.path(atPosition: position).flatMap { new.sectionKey(at: $0.section) } ?? .all)
    }
    return try rows.updated(removing: gone, placing: places)
  }

  /// The rows that others have pushed into a list or out of it, among those that
  /// are let through.
  ///
  /// - Parameters:
  ///   - old: The rows that were let through before.
  ///   - new: The rows that are let through.
  ///   - count: How many rows have come, gone or may have another place.
  /// - Returns: Nil where so many may be pushed that comparing all is cheaper.
  /// - Complexity: O(*k* log *n*) for *k* rows.
  func pushed(from old: OrderedIndex, to new: OrderedIndex, by count: Int) -> Set<Int64>? {
    if areAll { return [] }
    guard count * 2 < max(old.count, new.count) else { return nil }
    let left = edges(of: 0..<old.count, in: old, count).filter { new.position(of: $0) == nil }
    let entered = edges(of: 0..<new.count, in: new, count).filter { old.position(of: $0) == nil }
    return Set(left + entered)
  }

  /// The rows that stand so near to the edges that they may cross them.
  private func edges(of range: Range<Int>, in index: OrderedIndex, _ distance: Int) -> [Int64] {
    let low = range.prefix(distance)
    let high = range.suffix(distance)
    return (Array(low) + high).map { index.rowIDs[$0] }
  }
}
