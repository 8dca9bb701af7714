import Campaigns
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

/// Measures the time from a commit of another connection to the new state of
/// controllers.
@Suite(.enabled(if: !PostgresServer.isSkipped && Campaign.isFull), .serialized)
struct LatencyTests {
  private let all = ModelRequest<Story>()

  /// The rows of a table, the controllers of a list, and the rows of a commit.
  static let sizes = [
    (1_000, 1, 1), (1_000, 100, 1), (100_000, 1, 1), (100_000, 100, 1), (100_000, 1, 100),
    (1_000_000, 1, 1),
  ]

  @Test(arguments: sizes)
  func `moved rows are found by an index`(rows: Int, lists: Int, changed: Int) async throws {
    let request = all.order(by: \.pages)
    try await Measurement(rows: rows)
      .run("indexed", Array(repeating: request, count: lists), changing: changed)
  }

  @Test(arguments: sizes)
  func `moved rows are found without an index`(rows: Int, lists: Int, changed: Int) async throws {
    let request = all.order(by: \.title)
    try await Measurement(rows: rows)
      .run("unindexed", Array(repeating: request, count: lists), changing: changed)
  }

  @Test(arguments: [1, 10, 100])
  func `different values of a condition`(count: Int) async throws {
    let measurement = try Measurement(rows: 100_000)
    let pages = (0..<count).map { number in all.filter { $0.pages > -1 - number } }
    try await measurement.run("indexed, values, all members", pages.map { $0.order(by: \.pages) })
    try await measurement.run("unindexed, values, all members", pages.map { $0.order(by: \.title) })
    let genres = (0..<count).map { number in all.filter { $0.genre == "genre \(number)" } }
    try await measurement.run("indexed, values, one member", genres.map { $0.order(by: \.pages) })
    try await measurement.run("unindexed, values, one member", genres.map { $0.order(by: \.title) })
  }

  @Test(arguments: [1, 10, 100, 200, 300])
  func `different conditions`(count: Int) async throws {
    let measurement = try Measurement(rows: 100_000)
    let members = (0..<count).map { request($0, isMember: true) }
    try await measurement.run(
      "indexed, conditions, all members", members.map { $0.order(by: \.pages) })
    try await measurement.run(
      "unindexed, conditions, all members", members.map { $0.order(by: \.title) })
    let others = (0..<count).map { request($0, isMember: false) }
    try await measurement.run(
      "indexed, conditions, no members", others.map { $0.order(by: \.pages) })
  }

  /// Returns requests with different SQL, which select all rows or none.
  private func request(_ number: Int, isMember: Bool) -> ModelRequest<Story> {
    var request = all.filter { isMember ? $0.pages > -1 : $0.pages < 0 }
    for bit in 0..<9 where number >> bit & 1 == 1 {
      switch bit {
      case 0: request = request.filter { $0.id > 0 }
      case 1: request = request.filter { $0.title != "none" }
      case 2: request = request.filter { $0.pages != -1 }
      case 3: request = request.filter { $0.id != -1 }
      case 4: request = request.filter { $0.genre != "none" }
      case 5: request = request.filter { $0.id >= 0 }
      case 6: request = request.filter { $0.title > "" }
      case 7: request = request.filter { $0.title >= "" }
      default: request = request.filter { $0.genre != nil }
      }
    }
    return request
  }
}

/// A store of stories, and a connection that changes them.
private struct Measurement {
  private final class Watch: Sendable {
    let times: AsyncStream<ContinuousClock.Instant>
    private let continuation: AsyncStream<ContinuousClock.Instant>.Continuation

    init() { (times, continuation) = AsyncStream.makeStream() }

    func receive() { continuation.yield(.now) }
  }

  private let store: ModelStore
  private let other: AdministratorConnection
  private let rows: Int

  init(rows: Int) throws {
    let url = try PostgresServer.shared().emptySchema()
    store = try ModelStore.stories(url)
    other = try AdministratorConnection(url)
    self.rows = rows
    try other.execute(
      """
      INSERT INTO "Story" (id, title, pages, genre)
        SELECT i, md5(i::text), i, 'genre ' || i % 100 FROM generate_series(1, \(rows)) i;
      ANALYZE
      """)
  }

  /// Measures commits that each move some rows in all orders.
  func run(
    _ name: String, _ requests: [ModelRequest<Story>], changing count: Int = 1,
    steps: Int = 120
  ) async throws {
    let controllers = try requests.map { try ResultsController($0, in: store) }
    let (watch, subscription) = try store.observe({ _ in Watch() }) { watch, _, _ in
      watch.receive()
    }
    var times = watch.times.makeAsyncIterator()
    var latencies: [Duration] = []
    for step in 0..<steps {
      let id = step * 7_919 % (rows / count) + 1
      try other.execute(
        """
        UPDATE "Story" SET pages = (pages + \(rows / 2 + step)) % \(rows), title = md5(title)
          WHERE id IN (SELECT \(id) + i * \(rows / count) FROM generate_series(0, \(count - 1)) i)
        """)
      let committed = ContinuousClock.now
      guard let received = await times.next() else { return }
      if step >= 20 { latencies.append(received - committed) }
    }
    latencies.sort()
    let counts = controllers.map(\.strategyCounts)
    print(
      "\(name): \(rows) rows, \(requests.count) lists, \(count) changed,",
      "median \(milliseconds(latencies[latencies.count / 2])) ms,",
      "99 %: \(milliseconds(latencies[latencies.count * 99 / 100])) ms,",
      "\(counts.map(\.repositioned).reduce(0, +) / steps) repositioned,",
      "\(counts.map(\.rescanned).reduce(0, +) / steps) read again")
    withExtendedLifetime((controllers, subscription)) {}
  }

  private func milliseconds(_ duration: Duration) -> Double {
    (duration / .milliseconds(1) * 100).rounded() / 100
  }
}
