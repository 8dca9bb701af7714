import MohoChanges
import MohoMapping
import MohoRows

/// Follows the summaries of the sections of a result in a context.
///
/// Not `Sendable`, like the context.
final class ContextSummaries {
  /// Nil before the first state, and after an error.
  private var live: LiveSummaries?

  /// Returns the summaries of a state, or nil if its request has none.
  ///
  /// - Parameters:
  ///   - old: The previous state.
  ///   - changes: The changes from the previous state.
  ///   - commits: The changes of the store's rows.
  /// - Complexity: O((*p* + *k*) log *n*) for *p* unsaved rows and *k* changed rows. O(*n*) if
  ///   all rows come from the context, or if a commit may have changed related rows.
  func summaries(
    of state: ContextState, after old: ContextState, _ changes: ChangeSet, _ commits: ChangeSet,
    _ reader: StoreReader
  ) throws -> SectionSummaries? {
    guard let query = state.store.query.summaries else { return nil }
    let values = ContextSummaryValues(state: state, stored: query.storedValues(reader))
    // Taken, so that the values are changed in place.
    var next = live
    live = nil
    if let known = next?.sections, let former = old.summaries, known.isEqual(to: former),
      old.store.query === state.store.query
    {
      try next?.update(
        Self.touchedRows(old, state, commits), from: old.rows, to: state.rows, changes, values)
    } else {
      next = try LiveSummaries(query, of: state.rows, values)
    }
    live = next
    return next?.sections
  }

  /// Returns the rows whose values may have changed, or nil if they are not known.
  private static func touchedRows(
    _ old: ContextState, _ new: ContextState, _ commits: ChangeSet
  ) -> Set<Int64>? {
    if old.contextRows != nil || new.contextRows != nil { return nil }
    let readsRelatedRows = new.store.query.summaries?.result.readsOnlyOwnTable == false
    if readsRelatedRows && old.store !== new.store { return nil }
    var rows: Set<Int64> = []
    for state in [old, new] {
      rows.formUnion(state.pending.keys.compactMap { state.numbers.existingNumber(of: $0.key) })
    }
    return rows.union(
      commits.rows.compactMap { new.numbers.existingNumber(of: .stored($0.rowID)) })
  }
}

/// The values of the rows of a context that summaries are computed from. The values of rows
/// without unsaved changes come from the store.
private struct ContextSummaryValues: SummaryValues {
  let state: ContextState
  let stored: SummaryQuery.StoredValues

  func forEachRow(_ body: Body) throws {
    if let rows = state.contextRows {
      for (number, row) in rows { try body(number, row.summaryValues) }
      return
    }
    try stored.forEachRow { rowID, values in
      guard !state.merged.hidden.contains(rowID),
        let number = state.numbers.existingNumber(of: .stored(rowID))
      else { return }
      try body(number, values)
    }
    for entry in state.merged.entries { try body(entry.number, entry.row.summaryValues) }
  }

  func forEachRow(among rows: Set<Int64>, _ body: Body) throws {
    var numbers: [Int64: Int64] = [:]
    for number in rows {
      if let row = state.row(number) {
        try body(number, row.summaryValues)
      } else if case .stored(let rowID) = state.numbers.key(of: number) {
        numbers[rowID] = number
      }
    }
    try stored.forEachRow(among: Set(numbers.keys)) { rowID, values in
      if let number = numbers[rowID] { try body(number, values) }
    }
  }
}
