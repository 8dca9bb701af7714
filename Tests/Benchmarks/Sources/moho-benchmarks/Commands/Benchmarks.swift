import ArgumentParser

@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moho-benchmarks",
    abstract: "Measures Moho and its peers in one run.",
    discussion: """
      Contenders take turns and verify the results of each other. Ratios compare median times. \
      Build with `-c release`. A full run takes about half an hour on an idle machine.
      """,
    subcommands: [
      AllBenchmarks.self, ModelBenchmarks.self, ResultsBenchmarks.self, PostgresBenchmarks.self,
      BuildBenchmarks.self, ReportCommand.self,
    ],
    defaultSubcommand: AllBenchmarks.self)
}

/// Runs all workloads.
struct AllBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Runs all workloads, W0 to W19.",
    discussion: """
      W15 to W17 and W19 need PostgreSQL. With `--check`, every workload except the builds runs \
      once with few rows, without PostgreSQL if it is not installed. The figures then mean nothing.
      """)

  @Flag(help: "Only check that all contenders work and agree.")
  var check = false

  @OptionGroup var figures: FigureOptions

  func run() async throws {
    if check { return try await Self.checkContenders() }
    let report = BenchmarkReport()
    try ModelBenchmarks.parse([]).run(report)
    try await ResultsBenchmarks.parse([]).run(report)
    try await PostgresBenchmarks.parse(figures.json.map { ["--json", $0] } ?? []).run(report)
    try BuildBenchmarks.parse([]).run(report)
    report.printGrowth()
    report.summary()
    try figures.write(report.workloads)
  }

  /// Runs every contender with as few rows as its workload allows.
  private static func checkContenders() async throws {
    let report = BenchmarkReport()
    try ModelBenchmarks.parse(["--rows", "1000", "--episodes", "1000", "--rounds", "1"])
      .run(report)
    try await ResultsBenchmarks.parse([
      "--sizes", "1000", "--peer-size", "1000", "--turns", "1", "--samples", "5",
      "--imported", "500",
    ]).run(report)
    try await PostgresBenchmarks.runIfPossible(
      report, ["--episodes", "500", "--rounds", "1", "--sizes", "1000", "--samples", "5"])
    print("\nall contenders agree")
  }
}
