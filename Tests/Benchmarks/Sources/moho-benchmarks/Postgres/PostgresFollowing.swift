import Foundation
import MohoChanges
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting

/// Measures the time from the return of a one-row commit to the update of
/// controllers or of totals in another store.
struct PostgresFollowing {
  let server: PostgresServer
  let samples: Int

  /// - Returns: The added times in seconds, sorted.
  func times(rows: Int, controllers count: Int) async throws -> [Double] {
    let (writer, watcher) = try await stores(rows: rows)
    let controllers = try (0..<count).map { _ in
      try ResultsController(ModelRequest<FeedEpisode>().order(by: \.id), in: watcher)
    }
    var updates = controllers.map { $0.updates(since: $0.snapshot).makeAsyncIterator() }
    return try await times(rows: rows, writer) {
      for index in updates.indices {
        guard try await updates[index].next()?.changes.rows.count == 1 else {
          throw ChecksumMismatch(description: "an update does not have one row")
        }
      }
    }
  }

  /// Measures the time to observed totals of all rows.
  ///
  /// - Returns: The added times in seconds, sorted.
  func timesOfTotals(rows: Int) async throws -> [Double] {
    let (writer, watcher) = try await stores(rows: rows)
    let totals = ValueQuery<ValueRow>.aggregates(ModelRequest<FeedEpisode>()) {
      [.count, .sum($0.duration), .maximum($0.title)]
    }
    var values = watcher.observe(totals).makeAsyncIterator()
    guard let first = try await values.next(), first["count"] == .int64(Int64(rows)) else {
      throw ChecksumMismatch(description: "the totals do not count all rows")
    }
    return try await times(rows: rows, writer) {
      guard try await values.next() != nil else {
        throw ChecksumMismatch(description: "the totals ended")
      }
    }
  }

  private func stores(rows: Int) async throws -> (writer: ModelStore, watcher: ModelStore) {
    let url = try server.emptySchema()
    let writer = try await ModelStore(postgres: url, models: FeedEpisode.self)
    try await writer.write { writer in
      for start in stride(from: 0, to: rows, by: 100_000) {
        try writer.save((start..<min(rows, start + 100_000)).map { FeedEpisode(number: $0) })
      }
    }
    try server.execute("ANALYZE")
    return (writer, try await ModelStore(postgres: url, models: FeedEpisode.self))
  }

  /// - Parameter receive: Waits for what the other store delivers.
  private func times(
    rows: Int, _ writer: ModelStore, _ receive: () async throws -> Void
  ) async throws -> [Double] {
    let clock = ContinuousClock()
    var times: [Double] = []
    for sample in 0..<samples + 20 {
      var episode = FeedEpisode(number: (sample &* 7_919) % rows)
      episode.duration += Double(sample + 1)
      let changed = episode
      try await writer.write { _ = try $0.save(changed) }
      let committed = clock.now
      try await receive()
      // The first writes prepare statements.
      if sample >= 20 { times.append((clock.now - committed) / .seconds(1)) }
    }
    return times.sorted()
  }
}
