import Foundation

extension BenchmarkReport {
  /// The medians of a contender at several numbers of rows.
  private struct Growth {
    let workload: String
    let contender: String
    let points: [(rows: Int, median: Double)]

    /// The slope of a line fitted to the logarithms: 0 is constant, 1 is
    /// proportional.
    var slope: Double {
      let points = points.map { (x: log(Double($0.rows)), y: log($0.median)) }
      let count = Double(points.count)
      let x = points.reduce(0) { $0 + $1.x } / count
      let y = points.reduce(0) { $0 + $1.y } / count
      let products = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
      return products / points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    }

    /// The ratio of the largest to the smallest median.
    var spread: Double {
      let medians = points.map(\.median)
      return (medians.max() ?? .nan) / (medians.min() ?? .nan)
    }
  }

  /// The growth of each contender that was measured at several numbers of rows.
  private var growths: [Growth] {
    workloads.map(\.title).uniqued().flatMap { title -> [Growth] in
      let workloads = workloads.filter { $0.title == title }
      return workloads.flatMap(\.contenders).map(\.name).uniqued().compactMap {
        name -> Growth? in
        let points = workloads.filter { $0.contender(name) != nil }
          .map { (rows: $0.rows, median: $0.median(of: name)) }
        guard points.count > 1, points.allSatisfy({ $0.rows > 0 && $0.median > 0 }) else {
          return nil
        }
        return Growth(workload: title, contender: name, points: points)
      }
    }
  }

  /// Prints the growth of the medians with the number of rows.
  func printGrowth() {
    let growths = growths
    if growths.isEmpty { return }
    print("\nW9 growth with the number of rows: slope of the logarithms, largest ÷ smallest median")
    for growth in growths {
      print(
        "  "
          + "\(growth.workload), \(growth.contender)"
          .padding(toLength: 88, withPad: " ", startingAt: 0),
        String(format: "%6.2f %8.2f×", growth.slope, growth.spread))
    }
  }

  /// Adds a limit of the ratio of the largest to the smallest median of a
  /// contender to the workload with the most rows.
  func flatness(_ claim: String, of contender: String, in workload: String, atMost limit: Double) {
    let growth = growths.first { $0.workload == workload && $0.contender == contender }
    guard let growth, let rows = growth.points.map(\.rows).max() else { return }
    add(
      Goal(claim: claim, unit: .ratio, value: growth.spread, limit: limit),
      toWorkloadAt: workloads.firstIndex { $0.title == workload && $0.rows == rows })
  }
}

extension Array where Element: Hashable {
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
