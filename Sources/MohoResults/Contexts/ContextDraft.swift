import MohoChanges
import MohoMapping
import MohoStore

/// A state of a result in a context that is being made of the one before.
struct ContextDraft<Model: MappedModel> {
  let old: ContextState
  let store: ResultsState
  let stored: ContextReader<Model>.StoredRows
  /// What has happened to rows of the store, by their identities.
  let commits: [Int64: RowChange]
  let commitChanges: ChangeSet
  /// The rows that were not saved before, by the identities that they have now.
  private(set) var before: [RowIdentity: ContextRow?]
  private(set) var pending: [RowIdentity: ContextRow?] = [:]
  private(set) var places: PendingPlaces
  private(set) var everything: [Int64: ContextRow]?
  /// The list, where all rows are the context's.
  private(set) var list: OrderedIndex?
  private(set) var numbers: RowNumbers
  private(set) var renamed: [(old: RowIdentity, new: RowIdentity)] = []

  init(
    old: ContextState, store: ResultsState, commits: ChangeSet,
    stored: ContextReader<Model>.StoredRows
  ) {
    self.old = old
    self.store = store
    self.stored = stored
    commitChanges = commits
    self.commits = Dictionary(
      commits.rows.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    before = old.pending
    places = PendingPlaces(store.index, hidden: [], entries: [])
    numbers = old.numbers
  }

  /// Whether the state before is of another request, so that any row may have
  /// another place.
  var isOfNewRequest: Bool { old.store.query !== store.query }

  /// Takes rows that were saved by the identities that they have got.
  mutating func rename(_ newIdentity: (RowIdentity) -> RowIdentity?) {
    let entity = store.query.statements.tableName
    for key in numbers.temporary.sorted() {
      let identity = RowIdentity(entity: entity, key: key)
      guard let new = newIdentity(identity), !new.isTemporary else { continue }
      numbers.rename(key, to: new.key)
      renamed.append((identity, new))
    }
    for (old, new) in renamed {
      if let row = before.removeValue(forKey: old) { before.updateValue(row, forKey: new) }
    }
  }

  /// The number of a row, which gets one if need be.
  mutating func number(of key: RowIdentity.Key) -> Int64 {
    let (one, other) = (store.index, old.rows.all)
    return numbers.number(of: key) {
      one.position(of: $0) != nil || other.position(of: $0) != nil
    }
  }

  /// Shows all rows as the context has them.
  mutating func show(
    _ rows: [ContextRow], section: (ContextRow) throws -> SectionKey
  ) throws {
    var builder = OrderedIndex.Builder(sectioned: store.index.isSectioned)
    var everything: [Int64: ContextRow] = [:]
    for row in rows {
      let number = number(of: row.identity.key)
      everything[number] = row
      try builder.append(number, section: section(row))
    }
    self.everything = everything
    list = builder.finish()
  }

  /// Shows rows that are not saved among those of the store.
  mutating func place(
    _ pending: [RowIdentity: ContextRow?], by reader: ContextReader<Model>,
    section: (ContextRow) throws -> SectionKey
  ) throws {
    self.pending = pending
    let hidden = Set(pending.keys.compactMap(\.stored))
    // Rows of the store that are shown as such again may be nearer.
    let isKept =
      !isOfNewRequest && old.everything == nil && old.store.generation == store.generation
      && old.places.hidden.isSubset(of: hidden)
    let rows = pending.values.compactMap { $0 }.sorted { reader.precedes($0, $1) }
    var entries: [PendingPlaces.Entry] = []
    var last: (anchor: Int64?, position: Int) = (nil, -1)
    for row in rows {
      let number = number(of: row.identity.key)
      var anchor: Int64?
      if isKept, let known = old.places.entry(number), known.row.isPlaced(as: row),
        known.anchor.map({ !hidden.contains($0) }) ?? true
      {
        anchor = known.anchor
      } else {
        anchor = try store.index.lastRow(excluding: hidden) { try stored.precedes($0, row) }
      }
      let position = anchor.flatMap { store.index.position(of: $0) } ?? -1
      // Not so only where a commit has been read that is not yet known.
      if position >= last.position { last = (anchor, position) } else { anchor = last.anchor }
      entries.append(
        PendingPlaces.Entry(
          row: row, number: number, section: try section(row), anchor: anchor))
    }
    places = PendingPlaces(store.index, hidden: hidden, entries: entries)
  }

  /// Forgets the numbers of rows that are not shown any more.
  mutating func forget(_ gone: some Sequence<Int64>) {
    for number in gone { numbers.forget(number) }
  }
}
