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
    let staying = list.rowIDs.filter { old.rows.all.position(of: $0) != nil }.map { number in
      (
        number: number, was: old.row(number),
        isNow: everything.map { $0[number] } ?? places.entry(number)?.row
      )
    }
    let shown = try stored.rows(
      Set(
        staying.filter { $0.was == nil || $0.isNow == nil }.compactMap { storedKey(of: $0.number) })
    )
    for (number, was, isNow) in staying {
      let rowID = storedKey(of: number)
      let theirs = rowID.flatMap { shown[$0] }
      note(
        number, from: was ?? theirs, to: isNow ?? theirs,
        was == nil ? rowID.flatMap { commits[$0] } : nil, in: &difference)
    }
    return difference
  }

  /// The identity in the table of a row that has one.
  private func storedKey(of number: Int64) -> Int64? {
    if case .stored(let rowID) = numbers.key(of: number) { rowID } else { nil }
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
    // What has changed in a row that the store's result has lost or got is not
    // known, if the context has it before and after.
    let keys =
      record.old == nil || record.new == nil ? store.query.keyNames : record.changedKeys
    difference.keys[number, default: []].formUnion(keys)
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
