import MohoChanges
import MohoMapping
import MohoRows

extension ResultsQuery {
  /// Reads the rows of the current state.
  func rows(_ reader: StoreReader) throws -> ResultsRows {
    let all = try scan(reader)
    guard let limit = window.rowsPerGroup else { return try ResultsRows(all, window) }
    if let keys = try groupKeys(reader) {
      let groups = try RowGroups(of: all, keys)
      return try ResultsRows(all, window, groups: groups, groups.firstRows(limit))
    }
    let request = result.request.rows.limit(nil).offset(0)
    return try ResultsRows(all, window, Set(reader.fetchIdentities(request)))
  }

  /// Reads the rows of the first batch of the current state.
  ///
  /// - Complexity: O(*b*) for a batch of *b* rows if an index has the order.
  ///   Otherwise O(*n*), where *n* is the number of rows.
  func firstRows(_ reader: StoreReader) throws -> ResultsRows {
    if window.rowsPerGroup != nil { return try rows(reader) }
    let size = min(batchSize, window.limit ?? .max)
    let (end, overflows) = window.offset.addingReportingOverflow(size)
    guard !overflows, end < .max else { return try rows(reader) }
    // An additional row shows whether there are more rows.
    let rows = try scan(reader, limit: end + 1)
    guard rows.count > end else { return try ResultsRows(rows, window) }
    var page = try ResultsRows(rows, RowWindow(offset: window.offset, limit: size))
    page.isComplete = false
    return page
  }

  /// Returns whether the change of a row cannot affect the result.
  func isUnaffected(by row: RowDelta, _ rowID: Int64, in rows: ResultsRows) -> Bool {
    if row.isUnchanged { return true }
    guard rows.isComplete, rows.all.position(of: rowID) == nil else { return false }
    return result.isUnmoved(by: row, isIncluded: false)
  }

  /// Returns the transition that a commit causes, or `nil` if the commit does not
  /// affect the result.
  ///
  /// - Parameters:
  ///   - missesCommits: Whether earlier commits could not be processed.
  ///   - rescans: Whether to read all IDs for any change.
  /// - Complexity: O(*k* (log *n* + *n* / 2,000)) for *k* rows that the commit
  ///   changed. O(*n*) if there are many of them or if they cannot be determined.
  func transition(
    from old: ResultsRows, _ commit: CommittedChanges, missesCommits: Bool, rescans: Bool,
    _ reader: StoreReader
  ) throws -> ResultsTransition? {
    let isKnown = commit.hasAllTables && !missesCommits
    let touched = isKnown ? try reader.touchedRows(of: result, by: commit) : nil
    let isUngrouped = window.rowsPerGroup != nil && old.groups == nil
    let rescans = rescans || !old.isComplete || isUngrouped
    switch RequiredUpdate(touched, count: old.all.count) {
    case .nothing: return nil
    case .contentOnly where !rescans:
      return transition(from: old, to: old, ChangeSet(), touched, .contentOnly)
    case .reposition(let rowIDs) where !rescans:
      do {
        let placements = try placements(of: rowIDs, in: old.all, reader)
        let deleted =
          placements.count == rowIDs.count ? [] : rowIDs.subtracting(placements.map(\.rowID))
        guard let keys = try groupKeys(of: rowIDs, reader) else {
          return try rescan(from: old, touched, reader)
        }
        let (rows, changes) = try old.updated(
          removing: deleted, placing: placements, window, touched: rowIDs, groupKeys: keys)
        return transition(from: old, to: rows, changes, touched, .repositioned)
      } catch is OrderedIndexError {
        // The order of the stored rows contradicts the list. Reading all rows
        // resolves this.
        return try rescan(from: old, touched, reader)
      }
    case .contentOnly, .reposition, .rescan: return try rescan(from: old, touched, reader)
    }
  }

  /// Returns the placements of those rows that are in the result, in order.
  private func placements(
    of rowIDs: Set<Int64>, in all: OrderedIndex, _ reader: StoreReader
  ) throws -> [RowPlacement] {
    if rowIDs.isEmpty { return [] }
    let rows = try self.rows.place(rowIDs, reader) { count, comparisons, precede in
      try all.lastRows(before: count, excluding: rowIDs, comparing: comparisons, precede)
    }
    return try rows.map { row in
      RowPlacement(
        row.rowID, after: row.predecessor,
        section: isSectioned ? try SectionKey(row.section) : .all)
    }
  }

  private func rescan(
    from old: ResultsRows, _ touched: TouchedRows?, _ reader: StoreReader
  ) throws -> ResultsTransition {
    let rows = try rows(reader)
    let (before, after) = (old.visible, rows.visible)
    let changes = LazyChangeSet { self.changes(from: before, to: after, touched) }
    // If there are certainly changes, the consumer computes them on first
    // access.
    let hasChanges = before.count != after.count || !changes.value.isEmpty
    return ResultsTransition(
      rows: rows, changes: hasChanges || reportsGroups ? changes : nil, touched: touched,
      strategy: .rescanned)
  }

  private func transition(
    from old: ResultsRows, to new: ResultsRows, _ moves: ChangeSet, _ touched: TouchedRows?,
    _ strategy: ResultsTransition.Strategy
  ) -> ResultsTransition {
    let keys = touched.map { changedKeys($0, among: new.visible) } ?? [:]
    let changes = moves.addingContentChanges(keys, from: old.visible, to: new.visible)
    return ResultsTransition(
      rows: new, changes: changes.isEmpty && !reportsGroups ? nil : LazyChangeSet(changes),
      touched: touched, strategy: strategy)
  }
}
