import MohoChanges
import MohoMapping
import MohoRows
import Synchronization

extension ResultsFollower {
  /// Updates the summaries of the sections after a commit, and returns them. Nil without
  /// summaries.
  ///
  /// - Parameters:
  ///   - commit: The commit, or nil if earlier commits could not be processed.
  ///   - transition: The transition that the commit causes, or nil if it does not affect the
  ///     rows of the result.
  func updateSummaries(
    after old: State, _ commit: CommittedChanges?, _ transition: ResultsTransition?,
    _ reader: StoreReader
  ) throws -> SectionSummaries? {
    guard let query = old.query.summaries else { return nil }
    let touched = try commit.flatMap { commit in
      commit.hasAllTables ? try reader.touchedRows(of: query.result, by: commit) : nil
    }
    // Taken from the lock, so that the values are changed in place.
    var live = summaries.withLock { live in
      defer { live = nil }
      return live
    }
    defer { summaries.withLock { [live] in $0 = live } }
    let isKnown = transition?.strategy != .rescanned
    try live?.update(
      touched.flatMap { $0.hasAllMoveCandidates ? $0.moveCandidates : nil },
      from: old.rows, to: transition?.rows ?? old.rows,
      isKnown ? transition?.changes?.value ?? ChangeSet() : nil, query.storedValues(reader))
    return live?.sections
  }

  /// Returns a change set with the records of rows and of sections whose summaries differ.
  ///
  /// - Parameters:
  ///   - rowChanges: The changes of the visible rows, or nil if no row has changed.
  ///   - old: The state before the changes.
  ///   - rows: The rows after the changes.
  ///   - summaries: The summaries after the changes, or nil without summaries.
  /// - Returns: Nil if no row and no summary has changed.
  static func changes(
    _ rowChanges: LazyChangeSet?, from old: State, to rows: ResultsRows,
    _ summaries: SectionSummaries?
  ) -> LazyChangeSet? {
    guard let summaries else { return rowChanges }
    let (former, list) = (old.summaries, rows.visible)
    if let rowChanges {
      return LazyChangeSet {
        rowChanges.value.addingSectionUpdates(
          summaries.changes(since: former, in: list, rowChanges.value))
      }
    }
    let changes = summaries.changes(since: former, in: list, ChangeSet())
    return changes.isEmpty ? nil : LazyChangeSet(ChangeSet(sections: changes))
  }
}
