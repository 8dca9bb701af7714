extension OrderedIndex {
  /// Finds the last row before a place that only a comparison knows.
  ///
  /// For lists whose database has no index to ask for a row's predecessor:
  ///
  /// ```swift
  /// let predecessor = index.lastRow(outside: touched) { rowID in
  ///   comesBefore(rowID, episode)  // one comparison, by the database
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - touched: Rows that may stand in the wrong place. They are skipped.
  ///   - precedes: Whether a row comes before the place. Of the rows that are
  ///     asked about, those that do must stand before those that do not.
  /// - Returns: The row, `nil` if the place is the first of the list.
  /// - Throws: What `precedes` throws.
  /// - Complexity: At most ⌈log₂(*n* + 1)⌉ comparisons. Touched rows that stand
  ///   together cost a look-up each.
  public func lastRow(
    outside touched: Set<Int64> = [], where precedes: (Int64) throws -> Bool
  ) rethrows -> Int64? {
    var found: Int64?
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      var probe = middle
      while probe >= low, touched.contains(tree[probe]) { probe -= 1 }
      if probe < low {
        low = middle + 1
      } else if try precedes(tree[probe]) {
        found = tree[probe]
        low = middle + 1
      } else {
        high = probe
      }
    }
    return found
  }
}
