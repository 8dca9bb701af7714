import Foundation

/// The length of long tests: that of a unit test by default, full with `MOHO_CAMPAIGNS=1`, and
/// a part of the full length with `MOHO_CAMPAIGNS=short`.
///
/// Most of these tests also have a variable of their own, which overrides the others.
package enum Campaign {
  private static let environment = ProcessInfo.processInfo.environment
  private static let divisor = environment["MOHO_CAMPAIGNS"] == "short" ? 24 : 1

  /// Whether a campaign runs, of any length.
  package static let isRunning = ["1", "short"].contains(environment["MOHO_CAMPAIGNS"])

  /// The number in an environment variable.
  package static func number(_ variable: String) -> Int? {
    environment[variable].flatMap { Int($0) }
  }

  /// The number of cases of a test.
  ///
  /// - Parameter variable: The environment variable that overrides the number.
  package static func count(_ variable: String? = nil, short: Int, full: Int) -> Int {
    max(0, variable.flatMap(number) ?? (isRunning ? max(short, full / divisor) : short))
  }

  /// The seeds of a random test.
  ///
  /// - Parameter variable: The environment variable that overrides the first seed.
  package static func seeds(
    from variable: String, default first: UInt64 = 0, count: Int
  ) -> Range<UInt64> {
    let first = environment[variable].flatMap { UInt64($0) } ?? first
    return first..<first + UInt64(count)
  }
}
