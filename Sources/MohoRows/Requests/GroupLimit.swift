/// A limit for the rows of each group, which have the same values for some keys.
package struct GroupLimit: Sendable, Hashable {
  /// The maximum number of rows of a group. Nil for all rows, if a change of groups is a
  /// change of the result.
  package var count: Int?
  package let keys: [Operand]
}

extension StoreRequest {
  /// Returns the request that selects only the first rows of each group. The rows of a group
  /// have the same values for some keys. Nil is a value like any other, and texts with
  /// different bytes are different.
  ///
  /// ```swift
  /// // The two newest unplayed episodes of each podcast, the newest of all first.
  /// let newest = ModelRequest<Episode>()
  ///   .filter { $0.isPlayed == false }
  ///   .order(by: \.publishedAt, .descending)
  ///   .first(2, per: { [$0.podcast.id] })
  /// ```
  ///
  /// The orderings of the request determine which rows of a group are the first ones, and
  /// also the order of the result. All conditions apply before the rows are chosen, and the
  /// limit and the offset apply afterwards, whatever the order of the calls. Another call of
  /// this method replaces the number and the keys.
  ///
  /// Counts, values, aggregates and groups of the request are those of the selected rows,
  /// and a deletion deletes only these rows.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows of each group. If it is less than 1, the request
  ///     has no rows.
  ///   - keys: Returns the keys, also of related rows. Without keys, all rows are one group.
  /// - Complexity: The database reads and sorts all rows that meet the conditions. With an index
  ///   on the keys followed by the orderings, it only sorts the rows of each group, or none if
  ///   the orderings are ascending.
  public func first(_ count: Int, per keys: (Keys) -> [any RequestOperand]) -> Self {
    var request = self
    request.rows.groupLimit = GroupLimit(count: count, keys: operands(keys))
    return request
  }
}

extension RowRequest {
  /// The request for the number of rows of each group, as its last value. Nil if groups are
  /// not limited.
  package var groupCounts: RequestAggregates? {
    guard let groupLimit, groupLimit.count != nil else { return nil }
    var keys: [Operand] = []
    for key in groupLimit.keys where !keys.contains(key) { keys.append(key) }
    return RequestAggregates(request: unpaged, aggregates: [.count], keys: keys)
  }
}
