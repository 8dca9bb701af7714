import Foundation

/// The figures of the results controller: printed as they come, and kept.
final class ResultsReport {
  /// The times of a contender, in seconds.
  struct Figure: Codable {
    let workload: String
    let rows: Int
    let contender: String
    let samples: Int
    let median: Double
    let p99: Double
  }

  /// A figure that is to stay below a limit.
  struct Target: Codable {
    let claim: String
    let rows: Int
    let value: Double
    let limit: Double
    /// The value and the limit as they are read.
    let text: String
    var isMet: Bool { value <= limit }
  }

  private struct Contents: Codable {
    let figures: [Figure]
    let targets: [Target]
  }

  private var figures: [Figure] = []
  private var targets: [Target] = []

  /// The contenders of a workload, the one that the others are compared with
  /// first.
  func table(_ workload: String, rows: Int, _ measurements: [Measurement]) {
    print("\n\(workload), \(rows) rows")
    for measurement in measurements {
      let ratio = measurement.median / (measurements.first?.median ?? .nan)
      print(
        "  " + measurement.name.padding(toLength: 46, withPad: " ", startingAt: 0),
        Self.text(measurement.median), "median", Self.text(measurement.p99), "p99",
        String(format: "%10.2f×", ratio))
      figures.append(
        Figure(
          workload: workload, rows: rows, contender: measurement.name,
          samples: measurement.times.count, median: measurement.median, p99: measurement.p99))
    }
  }

  /// Tells whether a figure stays below a limit.
  func target(
    _ claim: String, rows: Int, _ value: Double, atMost limit: Double, _ text: (Double) -> String
  ) {
    let target = Target(
      claim: claim, rows: rows, value: value, limit: limit,
      text: "\(text(value)) of \(text(limit))")
    targets.append(target)
    print("  → \(claim): \(target.text), \(target.verdict)")
  }

  func ratio(_ claim: String, rows: Int, _ value: Double, atMost limit: Double) {
    target(claim, rows: rows, value, atMost: limit) { String(format: "%.2f times", $0) }
  }

  func time(_ claim: String, rows: Int, _ value: Double, atMost limit: Double) {
    target(claim, rows: rows, value, atMost: limit) {
      Self.text($0).trimmingCharacters(in: .whitespaces)
    }
  }

  /// How the medians of each contender grow with the number of rows, as the
  /// slope of a line through their logarithms: 0 is flat, 1 proportional.
  func growth() {
    let workloads = figures.map(\.workload).uniqued()
    guard Set(figures.map(\.rows)).count > 1 else { return }
    print("\ngrowth with the number of rows: slope of the logarithms, largest ÷ smallest median")
    for workload in workloads {
      let ofWorkload = figures.filter { $0.workload == workload }
      for contender in ofWorkload.map(\.contender).uniqued() {
        let points = ofWorkload.filter { $0.contender == contender }
        guard points.count > 1, points.allSatisfy({ $0.median > 0 }) else { continue }
        let medians = points.map(\.median)
        print(
          "  " + "\(workload), \(contender)".padding(toLength: 88, withPad: " ", startingAt: 0),
          String(
            format: "%6.2f %8.2f×",
            slope(points.map { (log(Double($0.rows)), log($0.median)) }),
            (medians.max() ?? .nan) / (medians.min() ?? .nan)))
      }
    }
  }

  /// How much larger the largest median of a contender is than the smallest.
  func flatness(_ claim: String, of contender: String, in workload: String, atMost limit: Double) {
    let points = figures.filter { $0.workload == workload && $0.contender == contender }
    guard points.count > 1, let last = points.last else { return }
    let medians = points.map(\.median)
    ratio(
      claim, rows: last.rows, (medians.max() ?? .nan) / (medians.min() ?? .nan), atMost: limit)
  }

  func summary() {
    print("\ntargets")
    for target in targets {
      print(
        "  " + target.verdict.padding(toLength: 7, withPad: " ", startingAt: 0),
        "\(target.claim), \(target.rows) rows: \(target.text)")
    }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(Contents(figures: figures, targets: targets))
      .write(to: URL(filePath: path))
  }

  private static func text(_ seconds: Double) -> String {
    seconds < 1e-3
      ? String(format: "%9.2f µs", seconds * 1e6) : String(format: "%9.2f ms", seconds * 1e3)
  }
}

extension ResultsReport.Target {
  fileprivate var verdict: String { isMet ? "meets" : "misses" }
}

extension Measurement {
  var p99: Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }
}

private func slope(_ points: [(x: Double, y: Double)]) -> Double {
  let count = Double(points.count)
  let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
  let products = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
  return products / points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
