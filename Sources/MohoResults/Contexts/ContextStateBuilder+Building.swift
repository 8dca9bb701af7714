import MohoChanges
import MohoMapping
import MohoRows

extension ContextStateBuilder {
  /// Returns the new state and the changes that lead to it.
  ///
  /// - Parameter rebuilds: Whether to rebuild the whole list, even if only a
  ///   few rows may have moved.
  mutating func build(_ window: RowWindow, rebuilds: Bool) throws -> ContextTransition {
    let rebuilds = rebuilds || hasNewRequest || firstRows != nil
    let found: (rows: ResultsRows, changes: ChangeSet)
    if let list {
      found = try compare(list, fullDifference(list), window)
    } else if old.contextRows != nil {
      let list = try makeList()
      found = try compare(list, fullDifference(list), window)
    } else if old.isUnmodified, merged.hasOnlyStoredRows, numbers.areRowIDs, window.includesAllRows,
      !rebuilds
    {
      found = (ResultsRows(all: store.index, visible: store.index), commitChanges)
    } else {
      found = try update(window, rebuilds: rebuilds)
    }
    let identities = renamed.compactMap { old, new in
      numbers.existingNumber(of: new.key).flatMap { found.rows.visible.path(of: $0) }
        .map { IdentityChange(path: $0, old: old, new: new) }
    }
    .sorted { $0.path < $1.path }
    let state = ContextState(
      store: store, pending: pending, merged: merged, contextRows: contextRows, numbers: numbers,
      rows: found.rows)
    return ContextTransition(state: state, changes: found.changes, identities: identities)
  }

  /// Updates the positions of the rows that may have moved.
  private mutating func update(
    _ window: RowWindow, rebuilds: Bool
  ) throws -> (ResultsRows, ChangeSet) {
    let difference = try difference()
    let candidates = difference.moveCandidates
    if rebuilds || RequiredUpdate.exceedsLookups(candidates.count, of: old.rows.all.count) {
      return try compare(makeList(), difference, window)
    }
    let staying = candidates.compactMap { number in
      merged.position(of: number, numbers).map { (number: number, position: $0) }
    }
    .sorted { $0.position < $1.position }
    let deleted = candidates.subtracting(staying.map(\.number))
    do {
      let (rows, changes) = try old.rows.updated(
        removing: deleted,
        placing: staying.map { merged.placement(of: $0.number, at: $0.position, numbers) },
        window, touched: candidates)
      removeNumbers(of: deleted)
      return (
        rows,
        changes.addingContentChanges(keys(of: difference), from: old.rows.visible, to: rows.visible)
      )
    } catch {
      // The order of the stored rows contradicts the list. Rebuilding the list
      // resolves this.
      return try compare(makeList(), difference, window)
    }
  }

  private mutating func makeList() throws -> OrderedIndex {
    if merged.hasOnlyStoredRows && numbers.areRowIDs { return store.index }
    var builder = self
    let list = try merged.list { builder.number(of: .stored($0)) }
    self = builder
    return list
  }

  private mutating func compare(
    _ list: OrderedIndex, _ difference: ContextDifference, _ window: RowWindow
  ) throws -> (ResultsRows, ChangeSet) {
    let rows = try rows(of: list, window)
    let changes = ChangeSet(
      from: old.rows.visible, to: rows.visible,
      moveCandidates: hasNewRequest ? [] : difference.moveCandidates,
      changedKeys: keys(of: difference))
    removeNumbers(of: old.rows.all.rowIDs.filter { list.position(of: $0) == nil })
    return (rows, changes)
  }

  private func rows(of list: OrderedIndex, _ window: RowWindow) throws -> ResultsRows {
    guard let firstRows else { return try ResultsRows(list, window) }
    let first = firstRows.compactMap { numbers.existingNumber(of: $0.key) }
    return try ResultsRows(list, window, Set(first))
  }

  private func keys(of difference: ContextDifference) -> [Int64: [String]] {
    difference.keys.mapValues { store.query.sorted($0) }
  }
}
