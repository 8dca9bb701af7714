import Campaigns
import CommandTesting
import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests that nothing acknowledged is lost and nothing is half written if
/// servers, connections or clients are killed at random times. `MOHO_KILLS`
/// overrides the number of kills per test.
@Suite(.serialized, .requiresPostgres)
struct ServerFaultTests {
  private func count(short: Int, full: Int) -> Int {
    Campaign.count("MOHO_KILLS", short: short, full: full)
  }

  private static var configuration: PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.reconnectTimeout = 60
    return configuration
  }

  private func store(_ url: String) throws -> ModelStore {
    try ModelStore(postgres: url, models: Track.self, configuration: Self.configuration)
  }

  @Test func `killed connections lose nothing`() throws {
    let server = try PostgresServer.shared()
    let url = try server.emptySchema()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let writers = try AcknowledgedWriters(count: 4) { [self] in try store(url) }

    let kills = count(short: 20, full: 2_000)
    for _ in 1...kills {
      writers.waitForBatches(1)
      usleep(UInt32(generator.below(4_000)))
      try server.execute(
        """
        SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
        JOIN pg_locks l ON l.pid = a.pid JOIN pg_class c ON c.oid = l.relation
        WHERE c.relname = 'Track' AND c.relnamespace = '\(try schemaName(url))'::regnamespace
        AND a.pid <> pg_backend_pid() ORDER BY random() LIMIT 1
        """)
    }

    let record = writers.end()
    expectNoProblems(try record.problems(in: store(url)), "seed \(seed)")
    report("kills of connections", kills, record)
  }

  private func schemaName(_ url: String) throws -> String {
    url.split(separator: "%3D").last.map { String($0) } ?? ""
  }

  @Test(
    .enabled(
      if: Campaign.isRunning || Campaign.number("MOHO_KILLS") != nil, "runs in campaigns"))
  func `killed servers lose nothing`() throws {
    let server = try PostgresServer(isDurable: true)
    let url = server.url()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let reader = try store(url)
    let controller = try ResultsController(ModelRequest<Track>().order(by: \.id), in: reader)
    let writers = try AcknowledgedWriters(count: 4) { [self] in try store(url) }

    let kills = count(short: 3, full: 100)
    for _ in 1...kills {
      writers.waitForBatches(3)
      usleep(UInt32(generator.below(30_000)))
      if generator.below(4) == 0 { server.stop() } else { server.kill() }
      try server.start()
    }
    writers.waitForBatches(10)

    let record = writers.end()
    expectNoProblems(try record.problems(in: reader), "seed \(seed)")
    try expectCurrent(controller, reader)
    report("kills of servers", kills, record)
  }

  @Test(
    .enabled(
      if: Campaign.isRunning || Campaign.number("MOHO_KILLS") != nil, "runs in campaigns"))
  func `a store goes on with a promoted standby`() throws {
    let rounds = count(short: 1, full: 10)
    for round in 1...rounds {
      let primary = try PostgresServer(isDurable: true)
      // The tables exist before the copy, because a standby cannot create them.
      _ = try store(primary.url())
      let standby = try PostgresServer(standbyOf: primary)
      // A commit is acknowledged after the standby has it.
      try primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try primary.execute("SELECT pg_reload_conf()")
      let url =
        "postgresql://moho@/postgres?host=\(primary.folder),\(standby.folder)"
        + "&port=5432,5432&target_session_attrs=read-write"
      let reader = try store(url)
      let controller = try ResultsController(ModelRequest<Track>().order(by: \.id), in: reader)
      let writers = try AcknowledgedWriters(count: 4) { [self] in try store(url) }
      writers.waitForBatches(20 + round)

      let readOnly = #expect(throws: StoreError.self) {
        try store(standby.url()).write { try $0.save(Track.batch(1_000_000)) }
      }
      #expect(readOnly?.code == .readOnly)

      primary.kill()
      try standby.promote()
      writers.waitForBatches(20)

      let record = writers.end()
      expectNoProblems(try record.problems(in: reader), "round \(round)")
      try expectCurrent(controller, reader)
      report("failovers", round, record)
    }
  }

  /// Checks that a controller shows the rows of its store after the next commit.
  private func expectCurrent(
    _ controller: ResultsController<Track>, _ store: ModelStore
  ) throws {
    let last = Track(id: .max, batch: .max, title: "last")
    try store.write { _ = try $0.save(last) }
    let expected = try store.fetch(ModelRequest<Track>().order(by: \.id))
    let end = ContinuousClock.now + .seconds(30)
    var shown: [Track] = []
    repeat {
      let snapshot = controller.snapshot
      shown = try (0..<snapshot.count).map { try snapshot.model(at: RowPath(section: 0, row: $0)) }
      if shown == expected { break }
      usleep(10_000)
    } while ContinuousClock.now < end
    #expect(shown == expected)
    try store.write { _ = try $0.delete([last]) }
  }

  @Test func `killed clients leave nothing half written`() throws {
    let server = try PostgresServer.shared()
    let url = try server.emptySchema()
    let store = try store(url)
    let folder = try TemporaryFolder()
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var first = 0
    var acknowledged = 0

    let kills = count(short: 4, full: 200)
    for kill in 1...kills {
      let crasher = try KillableProgram(
        ["save", "\(first)", "1000000"], store: url, outputPath: folder.path("kill"))
      crasher.kill(after: Double(generator.below(60_000)) / 1e6)
      let saved = try crasher.lines().lines.compactMap { Int($0) }
      acknowledged += saved.count

      let stored = Dictionary(
        grouping: try store.fetch(
          ModelRequest<Track>().filter { $0.batch >= first }), by: \.batch)
      #expect(saved.allSatisfy { stored[$0]?.count == Track.countInBatch }, "seed \(seed)")
      #expect(
        stored.values.allSatisfy { $0.count == Track.countInBatch }, "seed \(seed), kill \(kill)")
      first = (stored.keys.max() ?? first) + 1
    }
    print("kills of clients: \(kills), saved batches: \(acknowledged)")
  }

  private func expectNoProblems(_ problems: [String], _ comment: String) {
    #expect(problems.isEmpty, "\(comment): \(problems.count), such as \(problems.prefix(3))")
  }

  private func report(_ what: String, _ count: Int, _ record: AcknowledgedWriters.Record) {
    print(
      "\(what): \(count), saved batches: \(record.saved.count), failed: \(record.failed.count),",
      "unknown: \(record.unknown.count)")
  }
}
