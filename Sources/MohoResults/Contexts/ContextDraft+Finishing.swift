import MohoChanges
import MohoMapping
import MohoStore

extension ContextDraft {
  /// The state, and what has led to it.
  ///
  /// - Parameter rebuilds: Whether the list is made anew, however few rows may
  ///   have another place.
  mutating func finish(_ visible: VisibleRows, rebuilds: Bool) throws -> ContextStep {
    let rebuilds = rebuilds || isOfNewRequest
    let found: (rows: ResultsRows, changes: ChangeSet)
    if let list {
      found = try compare(list, wholeDifference(list), visible)
    } else if old.everything != nil {
      let list = try makeList()
      found = try compare(list, wholeDifference(list), visible)
    } else if old.isPlain, places.areNone, numbers.areIdentities, visible.areAll, !rebuilds {
      found = (ResultsRows(all: store.index, visible: store.index), commitChanges)
    } else {
      found = try update(visible, rebuilds: rebuilds)
    }
    let identities = renamed.compactMap { old, new in
      numbers.known(new.key).flatMap { found.rows.visible.path(of: $0) }
        .map { IdentityChange(path: $0, old: old, new: new) }
    }
    .sorted { $0.path < $1.path }
    let state = ContextState(
      store: store, pending: pending, places: places, everything: everything, numbers: numbers,
      rows: found.rows)
    return ContextStep(state: state, changes: found.changes, identities: identities)
  }

  /// Finds out where rows have come to stand that may have another place.
  private mutating func update(
    _ visible: VisibleRows, rebuilds: Bool
  ) throws -> (ResultsRows, ChangeSet) {
    let difference = try difference()
    let placed = difference.placed
    if rebuilds || CommitPlan.isMany(placed.count, of: old.rows.all.count) {
      return try compare(makeList(), difference, visible)
    }
    let staying = placed.compactMap { number in
      places.position(of: number, numbers).map { (number: number, position: $0) }
    }
    .sorted { $0.position < $1.position }
    let gone = placed.subtracting(staying.map(\.number))
    do {
      let (all, changes) = try old.rows.all.updated(
        removing: gone,
        placing: staying.map { places.place(of: $0.number, at: $0.position, numbers) })
      forget(gone)
      if visible.areAll {
        return (
          ResultsRows(all: all, visible: all), note(difference, in: changes, old.rows.all, all)
        )
      }
      let shown = try visible.updated(
        old.rows.visible, from: old.rows.all, to: all, touched: placed)
      return (
        ResultsRows(all: all, visible: shown.index),
        note(difference, in: shown.changes, old.rows.visible, shown.index)
      )
    } catch {
      // The rows do not stand as they should, which making the list mends.
      return try compare(makeList(), difference, visible)
    }
  }

  private mutating func makeList() throws -> OrderedIndex {
    if places.areNone && numbers.areIdentities { return store.index }
    var draft = self
    let list = try places.list { draft.number(of: .stored($0)) }
    self = draft
    return list
  }

  private mutating func compare(
    _ list: OrderedIndex, _ difference: ContextDifference, _ visible: VisibleRows
  ) throws -> (ResultsRows, ChangeSet) {
    let rows = try ResultsRows(all: list, visible: visible.rows(of: list))
    let placed =
      isOfNewRequest
      ? [:]
      : Dictionary(
        difference.placed.map { ($0, [String]()) }, uniquingKeysWith: { first, _ in first })
    let changes = ChangeSet(from: old.rows.visible, to: rows.visible, changedKeys: placed)
    forget(old.rows.all.rowIDs.filter { list.position(of: $0) == nil })
    return (rows, note(difference, in: changes, old.rows.visible, rows.visible))
  }

  private func note(
    _ difference: ContextDifference, in changes: ChangeSet, _ old: OrderedIndex,
    _ new: OrderedIndex
  ) -> ChangeSet {
    changes.addingContentChanges(
      difference.keys.mapValues { store.query.sorted($0) }, from: old, to: new)
  }
}
