extension ChangeSet {
  /// Finds what happened between two states of a list.
  ///
  /// A row that is only in `old` was deleted, one that is only in `new` was
  /// inserted. A row in both is *touched* if `changedKeys` has an entry for it:
  /// the names of its changed keys in declaration order, or no name if
  /// something outside the row may have changed its place. A touched row that
  /// neither moved nor changed has no record.
  ///
  /// Rows without an entry are taken to have kept their order. Where the lists
  /// contradict that, all rows of the section are taken as touched, so that
  /// the change set leads from `old` to `new` in any case. Entries of inserted
  /// and deleted rows are welcome: they spare a look-up table.
  ///
  /// Moves are minimal by the gap rule: a touched row may stay only if equally
  /// many untouched rows stand before it in both spaces, and of those that may
  /// stay, a longest increasing subsequence does. The same goes for sections:
  /// where they changed their order, those with untouched rows stay.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows of which *k* are touched.
  ///   Only touched rows are hashed, unless the lists contradict the entries,
  ///   or rows came or went without an entry and identities are far apart.
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
    for section in matching.deleted { comparison.vacate(section: section) }
    for section in matching.inserted { comparison.populate(section: section) }
    comparison.join()

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
