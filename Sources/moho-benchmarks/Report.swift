import Foundation

/// The table of a workload.
struct Report {
  let title: String
  /// What is counted, such as `row`.
  let unit: String
  let count: Int

  func print(_ measurements: [Measurement], rounds: Int) {
    Swift.print("\n\(title), \(rounds) interleaved rounds")
    guard let own = measurements.first else { return }
    for measurement in measurements {
      let times = String(
        format: "%8.1f ms median %8.1f ms min %8.0f ns a %@",
        measurement.median * 1e3, measurement.minimum * 1e3,
        measurement.median * 1e9 / Double(count), unit)
      let memory = measurement.peakMemory.map { String(format: "%8.1f MB peak", Double($0) / 1e6) }
      let ratio = String(
        format: "%@ is %.2f times this", own.name, own.median / measurement.median)
      Swift.print(
        measurement.name.padding(toLength: 34, withPad: " ", startingAt: 0),
        times, memory ?? "", " ", ratio)
    }
  }
}
