import MohoChanges
import MohoMapping
import MohoRows

/// Builds a state of a result in a context from the previous one.
struct ContextStateBuilder<Model: MappedModel> {
  let old: ContextState
  let store: ResultsState
  let stored: ContextRowReader<Model>.StoredRows
  /// The changes of the store's rows, by row ID.
  let commits: [Int64: RowChange]
  let commitChanges: ChangeSet
  /// The rows that were unsaved in the previous state, by their current
  /// identities.
  private(set) var previousPending: [RowIdentity: ContextRow?]
  private(set) var pending: [RowIdentity: ContextRow?] = [:]
  private(set) var merged: MergedRows
  private(set) var contextRows: [Int64: ContextRow]?
  /// The list, if all rows come from the context.
  private(set) var list: OrderedIndex?
  /// The first rows of each group, or nil if the request does not limit groups.
  var firstRows: Set<RowIdentity>?
  private(set) var numbers: RowNumbers
  private(set) var renamed: [(old: RowIdentity, new: RowIdentity)] = []

  init(
    old: ContextState, store: ResultsState, commits: ChangeSet,
    stored: ContextRowReader<Model>.StoredRows
  ) {
    self.old = old
    self.store = store
    self.stored = stored
    commitChanges = commits
    self.commits = Dictionary(
      commits.rows.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    previousPending = old.pending
    merged = MergedRows(store.index)
    numbers = old.numbers
  }

  /// Whether the previous state has a different request. In this case, any row
  /// may have moved.
  var hasNewRequest: Bool { old.store.query !== store.query }

  /// Records the new identities of rows that were saved.
  mutating func rename(_ newIdentity: (RowIdentity) -> RowIdentity?) {
    let entity = store.query.result.tableName
    for key in numbers.temporaryKeys.sorted() {
      let identity = RowIdentity(entity: entity, key: key)
      guard let new = newIdentity(identity), !new.isTemporary else { continue }
      numbers.rename(key, to: new.key)
      renamed.append((identity, new))
    }
    for (old, new) in renamed {
      if let row = previousPending.removeValue(forKey: old) {
        previousPending.updateValue(row, forKey: new)
      }
    }
  }

  /// Returns the number of a row, and assigns one if necessary.
  mutating func number(of key: RowIdentity.Key) -> Int64 {
    let (new, former) = (store.index, old.rows.all)
    return numbers.number(of: key) {
      new.position(of: $0) != nil || former.position(of: $0) != nil
    }
  }

  /// Uses the context's rows for the whole list.
  mutating func useContextRows(
    _ rows: [ContextRow], section: (ContextRow) throws -> SectionKey
  ) throws {
    var builder = OrderedIndex.Builder(sectioned: store.index.isSectioned)
    var contextRows: [Int64: ContextRow] = [:]
    for row in rows {
      let number = number(of: row.identity.key)
      contextRows[number] = row
      try builder.append(number, section: section(row))
    }
    self.contextRows = contextRows
    list = builder.finish()
  }

  /// Merges unsaved rows into the rows of the store.
  mutating func merge(
    _ pending: [RowIdentity: ContextRow?], by reader: ContextRowReader<Model>,
    section: (ContextRow) throws -> SectionKey
  ) throws {
    self.pending = pending
    let hidden = Set(pending.keys.compactMap(\.stored))
    // A row whose content comes from the store again may be a closer anchor.
    let canReuseAnchors =
      !hasNewRequest && old.contextRows == nil && old.store.generation == store.generation
      && old.merged.hidden.isSubset(of: hidden)
    let rows = pending.values.compactMap { $0 }.sorted { reader.precedes($0, $1) }
    var entries: [MergedRows.Entry] = []
    var last: (anchor: Int64?, position: Int) = (nil, -1)
    for row in rows {
      let number = number(of: row.identity.key)
      var anchor: Int64?
      if canReuseAnchors, let known = old.merged.entry(number), known.row.hasPosition(of: row),
        known.anchor.map({ !hidden.contains($0) }) ?? true
      {
        anchor = known.anchor
      } else {
        anchor = try store.index.lastRow(excluding: hidden) { try stored.precedes($0, row) }
      }
      let position = anchor.flatMap { store.index.position(of: $0) } ?? -1
      // Anchors descend only if the comparison has read a commit that has not
      // been processed.
      if position >= last.position { last = (anchor, position) } else { anchor = last.anchor }
      entries.append(
        MergedRows.Entry(
          row: row, number: number, section: try section(row), anchor: anchor))
    }
    merged = MergedRows(store.index, hidden: hidden, entries: entries)
  }

  /// Releases the numbers of rows that are no longer in the list.
  mutating func removeNumbers(of rows: some Sequence<Int64>) {
    for number in rows { numbers.remove(number) }
  }
}
