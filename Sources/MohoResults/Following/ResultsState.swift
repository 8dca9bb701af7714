import MohoChanges

/// The rows of a result: all rows that satisfy the conditions, and the rows
/// within the limit and the offset.
struct ResultsRows: Sendable {
  var all: OrderedIndex
  var visible: OrderedIndex
  /// Whether all rows have been read. False if only the first batch has been
  /// read.
  var isComplete = true
}

extension ResultsRows {
  init(_ all: OrderedIndex, _ window: RowWindow) throws(OrderedIndexError) {
    self.init(all: all, visible: try window.visibleRows(of: all))
  }

  /// - Parameter rowIDs: The rows that the window may contain.
  init(
    _ all: OrderedIndex, _ window: RowWindow, keeping rowIDs: Set<Int64>
  ) throws(OrderedIndexError) {
    var kept = OrderedIndex.Builder(sectioned: all.isSectioned)
    for section in 0..<all.sectionCount {
      let rows = all.rowIDs(inSection: section).filter(rowIDs.contains)
      try kept.append(contentsOf: rows, section: all.sectionKey(at: section) ?? .all)
    }
    self.init(all: all, visible: try window.visibleRows(of: kept.finish()))
  }

  /// Returns the rows after an update, and the changes of the visible rows.
  ///
  /// - Parameters:
  ///   - removed: The touched rows that are no longer in the list.
  ///   - placements: All other touched rows, in their order in the new list.
  func updated(
    removing removed: some Sequence<Int64>, placing placements: [RowPlacement], _ window: RowWindow,
    touched: Set<Int64>
  ) throws(OrderedIndexError) -> (ResultsRows, ChangeSet) {
    let (newRows, changes) = try all.updated(removing: removed, placing: placements)
    if window.includesAllRows { return (ResultsRows(all: newRows, visible: newRows), changes) }
    let shown = try window.updated(visible, from: all, to: newRows, touched: touched)
    return (ResultsRows(all: newRows, visible: shown.index), shown.changes)
  }
}

/// One state of a result: its rows and their positions.
final class ResultsState: Sendable {
  let query: ResultsQuery
  /// The number of earlier states of the result.
  let generation: Int
  let rows: ResultsRows
  /// The summaries of the sections, or nil without summaries.
  let summaries: SectionSummaries?
  /// A token that marks the generation as in use.
  let token: GenerationToken
  let sectionCache = SectionCache()

  init(
    query: ResultsQuery, generation: Int, rows: ResultsRows, summaries: SectionSummaries?,
    token: GenerationToken
  ) {
    (self.query, self.generation, self.rows) = (query, generation, rows)
    (self.summaries, self.token) = (summaries, token)
  }

  /// The visible rows.
  var index: OrderedIndex { rows.visible }
}
