import MohoChanges
import MohoResults
import MohoRows
import MohoTesting

/// A task that receives the updates of a controller while others write, and checks
/// them after the last commit.
final class OracleConsumer: Sendable {
  enum Kind: CaseIterable {
    /// Receives each update as soon as possible.
    case eager
    /// Receives an update after several generations.
    case slow
    /// Begins after some generations, and then receives each update.
    case late
    /// Cancels the task while it waits, and continues with another one from the last
    /// received state.
    case canceled
    /// Stops iterating, and later continues from the last received state.
    case restarted
  }

  let kind: Kind
  private let generations: AsyncStream<Int>.Continuation
  private let task: Task<[ResultsUpdate<Story>], any Error>

  init(_ kind: Kind, of controller: ResultsController<Story>, seed: UInt64) {
    self.kind = kind
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    generations = continuation
    let first = controller.snapshot
    task = Task {
      var generator = SeededGenerator(seed: seed)
      return switch kind {
      case .eager, .canceled:
        try await Self.iterate(
          controller, from: first, until: stream, cancels: kind == .canceled, &generator)
      case .slow, .restarted, .late:
        try await Self.step(controller, from: first, kind, stream, &generator)
      }
    }
  }

  /// Called with each new snapshot of the controller.
  func receive(_ snapshot: ResultsSnapshot<Story>) {
    generations.yield(snapshot.generation)
  }

  /// Receives updates until the stream of the generations ends.
  private static func iterate(
    _ controller: ResultsController<Story>, from first: ResultsSnapshot<Story>,
    until stream: AsyncStream<Int>, cancels: Bool, _ generator: inout SeededGenerator
  ) async throws -> [ResultsUpdate<Story>] {
    var updates: [ResultsUpdate<Story>] = []
    var task = Self.task(controller, from: first)
    for await _ in stream where cancels && generator.oneIn(4) {
      task.cancel()
      updates += try await task.value
      task = Self.task(controller, from: updates.last?.after ?? first)
    }
    task.cancel()
    return try await updates + task.value
  }

  /// Begins to receive updates until the task is canceled.
  private static func task(
    _ controller: ResultsController<Story>, from known: ResultsSnapshot<Story>
  ) -> Task<[ResultsUpdate<Story>], any Error> {
    Task {
      var updates: [ResultsUpdate<Story>] = []
      while !Task.isCancelled {
        do {
          let known = updates.last?.after ?? known
          for try await update in controller.updates(since: known) { updates.append(update) }
        } catch let error as StoreError where error.isLostConnection {
          // A new iteration waits for a state that can be read.
          await Task.yield()
        }
      }
      return updates
    }
  }

  /// Receives one update after some generations.
  private static func step(
    _ controller: ResultsController<Story>, from first: ResultsSnapshot<Story>, _ kind: Kind,
    _ stream: AsyncStream<Int>, _ generator: inout SeededGenerator
  ) async throws -> [ResultsUpdate<Story>] {
    var updates: [ResultsUpdate<Story>] = []
    var known = first
    var iterator: ResultsUpdates<Story>.AsyncIterator?
    var pause = generator.below(6)
    for await generation in stream {
      guard pause == 0 else {
        pause -= 1
        continue
      }
      if kind == .late, updates.isEmpty { known = controller.snapshot }
      guard generation > known.generation else { continue }
      if iterator == nil || kind == .restarted {
        iterator = controller.updates(since: known).makeAsyncIterator()
      }
      // The states between may be equal to the known one.
      do {
        guard try !controller.changes(since: known).isEmpty,
          let update = try await iterator?.next()
        else { continue }
        updates.append(update)
        known = update.after
      } catch let error as StoreError where error.isLostConnection {
        iterator = nil
        continue
      }
      pause = kind == .late ? 0 : generator.below(generator.oneIn(4) ? 24 : 5)
    }
    return updates
  }

  /// Ends the task, and checks its updates.
  ///
  /// - Parameter hasGap: Whether some generations were not compared.
  /// - Returns: The number of updates.
  func finish(
    _ history: [Int: (models: [Int64: Story], isExact: Bool)], hasGap: Bool
  ) async throws -> Int {
    generations.finish()
    let updates = try await task.value
    var last: Int?
    let newest = history.keys.max() ?? 0
    // Later commits were not compared.
    for update in updates where update.after.generation <= newest {
      let (old, new) = (update.before.generation, update.after.generation)
      try require(last == nil || last == old, "an update begins at \(old), not at \(last ?? -1)")
      last = new
      guard let before = history[old]?.models, let after = history[new]?.models else {
        if hasGap { continue }
        throw Mismatch(description: "an update has an unknown generation")
      }
      let isExact = (old + 1...new).allSatisfy { history[$0]?.isExact ?? false }
      try Self.check(update, from: before, to: after, isExact: isExact) { rowID in
        (old...new).allSatisfy { history[$0]?.models[rowID] != nil }
      }
    }
    return updates.count
  }

  private static let related: Set = ["shelf", "chapters", "tags"]

  /// - Parameter wasPresent: Returns whether the result contained a row in all generations
  ///   of the update. A row that was removed and inserted again has changed in all keys.
  private static func check(
    _ update: ResultsUpdate<Story>, from before: [Int64: Story], to after: [Int64: Story],
    isExact: Bool, wasPresent: (Int64) -> Bool
  ) throws {
    let changes = update.changes
    var recorded: [Int64: RowChange] = [:]
    for change in changes.rows {
      try require(recorded.updateValue(change, forKey: change.rowID) == nil, "two records")
    }
    for rowID in Set(before.keys).union(after.keys) {
      guard let old = before[rowID], let new = after[rowID] else {
        try require(recorded[rowID] != nil, "row \(rowID) has no record:\n\(changes)")
        continue
      }
      let keys = Set(old.changedKeys(to: new))
      let found = Set(recorded[rowID]?.changedKeys ?? [])
      // Changes of related rows that a later commit has undone are reported, too.
      let isRight =
        keys.isSubset(of: found)
        && (!isExact || found.subtracting(keys).isSubset(of: related) || !wasPresent(rowID))
      try require(isRight, "row \(rowID) has changed \(keys), not \(found):\n\(changes)")
    }
    var views = SimulatedViews(try SimulatedTable.Rows(update.before.index, before))
    let issue = views.apply(
      changes, from: update.before.index, to: update.after.index,
      rows: try SimulatedTable.Rows(update.after.index, after), mode: .strict)
    if let issue { throw Mismatch(description: "\(issue)\n\(changes)") }
  }
}
