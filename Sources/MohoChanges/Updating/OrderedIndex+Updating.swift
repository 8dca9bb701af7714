extension OrderedIndex {
  /// Makes the next state of the list from the rows that a change touched, and
  /// says what happened.
  ///
  /// ```swift
  /// let (index, changes) = try index.updated(
  ///   removing: [8], placing: [RowPlace(17, behind: 4), RowPlace(3, behind: 17)])
  /// ```
  ///
  /// The change set is exactly the one that comparing both states finds, with
  /// `changedKeys` of all touched rows. Rows that are not named keep their
  /// order and never move. Sections come with their first row and go with
  /// their last one.
  ///
  /// - Parameters:
  ///   - gone: Touched rows that are not in the list any more. Rows that never
  ///     were in it are welcome.
  ///   - places: All other touched rows, in the order they come to have: new
  ///     ones, and those that may have changed their place or their content.
  /// - Throws: ``OrderedIndexError`` where the places contradict each other or
  ///   the list. Then a touched row is likely to be missing, and comparing with
  ///   a newly built index helps.
  /// - Complexity: O(*k* log *n*) for *k* touched rows. A section that comes adds
  ///   O(*s*) for *s* sections.
  public func updated(
    removing gone: some Sequence<Int64> = [], placing places: [RowPlace]
  ) throws(OrderedIndexError) -> (index: OrderedIndex, changes: ChangeSet) {
    var update = try IndexUpdate(of: self, removing: Array(gone), placing: places)
    try update.apply()
    return (update.index, ChangeSet(from: self, to: update.index, touched: update.touched))
  }
}
