import Foundation

extension BenchmarkReport {
  /// The contents of a JSON file of figures.
  struct Contents: Codable {
    let commands: [String]
    let machine: Machine
    let figures: [Figure]
    let targets: [Target]
    let postgres: String?
  }

  /// Adds the figures of a JSON file.
  func add(contentsOf file: URL) throws {
    add(try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file)))
  }

  /// Writes the requested files.
  func write(_ files: ReportFiles) throws {
    let machine = machine ?? .current
    if let path = files.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let contents = Contents(
        commands: commands, machine: machine, figures: figures, targets: targets,
        postgres: postgres)
      try encoder.encode(contents).write(to: URL(filePath: path))
    }
    if let path = files.svg {
      try Data(ComparisonPlot(comparisons, growths).svg.utf8).write(to: URL(filePath: path))
    }
    if let path = files.markdown {
      try Data(markdown(machine).utf8).write(to: URL(filePath: path))
    }
  }

  /// The text of `BENCHMARKS.md`.
  private func markdown(_ machine: Machine) -> String {
    var lines = [
      "# Benchmarks", "",
      "![The ratios below as a plot](BENCHMARKS.svg)", "",
      "Absolute times depend on the machine; compare the ratios. All figures of a workload come from",
      "one run, in which the contenders take turns and verify the results of each other.",
      "",
      "```sh", commands.joined(separator: "\n"), "```", "",
      "| | |", "|---|---|",
      "| date | \(machine.date) |",
      "| processor | \(machine.processor), \(machine.cores) cores, \(machine.memory) |",
      "| system | \(machine.system) |",
      "| Swift | \(machine.swift), release |",
      "| SQLite, Jansson | \(machine.sqlite), \(machine.jansson) |", "",
      "Floors are minimal implementations of the same work: C with SQLite and Jansson, or Swift written",
      "by hand for one type. [BENCHMARKS.json](BENCHMARKS.json) has all figures, also those of other",
      "numbers of rows and of all contenders; `Tests/Benchmarks/run join` makes this page from it.",
      "",
      "## Comparison with floors and peers", "",
      "| | work | rows | Moho, median | times the floor | times the peer |",
      "|---|---|---|---|---|---|",
    ]
    for comparison in pageComparisons {
      let time = Self.text(comparison.median)
      let cells = [Party.floor, .peer].map { party in
        comparison.references.filter { $0.party == party }
          .map { "\(Self.ratioText($0.ratio)) \($0.name)" }.joined(separator: "<br>")
      }
      lines.append(
        "| \(comparison.number) | \(comparison.workload) | \(Self.grouped(comparison.rows)) | \(time)"
          + " | \(cells[0]) | \(cells[1]) |")
    }
    lines += featureTable
    lines += memoryTable
    lines += postgresTable
    if !missedTargets.isEmpty {
      lines += ["", "## Missed targets", "", "| claim | rows | figure |", "|---|---|---|"]
      lines += missedTargets.map { "| \($0.claim) | \(Self.grouped($0.rows)) | \($0.text) |" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number of rows of most comparisons on the page.
  private static let usualRows = 244_292

  /// The number of rows on the page of what was measured with several.
  private static func pageSize(_ sizes: [Int]) -> Int? {
    sizes.filter { $0 <= usualRows }.max() ?? sizes.min()
  }

  private var pageComparisons: [Comparison] {
    let all = comparisons.filter {
      !Self.isOfPostgres($0.number) && $0.number != FeatureCosts.number
    }
    return all.filter { comparison in
      let same = all.filter {
        $0.number == comparison.number && $0.workload == comparison.workload
      }
      return comparison.rows == Self.pageSize(same.map(\.rows))
    }
  }

  private var missedTargets: [Target] {
    targets.filter { target in
      let same = targets.filter { $0.claim == target.claim }
      return !target.isMet && target.rows == Self.pageSize(same.map(\.rows))
    }
  }

  static func ratioText(_ ratio: Double) -> String {
    String(format: ratio < 0.01 ? "%.2g" : ratio < 10 ? "%.2f" : "%.0f", ratio)
  }

  static func grouped(_ count: Int) -> String {
    count.formatted(.number.locale(.init(identifier: "en_US")))
  }
}
