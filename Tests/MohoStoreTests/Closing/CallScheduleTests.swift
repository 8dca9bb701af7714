import Campaigns
import MohoTesting
import Testing

@testable import MohoRows

/// Calls of a store, and others that close it, in every order.
@Suite struct CallScheduleTests {
  private struct State {
    var calls = RunningCalls<Int>()
    /// The next step of each actor, from 0.
    var steps: [Int]
    /// The number of admitted calls that have not ended.
    var runningCount = 0
    /// The closers whose waiting has ended.
    var resumed: [Int] = []

    mutating func resume(_ closers: [Int]) throws {
      if !closers.isEmpty && runningCount > 0 { throw Defect("a closer does not wait for a call") }
      resumed += closers
    }
  }

  private struct Defect: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// Begins a call, makes another one in it, and ends both.
  private static func call(_ actor: Int, _ state: inout State) throws -> Schedule<State>.Progress {
    defer { state.steps[actor] += 1 }
    switch state.steps[actor] {
    case 0:
      switch state.calls.enter() {
      case .refused: return .isFinished
      case .admitted:
        if !state.resumed.isEmpty { throw Defect("a closed store admits a call") }
        state.runningCount += 1
      // It is not part of a running call.
      case .admittedAfterClosing: state.steps[actor] = 3
      }
    case 1:
      if state.calls.enter() == .refused { throw Defect("a nested call is refused") }
    case 2: try state.resume(state.calls.leave())
    case 3:
      state.runningCount -= 1
      try state.resume(state.calls.leave())
      return .isFinished
    // Ends a call that is refused.
    default:
      try state.resume(state.calls.leave())
      return .isFinished
    }
    return .continues
  }

  /// Closes the store, and waits for the running calls.
  private static func close(_ actor: Int, _ state: inout State) throws -> Schedule<State>.Progress {
    if state.steps[actor] == 0 {
      state.steps[actor] = 1
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
    let state = State(steps: Array(repeating: 0, count: callers + closers))
    return Schedule(state, actors) { state in
      if state.resumed.sorted() != Array(callers..<callers + closers) {
        throw Defect("the closers \(state.resumed) have ended")
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
