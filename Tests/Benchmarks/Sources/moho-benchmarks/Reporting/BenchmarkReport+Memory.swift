import Foundation

extension BenchmarkReport {
  /// The Markdown lines of the section about memory.
  var memoryTable: [String] {
    let measured = figures.filter { $0.peakMemory != nil }
    if measured.isEmpty { return [] }
    let header = [
      "", "## Memory", "",
      "What a run adds to the memory of the process at its peak.", "",
      "| | work | rows | contender | peak |", "|---|---|---|---|---|",
    ]
    return header
      + measured.map { figure in
        let bytes = String(format: "%.1f MB", Double(figure.peakMemory ?? 0) / 1e6)
        return "| \(figure.number) | \(figure.workload) | \(Self.grouped(figure.rows))"
          + " | \(figure.contender) | \(bytes) |"
      }
  }
}
