import Foundation

/// The figures of a run. The report prints each figure and stores it.
final class BenchmarkReport {
  private(set) var workloads: [WorkloadFigures] = []
  private let machine = Machine.current

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
    guard let own else { return }
    print("\n\(work.number) \(work.title)")
    for measurement in measurements {
      print(
        "  " + measurement.name.padding(toLength: 42, withPad: " ", startingAt: 0),
        Self.times(measurement), Self.perUnit(measurement, work), Self.bytes(measurement),
        measurement.name == own.name ? "" : Self.comparison(own, measurement))
    }
    add(work, measurements, comparing: own.name)
    for limit in work.limits {
      guard let other = measurements.first(where: { $0.name == limit.contender }) else {
        continue
      }
      ratio("÷ \(other.name)", own.median / other.median, atMost: limit.ratio)
    }
  }

  /// Adds the times of contenders without printing them.
  ///
  /// - Parameters:
  ///   - work: The work of the contenders.
  ///   - measurements: The times of the contenders.
  ///   - name: The contender that the others are compared with.
  func add(_ work: Work, _ measurements: [Measurement], comparing name: String) {
    workloads.append(
      WorkloadFigures(
        number: work.number, title: work.title, rows: work.rows,
        documentBytes: work.documentBytes, conditions: work.conditions, date: machine.date,
        machine: machine.description, own: name,
        contenders: measurements.map { measurement in
          WorkloadFigures.Contender(
            name: measurement.name, party: Party(contender: measurement.name),
            time: measurement.times.isEmpty
              ? nil
              : WorkloadFigures.Time(
                runs: measurement.times.count, minimum: measurement.minimum,
                median: measurement.median, p99: measurement.p99),
            bytes: measurement.bytes)
        }))
  }

  /// Adds and prints a figure with an upper limit.
  ///
  /// - Parameters:
  ///   - goal: The figure.
  ///   - index: The workload with the figure. By default, the last one.
  func add(_ goal: Goal, toWorkloadAt index: Int? = nil) {
    guard let index = index ?? workloads.indices.last else { return }
    workloads[index].goals.append(goal)
    print("  → \(goal.description)")
  }

  /// Adds a limit of a ratio to the last workload.
  func ratio(_ claim: String, _ value: Double, atMost limit: Double) {
    add(Goal(claim: claim, unit: .ratio, value: value, limit: limit))
  }

  /// Adds a limit of a time in seconds to the last workload.
  func time(_ claim: String, _ value: Double, atMost limit: Double) {
    add(Goal(claim: claim, unit: .seconds, value: value, limit: limit))
  }

  /// Prints all goals.
  func summary() {
    if workloads.allSatisfy(\.goals.isEmpty) { return }
    print("\ngoals")
    for workload in workloads {
      for goal in workload.goals {
        print("  \(workload.title), \(workload.rows) rows: \(goal.description)")
      }
    }
  }

  private static func times(_ measurement: Measurement) -> String {
    if measurement.times.isEmpty { return "" }
    return [
      (measurement.median, "median"), (measurement.minimum, "min"), (measurement.p99, "p99"),
    ].map { seconds, name in
      let text = FigureText.time(seconds)
      return String(repeating: " ", count: max(0, 12 - text.count)) + "\(text) \(name)"
    }.joined(separator: " ")
  }

  private static func perUnit(_ measurement: Measurement, _ work: Work) -> String {
    guard let unit = work.unit else { return "" }
    let nanoseconds = measurement.median * 1e9 / Double(unit.count)
    return String(format: "%8.0f ns per %@", nanoseconds, unit.name)
  }

  private static func bytes(_ measurement: Measurement) -> String {
    measurement.bytes.map { FigureText.size($0) } ?? ""
  }

  private static func comparison(_ own: Measurement, _ other: Measurement) -> String {
    if other.times.isEmpty { return "" }
    return String(format: "Moho takes %.2f times this", own.median / other.median)
  }
}
