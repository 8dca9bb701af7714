import MohoChanges
import MohoMapping
import MohoStore

/// The rows of a result: all that meet its conditions, and those that its limit
/// and offset let through.
struct ResultsRows: Sendable {
  var all: OrderedIndex
  var visible: OrderedIndex
  /// Whether they are all. Else the first rows are there alone.
  var areAll = true
}

/// What a commit has made of a result.
struct ResultsStep: Sendable {
  /// How it was found out.
  enum Way: Sendable {
    case keptPlaces, placed, rescanned
  }

  let rows: ResultsRows
  /// What happened to those that are shown; nil where nothing did.
  let changes: FoundChanges?
  /// What the commit changed, or nil where that is not known.
  let touched: TouchedRows?
  let way: Way
}

extension ResultsQuery {
  /// The rows of the present state.
  func rows(_ reader: StoreReader) throws -> ResultsRows {
    let all = try scan(reader)
    return try ResultsRows(all: all, visible: visible.rows(of: all))
  }

  /// The rows of the first batch of the present state.
  ///
  /// - Complexity: O(*b*) for a batch of *b* rows where an index has the order,
  ///   else O(*n*) in the number of rows.
  func firstRows(_ reader: StoreReader) throws -> ResultsRows {
    let size = min(batchSize, visible.limit ?? .max)
    let (end, isBeyond) = visible.offset.addingReportingOverflow(size)
    guard !isBeyond, end < .max else { return try rows(reader) }
    // One more, which tells whether there are more.
    let some = try scan(reader, limit: end + 1)
    guard some.count > end else {
      return try ResultsRows(all: some, visible: visible.rows(of: some))
    }
    let page = VisibleRows(offset: visible.offset, limit: size)
    return try ResultsRows(all: some, visible: page.rows(of: some), areAll: false)
  }

  /// How many rows a commit has written at most of which each is looked at
  /// before anything else is.
  private static let fewRows = 16

  /// What a complete commit made of the rows of the result's own table, where
  /// they are few and nothing else that it wrote has a part in the result.
  func ownRows(
    of commit: CommittedChanges, _ reader: StoreReader
  ) throws -> [Int64: WrittenRow]? {
    guard commit.isComplete, statements.isOfItself else { return nil }
    guard let written = commit.tables[statements.tableName] else { return [:] }
    guard written.areAllKnown, written.before.count <= Self.fewRows else { return nil }
    return try reader.ownRows(of: statements, by: commit)
  }

  /// Whether what a commit made of a row has nothing to do with the result.
  func isUnconcerned(_ rowID: Int64, _ row: WrittenRow, in rows: ResultsRows) -> Bool {
    if row.before == row.after && row.before != .unknown { return true }
    guard rows.areAll, rows.all.position(of: rowID) == nil else { return false }
    return !statements.mayMove(row) || statements.excludes(row)
  }

  /// What a commit has made of the rows, or nil where it has nothing to do with
  /// them.
  ///
  /// - Parameters:
  ///   - isBehind: Whether earlier commits have not been taken into account.
  ///   - rescans: Whether all identities are read anew, whatever has changed.
  /// - Complexity: O(*k* log *n*) for *k* rows that the commit changed; O(*n*)
  ///   where they are many, or not known.
  func step(
    from old: ResultsRows, _ commit: CommittedChanges, isBehind: Bool, rescans: Bool,
    _ reader: StoreReader
  ) throws -> ResultsStep? {
    let isKnown = commit.isComplete && !isBehind
    let touched = isKnown ? try reader.touchedRows(of: statements, by: commit) : nil
    let rescans = rescans || !old.areAll
    switch CommitPlan(touched, count: old.all.count) {
    case .nothing: return nil
    case .keepPlaces where !rescans:
      return step(from: old, to: old, ChangeSet(), touched, .keptPlaces)
    case .place(let rowIDs) where !rescans:
      do {
        let (rows, changes) = try place(rowIDs, in: old, reader)
        return step(from: old, to: rows, changes, touched, .placed)
      } catch is OrderedIndexError {
        // The rows do not stand as they should, which reading them mends.
        return try rescan(from: old, touched, reader)
      }
    case .keepPlaces, .place, .rescan: return try rescan(from: old, touched, reader)
    }
  }

