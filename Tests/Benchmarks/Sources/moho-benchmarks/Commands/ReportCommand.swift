import ArgumentParser

/// Prints the page of a file of figures.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Prints `BENCHMARKS.md` from a file of figures.")

  @Argument(help: "A JSON file that was written with --json.")
  var file: String

  func run() throws {
    print(try BenchmarkPage(.read(file)).markdown(), terminator: "")
  }
}
