import ArgumentParser
import Foundation

/// Measures the build time and the size of a small program that uses Moho.
struct BuildBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Measures clean builds of a small program with Moho and with GRDB.")

  @Option(help: "The folder of the Moho package.")
  var package = "."

  @OptionGroup var figures: FigureOptions

  func validate() throws {
    guard FileManager.default.fileExists(atPath: package + "/Package.swift") else {
      throw ValidationError(
        "No package found in `\(package)`. Run this in the folder of the package or pass it as `--package`."
      )
    }
  }

  func run() throws {
    let report = BenchmarkReport()
    try run(report)
    report.summary()
    try figures.write(report.workloads)
  }

  /// Builds both programs in debug and release configuration.
  func run(_ report: BenchmarkReport) throws {
    let programs = [
      HelloProgram.onMoho(URL(filePath: package).standardizedFileURL), .onGRDB,
    ]
    try withTemporaryFolder { folder in
      for configuration in HelloProgram.Configuration.allCases {
        var measurements: [Measurement] = []
        for program in programs {
          let package = folder.appending(path: program.name)
          try program.write(to: package)
          let (time, bytes) = try program.build(configuration, in: package)
          measurements.append(
            Measurement(
              name: "\(program.name), a program", times: [time / .seconds(1)], bytes: bytes))
        }
        report.table(
          Work(number: "W12", title: "clean \(configuration.rawValue) build", rows: 0),
          measurements)
        report.time(
          "the build", measurements[0].median,
          atMost: configuration == .debug ? 90 : measurements[1].median + 30)
      }
    }
  }
}
