package import MohoChanges
import MohoMapping

extension ResultsController {
  /// The last transition. Tests compare it with one computed in another way.
  package var lastTransition: (generation: Int, changes: ChangeSet) {
    follower.lastTransition
  }

  /// The changes that an update from a snapshot to the newest state would
  /// report. Does not wait for a newer state.
  package func changes(since snapshot: ResultsSnapshot<Model>) throws -> ChangeSet {
    try follower.newest(since: snapshot.state).changes.value
  }

  /// The number of commits that were followed with each strategy.
  package var strategyCounts: (contentOnly: Int, repositioned: Int, rescanned: Int) {
    let counts = follower.strategyCounts
    return (counts[.contentOnly] ?? 0, counts[.repositioned] ?? 0, counts[.rescanned] ?? 0)
  }
}

extension ResultsSnapshot {
  /// Whether the model at a path is available without reading from the store.
  package func isModelCached(at path: RowPath) -> Bool {
    index[path].map { follower.history.model(of: $0, in: generation) != nil } ?? false
  }
}
