import Foundation
import MohoChanges
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting

/// Measures the time from the return of a one-row commit to the update of
/// controllers in another store.
struct PostgresFollowing {
  let server: PostgresServer
  let samples: Int

  /// - Returns: The added times in seconds, sorted.
  func times(rows: Int, controllers count: Int) async throws -> [Double] {
    let url = try server.emptySchema()
    let writer = try await ModelStore(postgres: url, models: FeedEpisode.self)
    try await writer.write { writer in
      for start in stride(from: 0, to: rows, by: 100_000) {
        try writer.save((start..<min(rows, start + 100_000)).map { FeedEpisode(number: $0) })
      }
    }
    try server.execute("ANALYZE")
    let watcher = try await ModelStore(postgres: url, models: FeedEpisode.self)
    let controllers = try (0..<count).map { _ in
      try ResultsController(ModelRequest<FeedEpisode>().order(by: \.id), in: watcher)
    }
    var updates = controllers.map { $0.updates(since: $0.snapshot).makeAsyncIterator() }
    let clock = ContinuousClock()
    var times: [Double] = []
    for sample in 0..<samples + 20 {
      var episode = FeedEpisode(number: (sample &* 7_919) % rows)
      episode.title += ", change \(sample)"
      let changed = episode
      try await writer.write { _ = try $0.save(changed) }
      let committed = clock.now
      for index in updates.indices {
        guard try await updates[index].next()?.changes.rows.count == 1 else {
          throw ChecksumMismatch(description: "an update does not have one row")
        }
      }
      // The first writes prepare statements.
      if sample >= 20 { times.append((clock.now - committed) / .seconds(1)) }
    }
    return times.sorted()
  }
}
