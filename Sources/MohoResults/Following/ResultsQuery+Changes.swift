import MohoChanges
import MohoRows

extension ResultsQuery {
  /// Returns the changes between two lists that were read independently.
  func changes(
    from old: OrderedIndex, to new: OrderedIndex, _ touched: TouchedRows?
  ) -> ChangeSet {
    guard let touched else {
      return ChangeSet(from: old, to: new, changedKeys: allKeys(of: new))
    }
    return ChangeSet(
      from: old, to: new, moveCandidates: touched.moveCandidates,
      changedKeys: changedKeys(touched, among: new))
  }

  /// Returns the changes between two states with other states in between.
  ///
  /// Compares the content of a row in the two states, regardless of its content
  /// in between. A key that reads other rows counts as changed if any of the
  /// commits changed it or its links.
  ///
  /// - Parameter between: The changes of the commits between the two states.
  /// - Complexity: O(*k* log *n*) for *k* rows that the commits changed. O(*n*)
  ///   if there are many of them or if they cannot be determined.
  func changes(
    from old: ResultsRows, to new: ResultsRows, _ between: RowHistory.Changes
  ) -> ChangeSet {
    var candidates = between.relatedMoveCandidates
    for (rowID, content) in between.contents {
      if let row = content.row, result.mayMove(row) { candidates.insert(rowID) }
    }
    let keys = changedKeys(between, among: new.visible)
    if between.hasAllMoveCandidates, old.isComplete, new.isComplete,
      let crossing = window.rowsCrossingEdges(from: old, to: new, touched: candidates)
    {
      candidates.formUnion(crossing)
      return ChangeSet(
        from: old.visible, to: new.visible, touching: Dictionary(moveCandidates: candidates)
      )
      .addingContentChanges(keys, from: old.visible, to: new.visible)
    }
    return ChangeSet(
      from: old.visible, to: new.visible, moveCandidates: candidates, changedKeys: keys)
  }

  /// Returns the names of the changed keys, by row.
  func changedKeys(
    _ touched: TouchedRows, among index: OrderedIndex
  ) -> [Int64: [String]] {
    var keys: [Int64: [String]] = [:]
    let hasRelated = !touched.relatedKeys.isEmpty || !touched.keysOfUnknownRows.isEmpty
    // The rows of a commit usually change in the same keys.
    var last: (columns: UInt64, keys: [String])?
    for (rowID, row) in touched.writtenRows where !row.isInsertedOrDeleted {
      if hasRelated {
        keys[rowID] = changedKeys(
          of: row,
          related: touched.keysOfUnknownRows.union(touched.relatedKeys[rowID] ?? []))
      } else if let columns = changedColumns(of: row) {
        let known = last.flatMap { $0.columns == columns ? $0.keys : nil }
        let found = known ?? changedKeys(of: row)
        (keys[rowID], last) = (found, (columns, found))
      } else {
        keys[rowID] = changedKeys(of: row)
      }
    }
    for (rowID, related) in touched.relatedKeys where touched.writtenRows[rowID] == nil {
      keys[rowID] = sorted(touched.keysOfUnknownRows.union(related))
    }
    addKeysOfUnknownRows(touched.keysOfUnknownRows, to: &keys, among: index)
    return keys
  }

  private func changedKeys(
    _ between: RowHistory.Changes, among index: OrderedIndex
  ) -> [Int64: [String]] {
    let unknown = between.keysOfUnknownRows
    var keys = between.contents.mapValues {
      changedKeys(of: $0.row, related: $0.related.union(unknown))
    }
    addKeysOfUnknownRows(unknown, to: &keys, among: index)
    return keys
  }

  /// Adds keys that may have changed in any row to all rows that have no entry.
  private func addKeysOfUnknownRows(
    _ unknown: Set<String>, to keys: inout [Int64: [String]], among index: OrderedIndex
  ) {
    if unknown.isEmpty { return }
    let unknown = sorted(unknown)
    for rowID in index.rowIDs where keys[rowID] == nil { keys[rowID] = unknown }
  }
}

extension ChangeSet {
  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - moveCandidates: The rows that may have been inserted, deleted or moved.
  ///     They move in preference to other rows.
  ///   - changedKeys: The names of the changed keys, by row.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  init(
    from old: OrderedIndex, to new: OrderedIndex, moveCandidates: Set<Int64>,
    changedKeys: [Int64: [String]]
  ) {
    self = ChangeSet(from: old, to: new, changedKeys: Dictionary(moveCandidates: moveCandidates))
      .addingContentChanges(changedKeys, from: old, to: new)
  }
}

extension Dictionary<Int64, [String]> {
  /// Creates a set of touched rows that have no changed keys.
  init(moveCandidates: Set<Int64>) {
    self.init(minimumCapacity: moveCandidates.count)
    for rowID in moveCandidates { self[rowID] = [] }
  }
}
