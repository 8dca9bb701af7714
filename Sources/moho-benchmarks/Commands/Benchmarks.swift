import ArgumentParser

@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moho-benchmarks",
    abstract: "Measures Moho beside its peers, all in one run.",
    discussion: """
      Contenders run in turns and check one another. Ratios are of median times; build with \
      `-c release`. All of it takes about half an hour on a machine that does nothing else.
      """,
    subcommands: [
      AllBenchmarks.self, ModelBenchmarks.self, ResultsBenchmarks.self, BuildBenchmarks.self,
      JoinBenchmarks.self,
    ],
    defaultSubcommand: AllBenchmarks.self)
}

/// Measures everything.
struct AllBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Measures all workloads, W1 to W13.")

  @OptionGroup var files: ReportFiles

  func run() async throws {
    let report = BenchmarkReport()
    try ModelBenchmarks.parse([]).run(report)
    try await ResultsBenchmarks.parse([]).run(report)
    try BuildBenchmarks.parse([]).run(report)
    report.growth()
    report.summary()
    try report.write(files)
  }
}
