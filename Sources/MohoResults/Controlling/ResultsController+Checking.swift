package import MohoChanges
import MohoMapping

extension ResultsController {
  /// The last step, for tests that hold it against one found in another way.
  package var lastStep: (generation: Int, changes: ChangeSet) {
    follower.lastStep
  }

  /// What an update from a snapshot to the newest state would report, without
  /// waiting for one.
  package func changes(since snapshot: ResultsSnapshot<Model>) throws -> ChangeSet {
    try follower.newest(since: snapshot.state).changes.value
  }

  /// How many commits were taken into account without looking for places, by
  /// looking for those of single rows, and by reading all identities.
  package var stepCounts: (kept: Int, placed: Int, rescanned: Int) {
    let counts = follower.counts
    return (counts[.keptPlaces] ?? 0, counts[.placed] ?? 0, counts[.rescanned] ?? 0)
  }
}

extension ResultsSnapshot {
  /// Whether the model at a path is there without a look into the store.
  package func isKept(_ path: RowPath) -> Bool {
    index[path].map { follower.window.model(of: $0, in: generation) != nil } ?? false
  }
}
