import Foundation

/// The figures of a run: printed as they come, and kept.
final class BenchmarkReport {
  /// The times of a contender, in seconds.
  struct Figure: Codable {
    let number: String
    let workload: String
    let rows: Int
    let contender: String
    let party: Party
    /// How often it ran.
    let samples: Int
    let minimum: Double
    let median: Double
    let p99: Double
    /// The memory that it adds at its peak, in bytes, if measured.
    let peakMemory: Int?
    /// Whether the others are compared with it.
    let isCompared: Bool
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

  /// The commands that have made the figures.
  private(set) var commands: [String]
  /// What they ran on and with, if that was another process; of several, the last.
  private(set) var machine: Machine?
  private(set) var figures: [Figure] = []
  private(set) var targets: [Target] = []

  /// Begins the report of a run.
  ///
  /// - Parameter commands: The commands that make its figures; that of this process
  ///   unless given.
  init(commands: [String] = [ReportFiles.command]) { self.commands = commands }

  /// Adds what another run has written.
  func add(_ contents: Contents) {
    commands += contents.commands
    machine = contents.machine
    figures += contents.figures
    targets += contents.targets
  }

  /// Tells what contenders took.
  ///
  /// - Parameters:
  ///   - work: What they did.
  ///   - measurements: Their times.
  ///   - name: The contender that the others are compared with; the first of
  ///     Moho's unless given.
  func table(_ work: Work, _ measurements: [Measurement], comparing name: String? = nil) {
    let own =
      measurements.first { $0.name == name }
      ?? measurements.first { Party(contender: $0.name) == .own } ?? measurements.first
    print("\n\(work.number) \(work.title)")
    for measurement in measurements {
      let ratio = (own?.median ?? .nan) / measurement.median
      print(
        "  " + measurement.name.padding(toLength: 42, withPad: " ", startingAt: 0),
        Self.cell(measurement.median), "median", Self.cell(measurement.minimum), "min",
        Self.cell(measurement.p99), "p99", Self.perUnit(measurement, work),
        Self.memory(measurement.peakMemory),
        measurement.name == own?.name ? "" : String(format: "Moho takes %.2f times this", ratio))
      figures.append(
        Figure(
          number: work.number, workload: work.title, rows: work.rows,
          contender: measurement.name, party: Party(contender: measurement.name),
          samples: measurement.times.count, minimum: measurement.minimum,
          median: measurement.median, p99: measurement.p99, peakMemory: measurement.peakMemory,
          isCompared: measurement.name == own?.name))
    }
    for limit in work.limits {
      guard let own, let other = measurements.first(where: { $0.name == limit.contender }) else {
        continue
      }
      ratio(
        "\(work.title) ÷ \(other.name)", rows: work.rows, own.median / other.median,
        atMost: limit.ratio)
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
    target(claim, rows: rows, value, atMost: limit, Self.text)
  }

  /// Prints all targets again, together.
  func summary() {
    if targets.isEmpty { return }
    print("\ntargets")
    for target in targets {
      print(
        "  " + target.verdict.padding(toLength: 7, withPad: " ", startingAt: 0),
        "\(target.claim), \(target.rows) rows: \(target.text)")
    }
  }

  static func text(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-3: String(format: "%.2f µs", seconds * 1e6)
    case ..<10: String(format: "%.2f ms", seconds * 1e3)
    default: String(format: "%.1f s", seconds)
    }
  }

  /// A time in a column of times.
  private static func cell(_ seconds: Double) -> String {
    let text = text(seconds)
    return String(repeating: " ", count: max(0, 12 - text.count)) + text
  }

  private static func perUnit(_ measurement: Measurement, _ work: Work) -> String {
    guard let unit = work.unit else { return "" }
    let nanoseconds = measurement.median * 1e9 / Double(unit.count)
    return String(format: "%8.0f ns a %@", nanoseconds, unit.name)
  }

  private static func memory(_ bytes: Int?) -> String {
    bytes.map { String(format: "%8.1f MB peak", Double($0) / 1e6) } ?? ""
  }
}

extension BenchmarkReport.Target {
  var verdict: String { isMet ? "meets" : "misses" }
}
