import Foundation

extension BenchmarkReport {
  /// Whether a workload runs on PostgreSQL.
  static func isOfPostgres(_ number: String) -> Bool { ["W15", "W16", "W17"].contains(number) }

  /// The Markdown lines of the section about PostgreSQL, with all contenders.
  var postgresTable: [String] {
    let figures = figures.filter { Self.isOfPostgres($0.number) }
    guard postgres != nil || !figures.isEmpty else { return [] }
    var lines = ["", "## PostgreSQL", ""]
    if let postgres { lines += [postgres, ""] }
    if figures.isEmpty { return lines }
    lines += [
      "| | work | rows | contender | median | 99 of 100 below | Moho ÷ contender |",
      "|---|---|---|---|---|---|---|",
    ]
    for figure in figures {
      let own = figures.first {
        $0.number == figure.number && $0.workload == figure.workload && $0.rows == figure.rows
          && $0.isCompared
      }
      let ratio = own.map { $0.median / figure.median }
      let cells = [
        figure.number, figure.workload, Self.grouped(figure.rows), figure.contender,
        Self.text(figure.median), Self.text(figure.p99),
        figure.isCompared ? "" : ratio.map(Self.ratioText) ?? "",
      ]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    return lines
  }

  /// Prints the section about PostgreSQL.
  func printPostgresTable() { print(postgresTable.joined(separator: "\n")) }
}
