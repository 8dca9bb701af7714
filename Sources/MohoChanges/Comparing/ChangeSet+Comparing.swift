extension ChangeSet {
  /// Computes the change set between two states of a list.
  ///
  /// A row that is only in `old` was deleted. A row that is only in `new` was
  /// inserted. A row in both lists is *touched* if `changedKeys` has an entry
  /// for it. The entry lists the names of the changed keys in declaration
  /// order. It is empty if no key changed but the position may have changed,
  /// for example because of a change in a related row. A touched row that
  /// neither moved nor changed has no record.
  ///
  /// Rows without an entry are assumed to be in their old order. If the lists
  /// contradict this assumption in a section, all rows of that section count as
  /// touched. So the change set always leads from `old` to `new`. Entries for
  /// inserted and deleted rows are allowed. They make the comparison faster.
  ///
  /// The number of moves is minimal. A touched row can stay only if
  /// it has the same number of untouched rows before it in both spaces. Of
  /// these rows, a longest increasing subsequence stays. The same
  /// rule applies to sections: where sections changed their order, those with
  /// untouched rows remain.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  ///   - changedKeys: The names of the changed keys of each touched row, by row
  ///     ID.
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows of which *k* are touched.
  ///   The initializer hashes only touched rows, unless the lists contradict
  ///   the entries, or rows without an entry were inserted or deleted and row
  ///   IDs are sparse.
  public init(
    from old: OrderedIndex,
    to new: OrderedIndex,
    changedKeys: [Int64: [String]]
  ) {
    let (oldKeys, newKeys) = (old.sectionKeys, new.sectionKeys)
    var comparison = RowComparison(from: old, to: new, changedKeys: changedKeys)
    let matching = SectionMatching(from: oldKeys, to: newKeys) {
      comparison.hasUntouchedRows($0)
    }
    for pair in matching.pairs {
      comparison.compare(section: pair.old, with: pair.new)
    }
    for section in matching.deleted { comparison.recordDepartures(fromSection: section) }
    for section in matching.inserted { comparison.recordArrivals(inSection: section) }
    comparison.matchDeparturesWithArrivals()

    self.init(
      sections: matching.deleted.map {
        SectionChange(kind: .delete, key: oldKeys[$0], index: $0)
      }
        + matching.inserted.map {
          SectionChange(kind: .insert, key: newKeys[$0], index: $0)
        },
      rows: comparison.changes)
  }
}
