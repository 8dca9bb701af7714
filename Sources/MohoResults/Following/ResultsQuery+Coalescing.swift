import MohoChanges
import MohoStore

extension ResultsQuery {
  /// The changes between two states with others in between.
  ///
  /// A row is compared by what it holds in the two states, wherever it was in
  /// between. Keys that are read from other rows have changed if any of the
  /// commits changed them or the links to those rows.
  ///
  /// - Parameter between: What the commits in between have changed.
  /// - Complexity: O(*k* log *n*) for *k* rows that the commits changed; O(*n*)
  ///   where some are not known or as many as the rows that are shown.
  func changes(
    from old: ResultsRows, to new: ResultsRows, _ between: RowHistory.Changes
  ) -> ChangeSet {
    var placed: [Int64: [String]] = [:]
    for rowID in between.led { placed[rowID] = [] }
    for (rowID, content) in between.contents {
      if let row = content.row, statements.mayMove(row) { placed[rowID] = [] }
    }
    let changes: ChangeSet
    if between.arePlacesKnown, old.areAll, new.areAll,
      let pushed = visible.pushed(from: old.visible, to: new.visible, by: placed.count)
    {
      for rowID in pushed { placed[rowID] = [] }
      changes = ChangeSet(from: old.visible, to: new.visible, touching: placed)
    } else {
      changes = ChangeSet(from: old.visible, to: new.visible, changedKeys: placed)
    }
    return changes.addingContentChanges(
      changedKeys(between, among: new.visible), from: old.visible, to: new.visible)
  }

  /// The keys whose values have changed, by row.
  private func changedKeys(
    _ between: RowHistory.Changes, among index: OrderedIndex
  ) -> [Int64: [String]] {
    let unknown = between.unknownKeys
    var keys = between.contents.mapValues {
      changedKeys(of: $0.row, related: $0.related.union(unknown))
    }
    if !unknown.isEmpty {
      let unknown = sorted(unknown)
      for rowID in index.rowIDs where keys[rowID] == nil { keys[rowID] = unknown }
    }
    return keys
  }
}
