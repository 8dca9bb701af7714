import Campaigns
import MohoMapping
import MohoRows
import MohoTesting
import Testing

@testable import MohoResults

/// Snapshots that read and cache models while others commit, in every order of their steps.
@Suite struct SnapshotScheduleTests {
  /// Reads the models of one row in the newest state.
  private struct Reader {
    var step = 0
    var token: GenerationToken?
    var generation = 0
    var start = 0
    var content = 0
    var isUnsettled = false
  }

  /// A store with one row, a result that follows it, and readers of snapshots.
  private struct State {
    /// The committed contents of the row.
    var contents = [0]
    /// The number of commits that the result has recorded.
    var recorded = 0
    /// The content of the row in each published state of the result.
    var published = [0]
    let history = SnapshotHistory(cacheCapacity: 10)
    /// All states are in use.
    var tokens: [GenerationToken]
    var readers: [Reader]
    var commits: ArraySlice<Int>

    init(commits: [Int], readers count: Int) {
      tokens = [history.token(for: 0)]
      readers = Array(repeating: Reader(), count: count)
      self.commits = commits[...]
    }
  }

  private static let row: Int64 = 7

  private static func recorded(_ content: Int) -> RowWriteSet.RecordedRow {
    .row([UInt64(content)])
  }

  /// Commits a content to the store.
  private static func commit(_ state: inout State) -> Schedule<State>.Progress {
    if let content = state.commits.popFirst() { state.contents.append(content) }
    return state.commits.isEmpty ? .isFinished : .continues
  }

  /// Records a commit, and then publishes its state.
  private static func follow(
    _ count: Int, _ state: inout State
  ) -> Schedule<State>.Progress {
    if state.recorded == state.published.count - 1 {
      guard state.recorded + 1 < state.contents.count else { return .isBlocked }
      let (old, new) = (state.contents[state.recorded], state.contents[state.recorded + 1])
      var touched = TouchedRows()
      touched.writtenRows[row] = RowDelta(before: recorded(old), after: recorded(new))
      state.recorded += 1
      state.history.record(touched, generation: state.recorded, isNew: true)
    } else {
      state.tokens.append(state.history.token(for: state.recorded))
      state.published.append(state.contents[state.recorded])
    }
    return state.published.count == count + 1 ? .isFinished : .continues
  }

  /// Takes a snapshot, and reads its row.
  private static func read(
    _ number: Int, _ state: inout State
  ) throws -> Schedule<State>.Progress {
    var reader = state.readers[number]
    defer { state.readers[number] = reader }
    reader.step += 1
    switch reader.step {
    case 1:
      reader.generation = state.published.count - 1
      reader.token = state.history.token(for: reader.generation)
    case 2: reader.start = state.published.count - 1
    case 3:
      reader.content = state.contents[state.contents.count - 1]
      reader.isUnsettled = state.recorded < state.contents.count - 1
    case 4:
      let model = Card(id: 1, deck: nil, rank: reader.content, title: "")
      let isOfState = state.history.insert(
        ModelBatch([model]), of: [row], in: reader.generation, readAfter: reader.start,
        unsettled: reader.isUnsettled ? [row] : [])
      if isOfState[0], reader.content != state.published[reader.generation] {
        throw ScheduleDefect(
          "\(reader.content) is not the content of state \(reader.generation)")
      }
    default:
      try checkModels(state)
      return .isFinished
    }
    return .continues
  }

  /// Requires that each cached model has the content of its state.
  private static func checkModels(_ state: State) throws {
    for (generation, content) in state.published.enumerated() {
      let cached = state.history.model(of: row, in: generation)?.model(as: Card.self)
      if let cached, cached.rank != content {
        throw ScheduleDefect("state \(generation) has \(cached.rank), not \(content)")
      }
    }
  }

  private static func schedule(_ contents: [Int], readers: Int) -> Schedule<State> {
    var actors: [Schedule<State>.Actor] = [
      ("writer", { commit(&$0) }), ("follower", { follow(contents.count, &$0) }),
    ]
    for number in 0..<readers {
      actors.append(("reader \(number)", { try read(number, &$0) }))
    }
    return Schedule(State(commits: contents, readers: readers), actors) { try checkModels($0) }
  }

  @Test(arguments: [[1], [1, 2], [1, 0], [1, 1]])
  func aModelHasTheContentOfItsSnapshotInEveryOrder(contents: [Int]) throws {
    let orders = try Self.schedule(contents, readers: 1).runEveryOrder(upTo: 100_000)
    #expect(orders.areAll && orders.count > 10)
  }

  @Test func readersShareModelsOfTheirStatesOnly() throws {
    let orders = try Self.schedule([1, 0], readers: 2)
      .runEveryOrder(upTo: Campaign.count(short: 20_000, full: 300_000))
    #expect(orders.count > 10_000)
    var generator = SeededGenerator(seed: 3)
    try Self.schedule([1, 2, 1, 0, 0, 2], readers: 3)
      .runRandomOrders(Campaign.count(short: 3_000, full: 200_000), using: &generator)
  }
}
