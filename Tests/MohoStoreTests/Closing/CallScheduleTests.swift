import Campaigns
import MohoTesting
import Testing

@testable import MohoRows

/// Calls of a store, and others that close it, in every order.
@Suite struct CallScheduleTests {
  private enum Step {
    case begin, beginNested, endNested, end
    /// The call is not part of a running one, and ends.
    case refuse
    case wait
  }

  private struct State {
    var calls = RunningCalls<Int>()
    var isClosed = false
    /// The next step of each actor.
    var steps: [Step]
    /// The number of counted calls that have not ended.
    var countedCalls = 0
    /// The closers whose waiting has ended.
    var resumed: [Int] = []

    mutating func leave() throws {
      countedCalls -= 1
      try resume(calls.leave())
    }

    mutating func resume(_ closers: [Int]) throws {
      if !closers.isEmpty && countedCalls > 0 {
        throw ScheduleDefect("a closer does not wait for a call")
      }
      resumed += closers
    }
  }

  /// Begins a call, makes another one in it, and ends both.
  private static func call(_ actor: Int, _ state: inout State) throws -> Schedule<State>.Progress {
    switch state.steps[actor] {
    case .begin:
      switch state.calls.enter() {
      case .refused:
        if !state.isClosed { throw ScheduleDefect("an open store refuses a call") }
        return .isFinished
      case .admitted:
        if state.isClosed { throw ScheduleDefect("a closed store admits a call") }
        state.steps[actor] = .beginNested
      case .admittedAfterClosing: state.steps[actor] = .refuse
      }
      state.countedCalls += 1
    case .beginNested:
      if state.calls.enter() == .refused { throw ScheduleDefect("a nested call is refused") }
      state.countedCalls += 1
      state.steps[actor] = .endNested
    case .endNested:
      try state.leave()
      state.steps[actor] = .end
    case .end, .refuse, .wait:
      try state.leave()
      return .isFinished
    }
    return .continues
  }

  /// Closes the store, and waits for the running calls.
  private static func close(_ actor: Int, _ state: inout State) throws -> Schedule<State>.Progress {
    if state.steps[actor] == .begin {
      state.steps[actor] = .wait
      state.isClosed = true
      try state.resume(state.calls.close(actor))
      return .continues
    }
    return state.resumed.contains(actor) ? .isFinished : .isBlocked
  }

  private static func schedule(callers: Int, closers: Int) -> Schedule<State> {
    var actors: [Schedule<State>.Actor] = []
    for actor in 0..<callers { actors.append(("caller \(actor)", { try call(actor, &$0) })) }
    for actor in callers..<callers + closers {
      actors.append(("closer \(actor)", { try close(actor, &$0) }))
    }
    let state = State(steps: Array(repeating: .begin, count: callers + closers))
    return Schedule(state, actors) { state in
      if state.resumed.sorted() != Array(callers..<callers + closers) {
        throw ScheduleDefect("the closers \(state.resumed) have ended")
      }
    }
  }

  @Test func aStoreIsClosedAfterItsLastCall() throws {
    #expect(try Self.schedule(callers: 1, closers: 2).runEveryOrder(upTo: 10_000).areAll)
    try Self.schedule(callers: 2, closers: 2)
      .runEveryOrder(upTo: Campaign.count(short: 5_000, full: 200_000))
    var generator = SeededGenerator(seed: 3)
    try Self.schedule(callers: 4, closers: 3)
      .runRandomOrders(Campaign.count(short: 2_000, full: 100_000), using: &generator)
  }
}
