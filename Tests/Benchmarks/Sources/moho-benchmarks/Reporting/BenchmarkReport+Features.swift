import Foundation

extension BenchmarkReport {
  /// The Markdown lines of the section about the cost of features.
  var featureTable: [String] {
    let figures = figures.filter { $0.number == FeatureCosts.number }
    return figures.map(\.rows).uniqued().flatMap { rows in
      let table = FeatureTable(figures.filter { $0.rows == rows })
      return [
        "", "## \(FeatureCosts.number): cost of features, \(Self.grouped(rows)) statuses", "",
        "Milliseconds, and in parentheses the ratio to the model without features.", "",
      ] + table.lines
    }
  }

  /// Prints the section about the cost of features.
  func printFeatureTable() { print(featureTable.joined(separator: "\n")) }
}

/// A table with a row for each feature and a column for each kind of work.
private struct FeatureTable {
  private let figures: [BenchmarkReport.Figure]

  init(_ figures: [BenchmarkReport.Figure]) { self.figures = figures }

  /// The lines in Markdown, with aligned columns.
  var lines: [String] {
    let works = FeatureWork.allCases.filter { work in
      figures.contains { $0.workload == work.rawValue }
    }
    let rows =
      [["feature"] + works.map(\.column)]
      + figures.map(\.contender).uniqued().map { contender in
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
    let figures = figures.filter { $0.workload == work.rawValue }
    guard let figure = figures.first(where: { $0.contender == contender }) else { return "" }
    let time = String(format: "%.2f", figure.median * 1e3)
    guard let base = figures.first(where: { $0.contender == FeatureCosts.base }) else {
      return time
    }
    return time + String(format: " (%.2f)", figure.median / base.median)
  }
}
