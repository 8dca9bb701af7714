import Foundation

/// The figures of a run. The report prints each figure and stores it.
final class BenchmarkReport {
  /// The times of a contender, in seconds.
  struct Figure: Codable {
    let number: String
    let workload: String
    let rows: Int
    let contender: String
    let party: Party
    /// The number of runs.
    let samples: Int
    let minimum: Double
    let median: Double
    let p99: Double
    /// The memory that the contender adds at its peak, in bytes. `nil` if not
    /// measured.
    let peakMemory: Int?
    /// Whether this is the figure that the others are compared with.
    let isCompared: Bool
  }

  /// A figure with an upper limit.
  struct Target: Codable {
    let claim: String
    let rows: Int
    let value: Double
    let limit: Double
    /// The formatted value and limit.
    let text: String
    var isMet: Bool { value <= limit }
  }

  /// The commands that produced the figures.
  private(set) var commands: [String]
  /// The machine of the joined runs, or `nil` for a run of this process. If
  /// several runs are joined, the machine of the last one.
  private(set) var machine: Machine?
  private(set) var figures: [Figure] = []
  private(set) var targets: [Target] = []
  /// The server and its settings, or the reason why it was not measured.
  private(set) var postgres: String?

  /// Creates an empty report.
  ///
  /// - Parameter commands: The commands that produce the figures. By default,
  ///   the command of this process.
  init(commands: [String] = [ReportFiles.command]) { self.commands = commands }

  /// Adds the figures of another run.
  func add(_ contents: Contents) {
    commands += contents.commands
    machine = contents.machine
    figures += contents.figures
    targets += contents.targets
    postgres = contents.postgres ?? postgres
  }

  /// Describes the PostgreSQL server, or the reason why it was not measured.
  func describePostgres(_ text: String) {
    postgres = text
    print("\nPostgreSQL: \(text)")
  }

  /// Adds and prints the times of contenders.
  ///
  /// - Parameters:
  ///   - work: The work of the contenders.
  ///   - measurements: The times of the contenders.
  ///   - name: The contender that the others are compared with. By default, the
  ///     first contender of Moho.
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
    }
    add(work, measurements, comparing: own?.name)
    for limit in work.limits {
      guard let own, let other = measurements.first(where: { $0.name == limit.contender }) else {
        continue
      }
      ratio(
        "\(work.title) ÷ \(other.name)", rows: work.rows, own.median / other.median,
        atMost: limit.ratio)
    }
  }

  /// Adds the times of contenders without printing them.
  ///
  /// - Parameters:
  ///   - work: The work of the contenders.
  ///   - measurements: The times of the contenders.
  ///   - name: The contender that the others are compared with.
  func add(_ work: Work, _ measurements: [Measurement], comparing name: String?) {
    figures += measurements.map { measurement in
      Figure(
        number: work.number, workload: work.title, rows: work.rows,
        contender: measurement.name, party: Party(contender: measurement.name),
        samples: measurement.times.count, minimum: measurement.minimum,
        median: measurement.median, p99: measurement.p99, peakMemory: measurement.peakMemory,
        isCompared: measurement.name == name)
    }
  }

  /// Adds and prints a figure with an upper limit.
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

  /// Prints all targets.
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

  /// A time, padded to the width of a column.
  private static func cell(_ seconds: Double) -> String {
    let text = text(seconds)
    return String(repeating: " ", count: max(0, 12 - text.count)) + text
  }

  private static func perUnit(_ measurement: Measurement, _ work: Work) -> String {
    guard let unit = work.unit else { return "" }
    let nanoseconds = measurement.median * 1e9 / Double(unit.count)
    return String(format: "%8.0f ns per %@", nanoseconds, unit.name)
  }

  private static func memory(_ bytes: Int?) -> String {
    bytes.map { String(format: "%8.1f MB peak", Double($0) / 1e6) } ?? ""
  }
}

extension BenchmarkReport.Target {
  var verdict: String { isMet ? "meets" : "misses" }
}
