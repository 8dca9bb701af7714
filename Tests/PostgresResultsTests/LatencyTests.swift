import Campaigns
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting
import Testing

/// Measures the time from a commit of another connection to the new state of
/// controllers.
@Suite(.enabled(if: !PostgresServer.isSkipped && Campaign.isFull), .serialized)
struct LatencyTests {
  private final class Watch: Sendable {
    let times: AsyncStream<ContinuousClock.Instant>
    private let continuation: AsyncStream<ContinuousClock.Instant>.Continuation

    init() { (times, continuation) = AsyncStream.makeStream() }

    func receive() { continuation.yield(.now) }
  }

  /// A store of stories, and a connection that changes them.
  private struct Measurement {
    let store: ModelStore
    let other: AdministratorConnection
    let rows: Int

    init(rows: Int) throws {
      let url = try PostgresServer.shared().emptySchema()
      store = try ModelStore.stories(url)
      other = try AdministratorConnection(url)
      self.rows = rows
      try other.execute(
        """
        INSERT INTO "Story" (id, title, pages) SELECT i, 'title ' || i, i
          FROM generate_series(1, \(rows)) i;
        ANALYZE
        """)
    }

    /// Measures commits that each change some rows, and the titles of which have
    /// never been used before.
    func run(
      _ name: String, _ requests: [ModelRequest<Story>], changing count: Int = 1,
      steps: Int = 300
    ) async throws {
      let controllers = try requests.map { try ResultsController($0, in: store) }
      let (watch, subscription) = try store.observe({ _ in Watch() }) { watch, _, _ in
        watch.receive()
      }
      var times = watch.times.makeAsyncIterator()
      var latencies: [Duration] = []
      let before = controllers.map(\.strategyCounts.repositioned).reduce(0, +)
      for step in 0..<steps {
        let id = step * 7_919 % (rows / count) + 1
        try other.execute(
          """
          UPDATE "Story" SET pages = id + \(step % 3 * 40), title = '\(name) ' || id * 37 % 1000
            WHERE id IN (SELECT \(id) + i * \(rows / count) FROM generate_series(0, \(count - 1)) i)
          """)
        let committed = ContinuousClock.now
        guard let received = await times.next() else { return }
        if step >= 20 { latencies.append(received - committed) }
      }
      latencies.sort()
      let counts = controllers.map(\.strategyCounts)
      print(
        "\(rows) rows, \(requests.count) controllers, \(count) changed, \(name):",
        "median \(latencies[latencies.count / 2]), 99 %: \(latencies[latencies.count * 99 / 100]),",
        "repositioned \(counts.map(\.repositioned).reduce(0, +) - before),",
        "rescanned \(counts.map(\.rescanned).reduce(0, +))")
      withExtendedLifetime((controllers, subscription)) {}
    }
  }

  private let all = ModelRequest<Story>()

  @Test(arguments: [(1_000, 1), (1_000, 100), (100_000, 1), (100_000, 100), (1_000_000, 1)])
  func `the latency does not depend on the number of rows`(rows: Int, controllers: Int) async throws
  {
    let measurement = try Measurement(rows: rows)
    let indexed = all.order(by: \.pages, .descending)
    try await measurement.run("indexed", Array(repeating: indexed, count: controllers))
    let unindexed = all.order(by: \.title)
    try await measurement.run("unindexed", Array(repeating: unindexed, count: controllers))
  }

  @Test(arguments: [1, 100])
  func `many rows of an unindexed order are placed together`(count: Int) async throws {
    let measurement = try Measurement(rows: 100_000)
    try await measurement.run(
      "unindexed", [all.order(by: \.title)], changing: count, steps: 120)
    try await measurement.run(
      "indexed", [all.order(by: \.pages)], changing: count, steps: 120)
  }

  @Test(arguments: [1, 10, 100])
  func `different results of an entity are read together`(count: Int) async throws {
    let measurement = try Measurement(rows: 10_000)
    let requests = (0..<count).map { number in
      all.filter { $0.pages > -number && $0.title != "title x\(number)" }.order(by: \.pages)
    }
    try await measurement.run("different filters", requests)
  }
}
