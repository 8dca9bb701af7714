import MohoChanges
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
  let changes: ChangeSet
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
    let size = min(max(1, request.batchSize), visible.limit ?? .max)
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
    let found = try reader.evaluate(rowIDs, in: statements)
    let finder = try reader.places(in: statements)
    let places = try found.map { row in
      let predecessor =
        finder.hasIndex
        ? try finder.predecessor(of: row)
        : try old.all.lastRow(outside: rowIDs) { try finder.precedes($0, row) }
      return RowPlace(
        row.rowID, behind: predecessor, section: isSectioned ? try SectionKey(row.section) : .all)
    }
    let gone = rowIDs.subtracting(found.map(\.rowID))
    let (all, changes) = try old.all.updated(removing: gone, placing: places)
    if visible.areAll { return (ResultsRows(all: all, visible: all), changes) }
    let shown = try visible.updated(old.visible, from: old.all, to: all, touched: rowIDs)
    return (ResultsRows(all: all, visible: shown.index), shown.changes)
  }

  private func rescan(
    from old: ResultsRows, _ touched: TouchedRows?, _ reader: StoreReader
  ) throws -> ResultsStep {
    let rows = try rows(reader)
    guard let touched else {
      let changes = ChangeSet(
        from: old.visible, to: rows.visible, changedKeys: allKeys(of: rows.visible))
      return ResultsStep(rows: rows, changes: changes, touched: nil, way: .rescanned)
    }
    let placed = Dictionary(touched.placed.map { ($0, [String]()) }, uniquingKeysWith: { $1 })
    let changes = ChangeSet(from: old.visible, to: rows.visible, changedKeys: placed)
    return step(from: old, to: rows, changes, touched, .rescanned)
  }

  private func step(
    from old: ResultsRows, to new: ResultsRows, _ changes: ChangeSet, _ touched: TouchedRows?,
    _ way: ResultsStep.Way
  ) -> ResultsStep {
    let contents = touched.map { changedKeys($0, among: new.visible) } ?? [:]
    return ResultsStep(
      rows: new, changes: changes.noting(changedKeys: contents, from: old.visible, to: new.visible),
      touched: touched, way: way)
  }

  /// The keys whose values have changed, by row.
  private func changedKeys(
    _ touched: TouchedRows, among index: OrderedIndex
  ) -> [Int64: [String]] {
    var keys: [Int64: [String]] = [:]
    for (rowID, row) in touched.written where !row.isNewOrGone {
      keys[rowID] = changedKeys(
        of: row, related: touched.unknownKeys.union(touched.related[rowID] ?? []))
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
