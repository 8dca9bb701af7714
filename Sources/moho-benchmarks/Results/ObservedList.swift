import MohoChanges
import MohoResults
import MohoStore

/// A list that is followed: what each write has changed is asked for as soon as
/// the write is over.
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

  /// The change set of what has been written.
  mutating func next() async throws -> ResultsUpdate<ListedEpisode> {
    // Waiting for what does not come would take forever.
    guard controller.snapshot.generation > generation, let update = try await updates.next() else {
      throw ChecksumMismatch(description: "the write has changed nothing of the list")
    }
    generation = update.after.generation
    return update
  }
}

extension ResultsUpdate {
  /// The row before one in the new order: 0 where it is the first, -1 where it
  /// is gone. Nil unless it is the only row that was touched.
  func predecessor(of row: Int64) -> Int64? {
    guard changes.rows.count == 1, changes.rows[0].rowID == row else { return nil }
    guard let path = changes.rows[0].new else { return -1 }
    guard let position = after.index.position(of: path), after.index.rowIDs[position] == row else {
      return nil
    }
    return position == 0 ? 0 : after.index.rowIDs[position - 1]
  }
}
