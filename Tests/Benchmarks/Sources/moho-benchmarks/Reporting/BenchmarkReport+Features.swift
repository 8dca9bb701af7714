import Foundation

extension BenchmarkReport {
  /// Prints the times of all features, and their ratios to the model without
  /// features.
  func printFeatureTable() {
    let workloads = workloads.filter { $0.number == FeatureCosts.number }
    guard let rows = workloads.last?.rows else { return }
    print("\n\(FeatureCosts.number) cost of features, \(rows) statuses: milliseconds (ratio)\n")
    print(FeatureTable(workloads).lines.joined(separator: "\n"))
  }
}

/// A table with a row for each feature and a column for each kind of work.
private struct FeatureTable {
  private let workloads: [WorkloadFigures]

  init(_ workloads: [WorkloadFigures]) { self.workloads = workloads }

  /// The lines in Markdown, with aligned columns.
  var lines: [String] {
    let works = FeatureWork.allCases.filter { work in
      workloads.contains { $0.title == work.rawValue }
    }
    let rows =
      [["feature"] + works.map(\.column)]
      + workloads.flatMap(\.contenders).map(\.name).uniqued().map { contender in
        [contender.replacing("Moho, ", with: "", maxReplacements: 1)]
          + works.map { cell(contender, $0) }
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      return "| \(cells.joined(separator: " | ")) |"
    }
    let rule = widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|")
    lines.insert("|\(rule)|", at: 1)
    return lines
  }

  private func cell(_ contender: String, _ work: FeatureWork) -> String {
    let workload = workloads.first { $0.title == work.rawValue }
    guard let workload, let time = workload.contender(contender)?.time else { return "" }
    let ratio = time.median / workload.median(of: FeatureCosts.base)
    return String(format: "%.2f (%.2f)", time.median * 1e3, ratio)
  }
}
