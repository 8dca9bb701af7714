import MohoChanges
import MohoMapping
import MohoRows

/// The rows of a list in groups, of which a window shows the first rows.
///
/// Copies share their storage, so that each state of a result has its groups.
struct RowGroups: Sendable {
  /// The rows, with a section for each group. Sections are sorted by their keys, and the rows
  /// of a section are in the order of the list.
  let index: OrderedIndex

  private init(index: OrderedIndex) { self.index = index }

  /// Divides the rows of a list into groups.
  ///
  /// - Parameter keys: The keys of the groups, by row. Rows without a key are not in the
  ///   list.
  /// - Complexity: O(*n* + *g* log *g*) for *n* rows in *g* groups.
  init(of all: OrderedIndex, _ keys: [Int64: GroupKey]) throws(OrderedIndexError) {
    var groups: [GroupKey: [Int64]] = [:]
    for rowID in all.rowIDs {
      if let key = keys[rowID] { groups[key, default: []].append(rowID) }
    }
    var builder = OrderedIndex.Builder(sectioned: true)
    for (key, rows) in groups.sorted(by: { $0.key < $1.key }) {
      try builder.append(contentsOf: rows, section: key.section)
    }
    index = builder.finish()
  }

  /// Returns the first rows of all groups.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows.
  func firstRows(_ limit: Int) -> Set<Int64> {
    var rows: Set<Int64> = []
    for section in 0..<index.sectionCount {
      rows.formUnion(index.rowIDs(inSection: section).prefix(limit))
    }
    return rows
  }

  /// Returns whether a row is among the first rows of its group.
  ///
  /// - Complexity: O(log *n*).
  func isFirst(_ rowID: Int64, _ limit: Int) -> Bool {
    index.path(of: rowID).map { $0.row < limit } ?? false
  }

  /// Returns the groups after a change of the list.
  ///
  /// - Parameters:
  ///   - all: The list after the change.
  ///   - touched: The rows that may have been inserted, deleted or moved, or that may be in
  ///     another group.
  ///   - keys: The keys of the touched rows in the list.
  /// - Complexity: O(*k* (log² *n* + *n* / 2,000)) for *k* touched rows. O(*g*) for each new
  ///   group among *g*.
  func updated(
    to all: OrderedIndex, touched: Set<Int64>, _ keys: [Int64: GroupKey]
  ) throws(OrderedIndexError) -> RowGroups {
    var rows: [GroupPosition] = []
    for (rowID, key) in keys {
      guard let position = all.position(of: rowID) else { continue }
      rows.append(GroupPosition(rowID: rowID, key: key, position: position))
    }
    let placements = rows.sorted { $0.precedes($1) }.map { row in
      let predecessor = index.lastRow(excluding: touched) { other in
        guard let key = key(of: other), let position = all.position(of: other) else { return false }
        return GroupPosition(rowID: other, key: key, position: position).precedes(row)
      }
      return RowPlacement(row.rowID, after: predecessor, section: row.key.section)
    }
    let removed = touched.subtracting(placements.map(\.rowID))
    return RowGroups(index: try index.updated(removing: removed, placing: placements).index)
  }

  /// Returns the untouched rows that are among the first rows of their groups either in this
  /// state or in a later one.
  ///
  /// - Parameters:
  ///   - limit: The number of first rows of a group.
  ///   - touched: The rows that may have been inserted, deleted or moved, or that may be in
  ///     another group.
  /// - Complexity: O(*k* log² *n*) for *k* touched rows.
  func rowsCrossingLimit(_ limit: Int, to later: RowGroups, touched: Set<Int64>) -> Set<Int64> {
    var counts: [GroupKey: Int] = [:]
    for rowID in touched {
      let (old, new) = (key(of: rowID), later.key(of: rowID))
      if let old { counts[old, default: 0] += 1 }
      if let new, new != old { counts[new, default: 0] += 1 }
    }
    var crossing: Set<Int64> = []
    for (key, count) in counts {
      // Each touched row moves the others by one position.
      let positions = max(0, limit - count)..<max(0, limit)
      for rowID in rows(at: positions, of: key) where !later.isFirst(rowID, limit) {
        crossing.insert(rowID)
      }
      for rowID in later.rows(at: positions, of: key) where !isFirst(rowID, limit) {
        crossing.insert(rowID)
      }
    }
    return crossing.subtracting(touched)
  }

  /// The key of the group of a row.
  private func key(of rowID: Int64) -> GroupKey? {
    index.path(of: rowID).flatMap { index.sectionKey(at: $0.section) }.flatMap { GroupKey($0) }
  }

  /// Returns the rows at a range of positions in a group.
  private func rows(at positions: Range<Int>, of key: GroupKey) -> [Int64] {
    guard let section = section(of: key) else { return [] }
    let rows = index.rowIDs(inSection: section)
    return positions.clamped(to: 0..<rows.count).map { rows[$0] }
  }

  private func section(of key: GroupKey) -> Int? {
    func keyOfSection(_ section: Int) -> GroupKey? {
      index.sectionKey(at: section).flatMap { GroupKey($0) }
    }
    let section = (0..<index.sectionCount).partitioningIndex { section in
      keyOfSection(section).map { !($0 < key) } ?? true
    }
    return keyOfSection(section) == key ? section : nil
  }
}

/// A row with its group and its position in the list.
private struct GroupPosition {
  let rowID: Int64
  let key: GroupKey
  let position: Int

  /// Returns whether the row precedes another one in the order of groups.
  func precedes(_ other: GroupPosition) -> Bool {
    key == other.key ? position < other.position : key < other.key
  }
}
