import MohoChanges
import MohoMapping
import MohoStore

/// The rows of a result in a context that are not as they were, by their
/// numbers.
struct ContextDifference {
  /// Those that may have come or gone or have another place.
  var placed: Set<Int64> = []
  /// The names of the keys whose values differ.
  var keys: [Int64: Set<String>] = [:]
}

extension ContextDraft {
  private var mapping: Mapping<Model> { Model.mapping }

  /// What differs where rows are shown as the store has them but for some.
  mutating func difference() throws -> ContextDifference {
    var difference = ContextDifference()
    let changed = Set(before.keys).union(pending.keys).filter { isChanged($0) }
    let shown = try stored.rows(
      Set(
        changed.filter { before[$0] == nil || pending[$0] == nil }.compactMap(\.stored)))
    for identity in changed {
      let record = identity.stored.flatMap { commits[$0] }
      let theirs = identity.stored.flatMap { shown[$0] }
      let was = before[identity] ?? theirs
      let isNow = pending[identity] ?? theirs
      if identity.isTemporary, numbers.known(identity.key) == nil { continue }
      let number = number(of: identity.key)
      let wasShown = old.rows.all.position(of: number) != nil
      let isShown = places.position(of: number, numbers) != nil
      guard wasShown || isShown else { continue }
      note(
        number, from: wasShown ? was : nil, to: isShown ? isNow : nil,
        before[identity] == nil ? record : nil, in: &difference)
    }
    for (rowID, record) in commits {
      let identity = RowIdentity(entity: store.query.statements.tableName, stored: rowID)
      if before[identity] != nil || pending[identity] != nil { continue }
      note(record, of: number(of: identity.key), in: &difference)
    }
    difference.placed.formUnion(misplacedEntries)
    return difference
  }

  /// The rows that are not saved and stood elsewhere among the rows that nobody
  /// has touched: they were placed when a commit of another process had been
  /// read that was not yet known.
  private var misplacedEntries: [Int64] {
    if old.store.generation == store.generation { return [] }
    let hidden = old.places.hidden.union(places.hidden)
    func untouched(_ anchor: Int64?, in list: OrderedIndex) -> Int64? {
      var position = anchor.flatMap { list.position(of: $0) } ?? -1
      while position >= 0 {
        let rowID = list.rowIDs[position]
        if commits[rowID] == nil && !hidden.contains(rowID) { return rowID }
        position -= 1
      }
      return nil
    }
    return places.entries.filter { entry in
      guard let was = old.places.entry(entry.number) else { return false }
      return untouched(was.anchor, in: old.places.stored)
        != untouched(entry.anchor, in: store.index)
    }
    .map(\.number)
  }

  /// What differs where all rows are, or were, shown as the context has them.
  mutating func wholeDifference(_ list: OrderedIndex) throws -> ContextDifference {
    var difference = ContextDifference()
    var theirs: [Int64: ContextRow] = [:]
    if old.everything == nil || everything == nil {
      for row in try stored.all() { theirs[number(of: row.identity.key)] = row }
    }
    for number in list.rowIDs where old.rows.all.position(of: number) != nil {
      let shown = everything.map { $0[number] } ?? places.entry(number)?.row
      var record: RowChange?
      if old.row(number) == nil, case .stored(let rowID) = numbers.key(of: number) {
        record = commits[rowID]
      }
      note(
        number, from: old.row(number) ?? theirs[number], to: shown ?? theirs[number], record,
        in: &difference)
    }
    return difference
  }

  /// - Parameter record: What a commit has made of the row, where it was shown as
  ///   the store had it: of that state, no more is known.
  private func note(
    _ number: Int64, from old: ContextRow?, to new: ContextRow?, _ record: RowChange?,
    in difference: inout ContextDifference
  ) {
    guard let old, let new else {
      difference.placed.insert(number)
      return
    }
    let keys = Set(old.changedKeys(to: new, keys: mapping.keys))
    if !keys.isEmpty { difference.keys[number] = keys }
    if !old.isPlaced(as: new) || old.identity != new.identity { difference.placed.insert(number) }
    if let record { note(record, of: number, in: &difference) }
  }

  private func note(
    _ record: RowChange, of number: Int64, in difference: inout ContextDifference
  ) {
    difference.keys[number, default: []].formUnion(record.changedKeys)
    if record.kind != .update
      || !store.query.statements.sources.placeColumns.isDisjoint(with: record.changedKeys)
    {
      difference.placed.insert(number)
    }
  }

  private func isChanged(_ identity: RowIdentity) -> Bool {
    switch (before[identity], pending[identity]) {
    case (nil, nil): false
    case (let old??, let new??):
      !old.isPlaced(as: new) || !old.changedKeys(to: new, keys: mapping.keys).isEmpty
    case (.some(nil), .some(nil)): false
    default: true
    }
  }
}