  /// Finds out where rows have come to stand.
  private func place(
    _ rowIDs: Set<Int64>, in old: ResultsRows, _ reader: StoreReader
  ) throws -> (ResultsRows, ChangeSet) {
    let places = try places(of: rowIDs, in: old.all, reader)
    let gone =
      places.count == rowIDs.count ? [] : Array(rowIDs.subtracting(places.map(\.rowID)))
    let (all, changes) = try old.all.updated(removing: gone, placing: places)
    if visible.areAll { return (ResultsRows(all: all, visible: all), changes) }
    let shown = try visible.updated(old.visible, from: old.all, to: all, touched: rowIDs)
    return (ResultsRows(all: all, visible: shown.index), shown.changes)
  }

  /// Where rows stand that are in the result, in order.
  private func places(
    of rowIDs: Set<Int64>, in all: OrderedIndex, _ reader: StoreReader
  ) throws -> [RowPlacement] {
    func place(_ rowID: Int64, after predecessor: Int64?, _ section: FieldContent) throws
      -> RowPlacement
    {
      RowPlacement(rowID, after: predecessor, section: isSectioned ? try SectionKey(section) : .all)
    }
    if let found = try reader.places(of: rowIDs, in: statements) {
      return try found.map { try place($0.rowID, after: $0.predecessor, $0.section) }
    }
    let finder = try reader.places(in: statements)
    return try reader.evaluate(rowIDs, in: statements).map { row in
      let predecessor =
        finder.hasIndex
        ? try finder.predecessor(of: row)
        : try all.lastRow(excluding: rowIDs) { try finder.precedes($0, row) }
      return try place(row.rowID, after: predecessor, row.section)
    }
  }

  private func rescan(
    from old: ResultsRows, _ touched: TouchedRows?, _ reader: StoreReader
  ) throws -> ResultsStep {
    let rows = try rows(reader)
    let (before, after) = (old.visible, rows.visible)
    let changes = FoundChanges { self.changes(from: before, to: after, touched) }
    // Whoever asks for the changes looks for them, where it is known that there
    // are some.
    let isKnownToChange = before.count != after.count
    return ResultsStep(
      rows: rows, changes: isKnownToChange || !changes.value.isEmpty ? changes : nil,
      touched: touched, way: .rescanned)
  }

  /// What happened between two lists that were read one by one.
  private func changes(
    from old: OrderedIndex, to new: OrderedIndex, _ touched: TouchedRows?
  ) -> ChangeSet {
    guard let touched else {
      return ChangeSet(from: old, to: new, changedKeys: allKeys(of: new))
    }
    let placed = Dictionary(touched.placed.map { ($0, [String]()) }, uniquingKeysWith: { $1 })
    return ChangeSet(from: old, to: new, changedKeys: placed)
      .addingContentChanges(changedKeys(touched, among: new), from: old, to: new)
  }

  private func step(
    from old: ResultsRows, to new: ResultsRows, _ changes: ChangeSet, _ touched: TouchedRows?,
    _ way: ResultsStep.Way
  ) -> ResultsStep {
    let contents = touched.map { changedKeys($0, among: new.visible) } ?? [:]
    let all = changes.addingContentChanges(contents, from: old.visible, to: new.visible)
    return ResultsStep(
      rows: new, changes: all.isEmpty ? nil : FoundChanges(all), touched: touched, way: way)
  }

  /// The keys whose values have changed, by row.
  private func changedKeys(
    _ touched: TouchedRows, among index: OrderedIndex
  ) -> [Int64: [String]] {
    var keys: [Int64: [String]] = [:]
    let hasRelated = !touched.related.isEmpty || !touched.unknownKeys.isEmpty
    // Rows of one commit mostly change in the same keys.
    var last: (columns: UInt64, keys: [String])?
    for (rowID, row) in touched.written where !row.isNewOrGone {
      if hasRelated {
        keys[rowID] = changedKeys(
          of: row, related: touched.unknownKeys.union(touched.related[rowID] ?? []))
      } else if let columns = changedColumns(of: row) {
        let known = last.flatMap { $0.columns == columns ? $0.keys : nil }
        let found = known ?? changedKeys(of: row)
        (keys[rowID], last) = (found, (columns, found))
      } else {
        keys[rowID] = changedKeys(of: row)
      }
    }
    for (rowID, related) in touched.related where touched.written[rowID] == nil {
      keys[rowID] = sorted(touched.unknownKeys.union(related))
    }
    if !touched.unknownKeys.isEmpty {
      let unknown = sorted(touched.unknownKeys)
      for rowID in index.rowIDs where keys[rowID] == nil { keys[rowID] = unknown }
    }
    return keys
  }
}
