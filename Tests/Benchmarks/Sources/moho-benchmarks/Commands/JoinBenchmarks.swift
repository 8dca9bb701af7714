import ArgumentParser
import Foundation

/// Joins several runs into one report.
struct JoinBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Joins the figures of several runs on the same machine into one report.")

  @Argument(help: "JSON files written with --json.")
  var runs: [String]

  @OptionGroup var files: ReportFiles

  func run() throws {
    let report = BenchmarkReport(commands: [])
    for path in runs { try report.add(contentsOf: URL(filePath: path)) }
    report.summary()
    try report.write(files)
  }
}
