extension OrderedIndex {
  /// Finds the last row that precedes a new position, by binary search with a
  /// comparison.
  ///
  /// Use this to find the predecessor of a row if the database has no index for
  /// the order of the list:
  ///
  /// ```swift
  /// let predecessor = index.lastRow(excluding: touched) { rowID in
  ///   comesBefore(rowID, episode)  // one comparison in the database
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - touched: Rows whose current position may be out of date. They are
  ///     skipped.
  ///   - precedes: A predicate that returns whether a row precedes the new
  ///     position. It must return true for a prefix of the rows outside
  ///     `touched`, and false for the rest.
  /// - Returns: The ID of the row, or `nil` if the new position is the first of
  ///   the list.
  /// - Throws: Errors of `precedes`.
  /// - Complexity: At most ⌈log₂(*n* + 1)⌉ calls of `precedes`. Each skipped
  ///   row costs a lookup.
  public func lastRow(
    excluding touched: Set<Int64> = [], where precedes: (Int64) throws -> Bool
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
