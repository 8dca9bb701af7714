extension ChangeSet {
  /// This change set and a later one, as one that leads from the first state to
  /// the last.
  ///
  /// For consumers that are slower than the changes: they need not take the
  /// steps one by one.
  ///
  /// ```swift
  /// let both = first.followed(by: second, from: before, to: after, keys: allKeys)
  /// ```
  ///
  /// - A row that was inserted and deleted has no record.
  /// - A row that was deleted and inserted again is updated or moved. Its values
  ///   were not compared, so all its keys count as changed.
  /// - A key is changed if it is in either change set, even if the second change
  ///   took the first one back.
  /// - Moves are computed from the two states, so their number is minimal.
  ///
  /// - Parameters:
  ///   - later: What happened after this change set.
  ///   - old: The list before this change set.
  ///   - new: The list after the later one.
  ///   - keys: The names of all keys, in declaration order.
  /// - Complexity: O(*k* log *n*) for *k* records, O(*n*) where just one of the
  ///   lists is sectioned or the change sets do not lead from `old` to `new`.
  public func followed(
    by later: ChangeSet, from old: OrderedIndex, to new: OrderedIndex, keys: [String]
  ) -> ChangeSet {
    var changed: [Int64: Set<String>] = [:]
    var gone: Set<Int64> = []
    for change in rows {
      changed[change.rowID, default: []].formUnion(change.changedKeys)
      if change.new == nil { gone.insert(change.rowID) }
    }
    for change in later.rows {
      changed[change.rowID, default: []].formUnion(change.changedKeys)
      if change.old == nil && gone.contains(change.rowID) {
        changed[change.rowID] = Set(keys)
      }
    }

    let order = KeyOrder(keys)
    return ChangeSet(from: old, to: new, touching: changed.mapValues(order.sorted))
  }
}

/// The declaration order of keys. Names that are not declared come last, by
/// alphabet.
private struct KeyOrder {
  private var ranks: [String: Int] = [:]

  init(_ keys: [String]) {
    for (rank, key) in keys.enumerated() { ranks[key] = rank }
  }

  func sorted(_ keys: Set<String>) -> [String] {
    keys.sorted { left, right in
      let (leftRank, rightRank) = (ranks[left] ?? .max, ranks[right] ?? .max)
      return leftRank == rightRank ? left < right : leftRank < rightRank
    }
  }
}
