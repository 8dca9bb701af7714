import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite

/// A list whose change set is received directly after each write.
struct ObservedList {
  let controller: ResultsController<ListedEpisode>
  private var updates: ResultsUpdates<ListedEpisode>.AsyncIterator
  private var generation: Int

  init(_ controller: ResultsController<ListedEpisode>) {
    self.controller = controller
    let snapshot = controller.snapshot
    generation = snapshot.generation
    updates = controller.updates(since: snapshot).makeAsyncIterator()
  }

  /// Returns the change set of the last write.
  mutating func next() async throws -> ResultsUpdate<ListedEpisode> {
    // Without a new generation, the next update would never arrive.
    guard controller.snapshot.generation > generation, let update = try await updates.next() else {
      throw ChecksumMismatch(description: "the write did not change the list")
    }
    generation = update.after.generation
    return update
  }
}

extension ResultsUpdate {
  /// Returns the ID of the row before a row in the new list: 0 if it is the
  /// first row, -1 if it was deleted. `nil` unless the row has the only record.
  func predecessor(of row: Int64) -> Int64? {
    guard changes.rows.count == 1, changes.rows[0].rowID == row else { return nil }
    guard let path = changes.rows[0].new else { return -1 }
    guard let position = after.index.position(of: path), after.index.rowIDs[position] == row else {
      return nil
    }
    return position == 0 ? 0 : after.index.rowIDs[position - 1]
  }
}
