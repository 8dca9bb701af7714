extension ChangeSet {
  /// Returns the change set with content changes added to it.
  ///
  /// Use this for rows whose content changed but that had no part in the
  /// computation of moves. These rows count as untouched there, so none of them
  /// moves instead of a row whose position changed. Rows that are not in both
  /// lists are ignored.
  ///
  /// - Parameters:
  ///   - changedKeys: The names of the changed keys, by row ID, in declaration
  ///     order.
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  /// - Complexity: O(*k* log *n*) for *k* records and rows.
  package func addingContentChanges(
    _ changedKeys: [Int64: [String]], from old: OrderedIndex, to new: OrderedIndex
  ) -> ChangeSet {
    if changedKeys.isEmpty { return self }
    var remaining = changedKeys
    var changes = rows.map { row in
      guard let keys = remaining.removeValue(forKey: row.rowID), row.old != nil, row.new != nil
      else {
        return row
      }
      return RowChange(
        rowID: row.rowID, old: row.old, new: row.new, content: RowChange.Content(keys),
        isMove: row.isMove)
    }
    for (rowID, keys) in remaining where !keys.isEmpty {
      guard let oldPath = old.path(of: rowID), let newPath = new.path(of: rowID) else { continue }
      changes.append(.update(rowID, from: oldPath, to: newPath, changed: keys))
    }
    return ChangeSet(sections: sections, rows: changes)
  }

  /// Returns the change set with records of sections whose summaries differ.
  ///
  /// - Parameter updates: Records of sections that are in both lists.
  package func addingSectionUpdates(_ updates: [SectionChange]) -> ChangeSet {
    updates.isEmpty ? self : ChangeSet(sections: sections + updates, rows: rows)
  }

  /// Computes the change set between two lists whose touched rows are known.
  ///
  /// The result equals the one of a comparison of all rows.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  ///   - changedKeys: The names of the changed keys of each touched row.
  /// - Complexity: O(*k* log *n*) for *k* touched rows. O(*n*) if only one of
  ///   the lists is sectioned, or if untouched rows were inserted or deleted.
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
