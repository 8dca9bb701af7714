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
    var search = Search(range: 0..<count)
    while !search.range.isEmpty {
      let middle = search.range.lowerBound + search.range.count / 2
      guard let row = untouchedRow(in: &search, upTo: middle, touched) else { continue }
      if try precedes(row.rowID) {
        search.proceed(after: row)
      } else {
        search.proceed(before: row)
      }
    }
    return search.found
  }
}

extension OrderedIndex {
  /// Finds the last row that precedes each of several new positions, by search with
  /// comparisons that are made together.
  ///
  /// Use this if many comparisons cost little more than one, for example because a
  /// server makes them.
  ///
  /// - Parameters:
  ///   - count: The number of new positions.
  ///   - touched: Rows whose current position may be out of date. They are skipped.
  ///   - limit: The number of comparisons that are made together, unless there are
  ///     more new positions.
  ///   - compare: A closure that returns, for each comparison, whether a row precedes
  ///     a new position. For each position, it must return true for a prefix of the
  ///     rows outside `touched`, and false for the rest.
  /// - Returns: The IDs of the rows. Nil if the new position is the first of the list.
  /// - Complexity: About log(*n*) / log(*l* / *count* + 1) calls of `compare` for a
  ///   list of *n* rows and a limit of *l*.
  package func lastRows(
    before count: Int, excluding touched: Set<Int64>, comparing limit: Int,
    _ compare: ([(rowID: Int64, position: Int)]) throws -> [Bool]
  ) rethrows -> [Int64?] {
    var searches = Array(repeating: Search(range: 0..<self.count), count: count)
    while case let active = searches.indices.filter({ !searches[$0].range.isEmpty }),
      !active.isEmpty
    {
      var probes: [(search: Int, rows: [FoundRow])] = []
      for index in active {
        let rows = rows(of: &searches[index], count: max(1, limit / active.count), touched)
        if !rows.isEmpty { probes.append((index, rows)) }
      }
      if probes.isEmpty { continue }
      let precede = try compare(
        probes.flatMap { probe in probe.rows.map { ($0.rowID, probe.search) } })
      var results = ArraySlice(precede)
      for (index, rows) in probes {
        let count = results.prefix(rows.count).prefix { $0 }.count
        results = results.dropFirst(rows.count)
        if count > 0 { searches[index].proceed(after: rows[count - 1]) }
        if count < rows.count { searches[index].proceed(before: rows[count]) }
      }
    }
    return searches.map(\.found)
  }

  private typealias FoundRow = (position: Int, rowID: Int64)

  /// A search for a new position.
  private struct Search {
    /// The positions that may have the last row that precedes the new position.
    var range: Range<Int>
    /// The last row before the range that precedes the new position.
    var found: Int64?

    /// Proceeds after a row that precedes the new position.
    mutating func proceed(after row: FoundRow) {
      found = row.rowID
      range = row.position + 1..<range.upperBound
    }

    /// Proceeds before a row that does not precede the new position.
    mutating func proceed(before row: FoundRow) { range = range.lowerBound..<row.position }
  }

  /// Returns rows that divide the range of a search into equal parts. Skips touched
  /// rows. If all rows at the beginning of the range are touched, removes them from it.
  private func rows(
    of search: inout Search, count: Int, _ touched: Set<Int64>
  ) -> [FoundRow] {
    let range = search.range
    var rows: [FoundRow] = []
    for part in 1...min(count, range.count) {
      let middle = range.lowerBound + range.count * part / (min(count, range.count) + 1)
      if let row = untouchedRow(in: &search, upTo: middle, touched),
        row.position != rows.last?.position
      {
        rows.append(row)
      }
    }
    return rows
  }

  /// Returns the last row at or before a position that is not touched. If all rows of the
  /// range up to there are touched, removes them from it and returns nil.
  private func untouchedRow(
    in search: inout Search, upTo last: Int, _ touched: Set<Int64>
  ) -> FoundRow? {
    for position in stride(from: last, through: search.range.lowerBound, by: -1) {
      let rowID = tree[position]
      if !touched.contains(rowID) { return (position, rowID) }
    }
    search.range = last + 1..<search.range.upperBound
    return nil
  }
}
