import ArgumentParser
import Foundation

/// Makes one report of several runs.
struct JoinBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Makes one report of runs that were made one after the other on one machine.")

  @Argument(help: "Files that runs have written by --json.")
  var runs: [String]

  @OptionGroup var files: ReportFiles

  func run() throws {
    let report = BenchmarkReport(commands: [])
    for path in runs { try report.add(contentsOf: URL(filePath: path)) }
    report.summary()
    try report.write(files)
  }
}
