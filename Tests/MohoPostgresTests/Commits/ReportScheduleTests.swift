import Campaigns
import MohoTesting
import Testing

@testable import MohoPostgres

/// Writers that wait until their commits are reported, and the steps of a feed, in every order.
@Suite struct ReportScheduleTests {
  private struct Writer {
    var commit: Int?
    var request: Int?
  }

  private struct State {
    var commitCount = 0
    var requests = ReportRequests()
    var writers: [Writer]
    /// The step that is running: the requests that it meets, and its snapshot.
    var metRequests: Int?
    var snapshot: Int?
    /// The number of commits that the subscribers have received.
    var reportedCount = 0
    /// The number of steps that begin without a request, such as after a notification.
    var unrequestedSteps = 2

    /// Whether a writer waits.
    var hasUnmetRequest: Bool {
      writers.contains { $0.request.map { !requests.isMet($0) } ?? false }
    }
  }

  /// Commits, requests a report, and waits for it.
  private static func write(
    _ number: Int, _ state: inout State
  ) throws -> Schedule<State>.Progress {
    guard let commit = state.writers[number].commit else {
      state.commitCount += 1
      state.writers[number].commit = state.commitCount
      return .continues
    }
    guard let request = state.writers[number].request else {
      state.writers[number].request = state.requests.add()
      return .continues
    }
    if !state.requests.isMet(request) { return .isBlocked }
    if state.reportedCount < commit {
      throw ScheduleDefect("writer \(number) does not wait for its commit")
    }
    return .isFinished
  }

  /// Begins a step, takes its snapshot, reports its commits, or ends it.
  private static func follow(
    _ state: inout State, until isFinished: (State) -> Bool
  ) -> Schedule<State>.Progress {
    guard let requests = state.metRequests else {
      if isFinished(state) { return .isFinished }
      if !state.hasUnmetRequest {
        if state.unrequestedSteps == 0 { return .isBlocked }
        state.unrequestedSteps -= 1
      }
      state.metRequests = state.requests.beginStep().requests
      return .continues
    }
    guard let snapshot = state.snapshot else {
      state.snapshot = state.commitCount
      return .continues
    }
    if state.reportedCount < snapshot {
      state.reportedCount = snapshot
      return .continues
    }
    state.requests.meet(requests)
    (state.metRequests, state.snapshot) = (nil, nil)
    return .continues
  }

  private static func schedule(writers count: Int) -> Schedule<State> {
    let isFinished: (State) -> Bool = { state in
      state.writers.allSatisfy { $0.request.map(state.requests.isMet) ?? false }
    }
    var actors: [Schedule<State>.Actor] = [
      ("feed", { follow(&$0, until: isFinished) })
    ]
    for number in 0..<count { actors.append(("writer \(number)", { try write(number, &$0) })) }
    let state = State(writers: Array(repeating: Writer(), count: count))
    return Schedule(state, actors) { _ in }
  }

  @Test func aWriterWaitsForAStepThatBeginsAfterItsCommit() throws {
    let orders = try Self.schedule(writers: 1)
      .runEveryOrder(upTo: Campaign.count(short: 5_000, full: 100_000))
    #expect(orders.count > 100)
    var generator = SeededGenerator(seed: 5)
    try Self.schedule(writers: 3)
      .runRandomOrders(Campaign.count(short: 2_000, full: 100_000), using: &generator)
  }
}
