import ArgumentParser
import Foundation
import MohoPostgres
import PostgresTesting

/// Compares stores on PostgreSQL with C and Python programs.
struct PostgresBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "postgres",
    abstract: "Compares stores on PostgreSQL with C and Python programs.",
    discussion: """
      Starts a private server on a Unix socket, which needs PostgreSQL. The Python programs need \
      `pip install psycopg[binary] asyncpg`, and are left out without it, except with `--json`. \
      Build with `-c release`.
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    /// Saves episodes.
    case `import`
    /// Fetches rows into models.
    case fetch
    /// Saves a context, graphs and partial models.
    case save
    /// A commit of one row in another store.
    case follow
    /// The same with 100 controllers.
    case controllers
    /// What the triggers of a store cost while it is not observed.
    case triggers
    /// What observers cost the connections of other programs that write.
    case writers
  }

  @Option(
    name: .customLong("part"),
    help: "A part to run. Repeat the option for several. Runs all by default.")
  var parts: [Part] = Part.allCases

  @Option(help: "The number of episodes to import and to fetch.")
  var episodes = 100_000

  @Option(help: "The number of runs of each contender.")
  var rounds = 7

  @Option(name: .customLong("sizes"), parsing: .upToNextOption, help: "The numbers of rows.")
  var sizes = [1_000, 10_000, 100_000, 1_000_000]

  @Option(
    name: .customLong("writers"), parsing: .upToNextOption,
    help: "The numbers of connections that write at the same time.")
  var writerCounts = [1, 4, 16, 64]

  @Option(help: "The number of commits of one row.")
  var samples = 300

  @OptionGroup var figures: FigureOptions

  func run() async throws {
    let report = BenchmarkReport()
    try await run(report)
    report.summary()
    try figures.write(report.workloads)
  }

  /// Runs the selected parts.
  func run(_ report: BenchmarkReport) async throws { try await run(on: Self.startServer(), report) }

  /// Runs all parts, or prints the reason if no server can be started.
  static func runIfPossible(_ report: BenchmarkReport, _ arguments: [String]) async throws {
    let server: PostgresServer
    do { server = try startServer() } catch let failure as PostgresServer.Failure {
      return print("\nPostgreSQL is not checked, because no server can be started: \(failure)")
    }
    try await parse(arguments).run(on: server, report)
  }

  private static let settings = [
    "shared_buffers=512MB", "max_wal_size=8GB", "max_connections=400",
  ]

  private static func startServer() throws -> PostgresServer {
    try PostgresServer(isDurable: true, settings: settings)
  }

  private func run(on server: PostgresServer, _ report: BenchmarkReport) async throws {
    let version = try AdministratorConnection(server.emptySchema()).execute("SHOW server_version")
    let conditions =
      "Version \(version.first?.first.flatMap { $0 } ?? "unknown"), on the same machine and a Unix "
      + "socket, with \(Self.settings.joined(separator: ", ")). Commits wait for the disk. All "
      + "contenders write to the same table, with its indexes and triggers."
    if parts.contains(.import) || parts.contains(.fetch) {
      try withTemporaryFolder { try transfer(server, conditions, $0, report) }
    }
    if parts.contains(.save) { try save(server, conditions, report) }
    if parts.contains(.triggers) { try measureTriggers(server, report) }
    if parts.contains(.writers) { try measureWriters(server, report) }
    if parts.contains(.follow) { try await follow(server, report) }
    if parts.contains(.controllers) {
      let times = try await PostgresFollowing(server: server, samples: samples)
        .times(rows: 10_000, controllers: 100)
      add("one-row commit to 100 controllers of another store", 10_000, times, report)
    }
  }

  private func transfer(
    _ server: PostgresServer, _ conditions: String, _ folder: URL, _ report: BenchmarkReport
  ) throws {
    let transfers = try PostgresTransfers(
      count: episodes, server, folder: folder, requiresPeers: figures.json != nil)
    for isEmpty in [true, false] where parts.contains(.import) {
      report.table(
        Work(
          number: "W15",
          title: "save episodes into PostgreSQL, "
            + (isEmpty ? "into an empty table" : "all rows already stored"),
          rows: episodes, unit: ("episode", episodes), conditions: conditions,
          limits: isEmpty ? [("C, COPY and upsert", 1.5)] : []),
        try measure(transfers.imports(isEmpty: isEmpty), rounds: rounds))
    }
    guard parts.contains(.fetch) else { return }
    if !parts.contains(.import) {
      _ = try measure([transfers.imports(isEmpty: true)[0]], rounds: 0)
    }
    report.table(
      Work(
        number: "W15", title: "fetch rows of 13 columns from PostgreSQL into models",
        rows: episodes, unit: ("row", episodes), conditions: conditions,
        limits: [("C, binary results", 1.3)]),
      try measure(transfers.fetches, rounds: rounds))
  }

  private func save(
    _ server: PostgresServer, _ conditions: String, _ report: BenchmarkReport
  ) throws {
    let count = min(episodes, 10_000)
    let saving = try PostgresSaving(count: count, server)
    func add(_ title: String, _ contenders: [Contender], atMost limit: Double? = nil) throws {
      report.table(
        Work(
          number: "W15", title: title, rows: count, unit: ("row", count), conditions: conditions,
          limits: limit.map { [(contenders[1].name, $0)] } ?? []),
        try measure(contenders, rounds: rounds))
    }
    try add(
      "save \(count) rows of a context to PostgreSQL, 2 of 13 columns changed", saving.contexts,
      atMost: 1.5)
    try add("update 2 of 13 columns by partial models on PostgreSQL", saving.partialUpdates)
    try add("save episodes with a show and chapters into PostgreSQL", saving.graphSaves)
    try add(
      "update episodes and their shows by partial models on PostgreSQL",
      saving.partialGraphUpdates)
  }

  private func measureTriggers(_ server: PostgresServer, _ report: BenchmarkReport) throws {
    let count = min(episodes, 20_000)
    let triggers = try PostgresTriggers(count: count, server)
    report.table(
      Work(
        number: "W17", title: "update one row with each statement, with unused triggers",
        rows: count, unit: ("statement", count)),
      try measure(triggers.single, rounds: rounds))
    report.table(
      Work(
        number: "W17", title: "update all rows with one statement, with unused triggers",
        rows: count, unit: ("row", count)),
      try measure(triggers.bulk, rounds: rounds))
  }

  private func measureWriters(_ server: PostgresServer, _ report: BenchmarkReport) throws {
    let count = min(episodes, 12_800)
    for writerCount in writerCounts {
      let writers = try PostgresWriters(count: count, writers: writerCount, server)
      report.table(
        Work(
          number: "W19", title: "insert rows one by one, by \(writerCount) other connections",
          rows: count, unit: ("row", count), limits: [("not observed", 1.1)]),
        try measure(writers.contenders, rounds: rounds))
    }
  }

  private func follow(_ server: PostgresServer, _ report: BenchmarkReport) async throws {
    var medians: [Double] = []
    for size in sizes.sorted() {
      let times = try await PostgresFollowing(server: server, samples: samples)
        .times(rows: size, controllers: 1)
      medians.append(times[times.count / 2])
      add("one-row commit to the change set of another store", size, times, report)
      report.time("the change set", times[times.count / 2], atMost: 1.5e-3)
      let totals = try await PostgresFollowing(server: server, samples: samples)
        .timesOfTotals(rows: size)
      add("one-row commit to the totals of another store", size, totals, report)
      report.time("the totals", totals[totals.count / 2], atMost: 0.5e-3)
    }
    if let first = medians.first, let last = medians.last, sizes.count > 1 {
      report.ratio("most rows ÷ fewest rows", last / first, atMost: 2)
    }
  }

  private func add(_ title: String, _ rows: Int, _ times: [Double], _ report: BenchmarkReport) {
    report.table(
      Work(number: "W16", title: title, rows: rows), [Measurement(name: "Moho", times: times)])
  }
}
