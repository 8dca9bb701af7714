import Testing

@testable import MohoPostgres

@Suite struct ListenerPaceTests {
  private let notified = ListenerPace.notifiedStepCount
  private let polled = ListenerPace.polledStepCount

  /// Returns whether a listener polls after steps that have found a number of transactions.
  private func polls(
    _ pace: inout ListenerPace, after steps: Int, of count: Int, every interval: Int
  ) -> Bool {
    for _ in 0..<steps { pace.recordStep(transactions: count, after: interval) }
    return pace.isPolling
  }

  @Test func `a program that waits for each update is notified`() {
    var pace = ListenerPace()
    #expect(!polls(&pace, after: 10 * notified, of: 1, every: 0))
  }

  @Test func `a listener polls while many transactions are committed`() {
    var pace = ListenerPace()
    #expect(!polls(&pace, after: notified - 1, of: 50, every: 1))
    #expect(polls(&pace, after: 1, of: 50, every: 1))
    // 600, 490 and no transactions in a second.
    #expect(polls(&pace, after: 10 * polled, of: 6, every: 10))
    #expect(!polls(&pace, after: polled, of: 49, every: 100))
    #expect(polls(&pace, after: notified, of: 2, every: 1))
    #expect(!polls(&pace, after: polled, of: 0, every: 10))
  }

  @Test(arguments: [(0, 10), (1, 10), (2, 18), (11, 99), (1_000, 100)])
  func `slow steps have longer pauses`(duration: Int, pause: Int) {
    #expect(ListenerPace.pause(after: duration) == pause)
  }
}
