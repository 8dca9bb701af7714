import Campaigns
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting
import Synchronization
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

  private func measure(
    rows: Int, controllers count: Int
  ) async throws {
    let url = try PostgresServer.shared().emptySchema()
    let store = try ModelStore.stories(url)
    let other = try AdministratorConnection(url)
    try other.execute(
      """
      INSERT INTO "Story" (id, title, pages) SELECT i, 'title ' || i, i
        FROM generate_series(1, \(rows)) i;
      ANALYZE
      """)
    let all = ModelRequest<Story>()
    let requests = [
      ("indexed", all.order(by: \.pages, .descending)), ("unindexed", all.order(by: \.title)),
    ]
    for (order, request) in requests {
      let controllers = try (0..<count).map { _ in try ResultsController(request, in: store) }
      let (watch, subscription) = try store.observe({ _ in Watch() }) { watch, _, _ in
        watch.receive()
      }
      var times = watch.times.makeAsyncIterator()
      var latencies: [Duration] = []
      for step in 0..<300 {
        let id = step * 7_919 % rows + 1
        try other.execute(
          "UPDATE \"Story\" SET pages = \(id + step % 3 * 40), title = '\(order) \(id)' WHERE id = \(id)"
        )
        let committed = ContinuousClock.now
        guard let received = await times.next() else { return }
        if step >= 20 { latencies.append(received - committed) }
      }
      latencies.sort()
      let counts = controllers.map(\.strategyCounts)
      print(
        "\(rows) rows, \(count) controllers, \(order): median \(latencies[latencies.count / 2]),",
        "99 %: \(latencies[latencies.count * 99 / 100]),",
        "rescanned \(counts.map(\.rescanned).reduce(0, +))")
      withExtendedLifetime((controllers, subscription)) {}
    }
  }

  @Test(arguments: [(1_000, 1), (1_000, 100), (100_000, 1), (100_000, 100), (1_000_000, 1)])
  func `the latency does not depend on the number of rows`(rows: Int, controllers: Int) async throws
  {
    try await measure(rows: rows, controllers: controllers)
  }
}
