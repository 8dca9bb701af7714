import Campaigns
import MohoTesting
import Testing

@testable import MohoSQLite

/// Readers that wait until subscribers have received the commits that they see, in every order
/// of their steps and those of the writer.
@Suite struct CommitScheduleTests {
  private struct Reader {
    var step = 0
    /// The number of commits in the state that the reader sees.
    var seen = 0
    /// The number of the commit for which the reader waits.
    var awaited: Int?
    var isFinished = false
  }

  private struct State {
    var commits = CommitCounts()
    /// The next step of the writer.
    var step = 0
    /// The transactions to commit: whether SQLite refuses the commit.
    var failing: [Bool]
    /// The number of commits that readers can see.
    var visibleCount = 0
    /// The number of commits that subscribers have received.
    var reportedCount = 0
    /// The blocks in the queue of the writer, which end commits.
    var blocks: [Int] = []
    /// Whether the blocks run before the next transaction, and not after the last one.
    var runsBlocksFirst: Bool
    var readers: [Reader]
  }

  /// Begins a commit, makes it visible, reports it, and ends it.
  private static func write(_ state: inout State) -> Schedule<State>.Progress {
    switch state.step {
    case 0:
      if !state.blocks.isEmpty && (state.runsBlocksFirst || state.failing.isEmpty) {
        state.commits.end(upTo: state.blocks.removeFirst())
      } else if state.failing.isEmpty {
        return state.readers.allSatisfy(\.isFinished) ? .isFinished : .isBlocked
      } else {
        state.commits.begin()
        state.step = 1
      }
    case 1:
      // A commit that fails ends without a call.
      if state.failing.removeFirst() {
        state.step = 0
      } else {
        state.visibleCount += 1
        state.step = 2
      }
    case 2:
      state.reportedCount = state.visibleCount
      state.step = 3
    default:
      state.commits.end()
      state.step = 0
    }
    return .continues
  }

  /// Reads, and waits.
  private static func read(
    _ number: Int, _ state: inout State
  ) throws -> Schedule<State>.Progress {
    defer { state.readers[number].step += 1 }
    switch state.readers[number].step {
    case 0:
      state.readers[number].seen = state.visibleCount
      return .continues
    case 1:
      state.readers[number].awaited = state.commits.lastUnended
      if state.readers[number].awaited != nil { return .continues }
    case 2:
      if let last = state.readers[number].awaited { state.blocks.append(last) }
      return .continues
    default:
      let awaited = state.readers[number].awaited ?? 0
      if !state.commits.haveEnded(upTo: awaited) { return .isBlocked }
    }
    if state.reportedCount < state.readers[number].seen {
      throw ScheduleDefect("reader \(number) returns a commit before subscribers receive it")
    }
    state.readers[number].isFinished = true
    return .isFinished
  }

  private static func schedule(
    failing: [Bool], readers count: Int, runsBlocksFirst: Bool
  ) -> Schedule<State> {
    var actors: [Schedule<State>.Actor] = [("writer", { write(&$0) })]
    for number in 0..<count { actors.append(("reader \(number)", { try read(number, &$0) })) }
    let state = State(
      failing: failing, runsBlocksFirst: runsBlocksFirst,
      readers: Array(repeating: Reader(), count: count))
    return Schedule(state, actors) { _ in }
  }

  @Test(
    arguments: [[false], [true], [true, false], [false, true], [false, false]], [false, true])
  func aReaderReturnsACommitAfterSubscribersReceiveIt(
    failing: [Bool], runsBlocksFirst: Bool
  ) throws {
    func schedule(_ failing: [Bool], readers: Int) -> Schedule<State> {
      Self.schedule(failing: failing, readers: readers, runsBlocksFirst: runsBlocksFirst)
    }
    #expect(try schedule(failing, readers: 1).runEveryOrder(upTo: 5_000).areAll)
    try schedule(failing, readers: 2)
      .runEveryOrder(upTo: Campaign.count(short: 1_000, full: 50_000))
    var generator = SeededGenerator(seed: 9)
    try schedule(failing + [true, false], readers: 3)
      .runRandomOrders(Campaign.count(short: 500, full: 25_000), using: &generator)
  }
}
