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
  /// - A value of a summary is changed in the same cases. If a section was deleted
  ///   and inserted, all values of its summary count as changed.
  /// - Moves are computed from the two states, so their number is minimal.
  ///
  /// - Parameters:
  ///   - later: What happened after this change set.
  ///   - old: The list before this change set.
  ///   - new: The list after the later one.
  ///   - keys: The names of all keys, in declaration order.
  ///   - summaryKeys: The names of all values of the summaries of sections, in order.
  /// - Complexity: O(*k* log *n*) for *k* records, O(*n*) where just one of the
  ///   lists is sectioned or the change sets do not lead from `old` to `new`. With
  ///   summaries, O(*s*) for *s* sections in addition.
  public func followed(
    by later: ChangeSet, from old: OrderedIndex, to new: OrderedIndex, keys: [String],
    summaryKeys: [String] = []
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
      .addingSectionUpdates(changedSummaries(and: later, summaryKeys), in: new)
  }

  /// Returns the names of the changed values of summaries, by section.
  private func changedSummaries(
    and later: ChangeSet, _ summaryKeys: [String]
  ) -> [SectionKey: [String]] {
    var changed: [SectionKey: Set<String>] = [:]
    for section in sections + later.sections where section.kind == .update {
      changed[section.key, default: []].formUnion(section.changedKeys)
    }
    for section in sections + later.sections where section.kind == .insert {
      changed[section.key] = Set(summaryKeys)
    }
    return changed.mapValues(KeyOrder(summaryKeys).sorted)
  }

  /// Returns the change set with records of the sections that are in both lists.
  private func addingSectionUpdates(
    _ changed: [SectionKey: [String]], in new: OrderedIndex
  ) -> ChangeSet {
    if changed.isEmpty { return self }
    let inserted = Set(sections.map(\.key))
    let updates = new.sectionKeys.enumerated().compactMap { index, key -> SectionChange? in
      guard let keys = changed[key], !keys.isEmpty, !inserted.contains(key) else { return nil }
      return SectionChange(kind: .update, key: key, index: index, changedKeys: keys)
    }
    return addingSectionUpdates(updates)
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
