import MohoChanges
import MohoMapping
import MohoRows

/// The rows of a result in a context that differ from the previous state, by
/// number.
struct ContextDifference {
  /// The rows that may have been inserted, deleted or moved.
  var moveCandidates: Set<Int64> = []
  /// The names of the keys whose values differ.
  var keys: [Int64: Set<String>] = [:]
}

extension ContextStateBuilder {
  private var mapping: Mapping<Model> { Model.mapping }

  /// Returns the difference between the states if the content of all rows comes
  /// from the store, except for the unsaved rows.
  mutating func difference() throws -> ContextDifference {
    var difference = ContextDifference()
    let changed = Set(previousPending.keys).union(pending.keys).filter { isChanged($0) }
    let storedRows = try stored.rows(
      Set(
        changed.filter { previousPending[$0] == nil || pending[$0] == nil }.compactMap(\.stored)))
    for identity in changed {
      let commit = identity.stored.flatMap { commits[$0] }
      let storedRow = identity.stored.flatMap { storedRows[$0] }
      let oldRow = previousPending[identity] ?? storedRow
      let newRow = pending[identity] ?? storedRow
      if identity.isTemporary, numbers.existingNumber(of: identity.key) == nil { continue }
      let number = number(of: identity.key)
      let wasVisible = old.rows.all.position(of: number) != nil
      let isVisible = merged.position(of: number, numbers) != nil
      guard wasVisible || isVisible else { continue }
      record(
        number, from: wasVisible ? oldRow : nil, to: isVisible ? newRow : nil,
        previousPending[identity] == nil ? commit : nil, in: &difference)
    }
    for (rowID, change) in commits {
      let identity = RowIdentity(entity: store.query.result.tableName, stored: rowID)
      if previousPending[identity] != nil || pending[identity] != nil { continue }
      record(change, of: number(of: identity.key), in: &difference)
    }
    difference.moveCandidates.formUnion(misplacedEntries)
    return difference
  }

  /// The unsaved rows whose positions among the unchanged rows differ. This
  /// happens if the previous state read a commit of another process before the
  /// commit was detected.
  private var misplacedEntries: [Int64] {
    if old.store.generation == store.generation { return [] }
    let hidden = old.merged.hidden.union(merged.hidden)
    func untouchedRow(upTo anchor: Int64?, in list: OrderedIndex) -> Int64? {
      var position = anchor.flatMap { list.position(of: $0) } ?? -1
      while position >= 0 {
        let rowID = list.rowIDs[position]
        if commits[rowID] == nil && !hidden.contains(rowID) { return rowID }
        position -= 1
      }
      return nil
    }
    return merged.entries.filter { entry in
      guard let former = old.merged.entry(entry.number) else { return false }
      return untouchedRow(upTo: former.anchor, in: old.merged.stored)
        != untouchedRow(upTo: entry.anchor, in: store.index)
    }
    .map(\.number)
  }

  /// Returns the difference between the states if all rows of one of them come
  /// from the context.
  mutating func fullDifference(_ list: OrderedIndex) throws -> ContextDifference {
    var difference = ContextDifference()
    let staying = list.rowIDs.filter { old.rows.all.position(of: $0) != nil }.map { number in
      (
        number: number, old: old.row(number),
        new: contextRows.map { $0[number] } ?? merged.entry(number)?.row
      )
    }
    let storedRows = try stored.rows(
      Set(
        staying.filter { $0.old == nil || $0.new == nil }.compactMap { storedRowID(of: $0.number) })
    )
    for (number, oldRow, newRow) in staying {
      let rowID = storedRowID(of: number)
      let storedRow = rowID.flatMap { storedRows[$0] }
      record(
        number, from: oldRow ?? storedRow, to: newRow ?? storedRow,
        oldRow == nil ? rowID.flatMap { commits[$0] } : nil, in: &difference)
    }
    return difference
  }

  private func storedRowID(of number: Int64) -> Int64? {
    if case .stored(let rowID) = numbers.key(of: number) { rowID } else { nil }
  }

  /// - Parameter commit: The change that a commit made to a row whose content
  ///   came from the store. The old content of such a row is not available
  ///   otherwise.
  private func record(
    _ number: Int64, from old: ContextRow?, to new: ContextRow?, _ commit: RowChange?,
    in difference: inout ContextDifference
  ) {
    guard let old, let new else {
      difference.moveCandidates.insert(number)
      return
    }
    let keys = Set(old.changedKeys(to: new, keys: mapping.keys))
    if !keys.isEmpty { difference.keys[number] = keys }
    if !old.hasPosition(of: new) || old.identity != new.identity {
      difference.moveCandidates.insert(number)
    }
    if let commit { record(commit, of: number, in: &difference) }
  }

  private func record(
    _ commit: RowChange, of number: Int64, in difference: inout ContextDifference
  ) {
    // If the row entered or left the store's result, but is in the context's
    // result before and after, the changed keys cannot be determined.
    let keys =
      commit.old == nil || commit.new == nil ? store.query.keyNames : commit.changedKeys
    difference.keys[number, default: []].formUnion(keys)
    if commit.kind != .update
      || !store.query.result.sources.positionColumns.isDisjoint(with: commit.changedKeys)
    {
      difference.moveCandidates.insert(number)
    }
  }

  private func isChanged(_ identity: RowIdentity) -> Bool {
    switch (previousPending[identity], pending[identity]) {
    case (nil, nil): false
    case (let old??, let new??):
      !old.hasPosition(of: new) || !old.changedKeys(to: new, keys: mapping.keys).isEmpty
    case (.some(nil), .some(nil)): false
    default: true
    }
  }
}
