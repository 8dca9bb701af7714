extension OrderedIndex {
  /// Returns the next state of the list and the change set that leads to it,
  /// given the touched rows.
  ///
  /// ```swift
  /// let (index, changes) = try index.updated(
  ///   removing: [8], placing: [RowPlacement(17, after: 4), RowPlacement(3, after: 17)])
  /// ```
  ///
  /// The change set equals the one that
  /// ``ChangeSet/init(from:to:changedKeys:)`` computes for both states and the
  /// `changedKeys` of all touched rows. Rows that are not named do not
  /// move. A section is inserted with its first row and deleted with its last
  /// one.
  ///
  /// - Parameters:
  ///   - removedRowIDs: The touched rows that are no longer in the list. IDs of
  ///     rows that were not in the list are ignored.
  ///   - placements: All other touched rows, in their order in the new list:
  ///     inserted rows, and rows whose position or content may have changed.
  /// - Throws: ``OrderedIndexError`` if the placements contradict each other or
  ///   the list. In that case the caller most likely missed a touched row. To
  ///   recover, build an index from all rows and compare it with this one.
  /// - Complexity: O(*k* (log *n* + *n* / 2,000)) for *k* touched rows, plus
  ///   O(*s*) for each inserted section, where *s* is the number of sections.
  public func updated(
    removing removedRowIDs: some Sequence<Int64> = [], placing placements: [RowPlacement]
  ) throws(OrderedIndexError) -> (index: OrderedIndex, changes: ChangeSet) {
    var update = try IndexUpdate(of: self, removing: Array(removedRowIDs), placing: placements)
    try update.apply()
    return (update.index, ChangeSet(from: self, to: update.index, touched: update.touched))
  }
}
