extension ChangeSet {
  /// The change set with rows that hold something else and had no part in the
  /// change of places.
  ///
  /// Because they count as untouched where moves are found, none of them moves
  /// in place of a row whose place has changed. Rows that are not in both lists
  /// are of no account.
  ///
  /// - Parameter changedKeys: The names of the changed keys, by row, in
  ///   declaration order.
  /// - Complexity: O(*k* log *n*) for *k* records and rows.
  package func noting(
    changedKeys: [Int64: [String]], from old: OrderedIndex, to new: OrderedIndex
  ) -> ChangeSet {
    if changedKeys.isEmpty { return self }
    var rest = changedKeys
    var changes = rows.map { row in
      guard let keys = rest.removeValue(forKey: row.rowID), row.old != nil, row.new != nil else {
        return row
      }
      return RowChange(
        rowID: row.rowID, old: row.old, new: row.new, content: RowChange.Content(keys),
        isMove: row.isMove)
    }
    for (rowID, keys) in rest where !keys.isEmpty {
      guard let oldPath = old.path(of: rowID), let newPath = new.path(of: rowID) else { continue }
      changes.append(.update(rowID, from: oldPath, to: newPath, changed: keys))
    }
    return ChangeSet(sections: sections, rows: changes)
  }

  /// What happened between two lists of which the rows are known that were
  /// touched: the same that comparing all rows finds.
  ///
  /// - Parameter changedKeys: The names of the changed keys of each touched row.
  /// - Complexity: O(*k* log *n*) for *k* touched rows, O(*n*) where just one of
  ///   the lists is sectioned or other rows have come or gone.
  package init(
    from old: OrderedIndex, to new: OrderedIndex, touching changedKeys: [Int64: [String]]
  ) {
    let touched = changedKeys.map { rowID, keys in
      TouchedRow(
        rowID: rowID, old: old.path(of: rowID), new: new.path(of: rowID), changedKeys: keys)
    }
    let oldCount = old.count - touched.count { $0.old != nil }
    let newCount = new.count - touched.count { $0.new != nil }
    guard old.isSectioned == new.isSectioned, oldCount == newCount else {
      self.init(from: old, to: new, changedKeys: changedKeys)
      return
    }
    self.init(from: old, to: new, touched: touched)
  }
}
