/// Decides whether a listener waits for notifications, or polls the log.
///
/// A notification arrives at once, but transactions that notify are committed one after the
/// other. A listener that finds several transactions in a step has fallen behind, and polls. It
/// then finds the commits of several transactions at once.
struct ListenerPace: Equatable, Sendable {
  /// Whether the listener polls.
  private(set) var isPolling = false
  /// What was recorded since the last decision.
  private var (steps, transactions, milliseconds) = (0, 0, 0)

  /// The number of steps until a listener may begin to poll, and until it may end polling.
  static let (notifiedStepCount, polledStepCount) = (8, 32)
  /// The number of transactions in a second below which a listener ends polling.
  static let lowRate = 500

  /// The pause before the next step of a listener that polls, in milliseconds. Slow steps take
  /// at most a tenth of the time.
  ///
  /// - Parameter duration: The duration of the last step in milliseconds.
  static func pause(after duration: Int) -> Int { min(max(10, 9 * duration), 100) }

  /// Records a step.
  ///
  /// - Parameters:
  ///   - count: The number of transactions that the step has found.
  ///   - interval: The number of milliseconds since the previous step.
  mutating func recordStep(transactions count: Int, after interval: Int) {
    steps += 1
    transactions += count
    milliseconds += interval
    guard steps == (isPolling ? Self.polledStepCount : Self.notifiedStepCount) else { return }
    isPolling =
      isPolling
      ? transactions * 1_000 >= Self.lowRate * milliseconds
        // A program that waits for each update before it commits again, and so needs the
        // notifications, has one transaction for each step.
      : transactions >= 2 * steps
    (steps, transactions, milliseconds) = (0, 0, 0)
  }
}
