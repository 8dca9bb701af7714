public import MohoChanges
import MohoMapping

extension GroupsSnapshot {
  /// Returns the changes from an earlier snapshot of the same iteration to this one.
  ///
  /// There is one record for each group that is new, gone, moved or changed. A group that
  /// moves and changes has one record. The changed keys of a record are the names of
  /// aggregates, as in its values. Paths in old space refer to the earlier snapshot. The
  /// number of moves is minimal.
  ///
  /// - Parameter old: An earlier snapshot, or an empty one.
  /// - Throws: A ``ResultsError`` if the earlier snapshot comes from another iteration.
  /// - Complexity: O(*k* log *g*) for *k* changed groups among *g*. O(*g*) if more than about
  ///   a hundred groups have changed between the snapshots.
  public func changes(since old: GroupsSnapshot) throws -> ChangeSet {
    if let source, let oldSource = old.source, source !== oldSource {
      throw ResultsError(
        code: .foreignSnapshot,
        reason: "the snapshot comes from another iteration; compare with an empty snapshot")
    }
    let touched = source === old.source ? log.groups(since: old.log.generation) : nil
    var candidates: Set<Int64> = []
    var changedKeys: [Int64: [String]] = [:]
    for group in touched ?? Set(index.rowIDs).union(old.index.rowIDs) {
      let (before, after) = (old.values[group], values[group])
      if before.isEmpty || after.isEmpty {
        candidates.insert(group)
      } else if before != after {
        changedKeys[group] = names.indices.filter { before[$0] != after[$0] }.map { names[$0] }
        if orderingColumns.contains(where: { before[$0] != after[$0] }) {
          candidates.insert(group)
        }
      }
    }
    if touched != nil,
      let crossing = window.rowsCrossingEdges(
        from: old.index, to: index, touchedCount: candidates.count)
    {
      candidates.formUnion(crossing)
      return ChangeSet(
        from: old.index, to: index, touching: Dictionary(moveCandidates: candidates)
      )
      .addingContentChanges(changedKeys, from: old.index, to: index)
    }
    return ChangeSet(
      from: old.index, to: index, moveCandidates: candidates, changedKeys: changedKeys)
  }

  /// Whether the groups and their values are those of an earlier snapshot.
  func isEqual(to old: GroupsSnapshot) -> Bool {
    if source === old.source {
      if log.generation == old.log.generation { return true }
      // A changed value decides without a search for moves.
      if let touched = log.groups(since: old.log.generation),
        touched.contains(where: { hasVisibleChange($0, since: old) })
      {
        return false
      }
    }
    return (try? changes(since: old).isEmpty) ?? false
  }

  private func hasVisibleChange(_ group: Int64, since old: GroupsSnapshot) -> Bool {
    values[group] != old.values[group]
      && (index.position(of: group) != nil || old.index.position(of: group) != nil)
  }
}
