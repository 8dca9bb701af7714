import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite

/// A controller that the oracle follows, for any model type.
protocol FollowedList: AnyObject {
  var name: String { get }
  /// Reads the present list with SQL, as the moment `timeline.now`.
  func observe(_ database: OracleDatabase, _ timeline: Timeline) throws
  /// Compares the current snapshot with the list that SQL read.
  func checkCurrent(_ timeline: Timeline) throws
  /// Performs the due actions of the consumers.
  func consume(_ timeline: Timeline, _ random: inout SeededRandom) async throws
  /// Reads models from snapshots.
  func read(_ timeline: Timeline, _ random: inout SeededRandom) throws
  /// Reads models from the current snapshot before a commit of the other connection is
  /// detected.
  func readUnsettled(_ timeline: Timeline) throws
  /// Sets another request.
  func switchRequest(_ random: inout SeededRandom) throws
  /// Cancels all waiting consumers.
  func finish(_ timeline: Timeline) async throws
}

/// A request in Moho and in SQL.
struct Variant<Model: OracleModel> {
  let sql: String
  let start: (ModelStore) throws -> ResultsController<Model>
  let set: (ResultsController<Model>) throws -> Void
}

/// A snapshot, and the first moment at which it was the current one.
struct KnownState<Model: OracleModel>: Sendable {
  let snapshot: ResultsSnapshot<Model>
  let moment: Int
}

/// A controller of one model, its consumers and their snapshots.
final class FollowedController<Model: OracleModel>: FollowedList {
  let name: String
  let isSectioned: Bool
  let variants: [Variant<Model>]
  var current = 0
  let controller: ResultsController<Model>

  /// The list at each moment, and the moments at which the request changed.
  var states: [ListState] = []
  var reorderings: [Int] = []
  var momentOfGeneration: [Int: Int] = [:]
  var lastGeneration = -1
  var isSwitched = false
  /// The moments after which models were read before a commit was detected.
  var unsettledReads: Set<Int> = []

  var consumers: [Consumer<Model>] = []
  var oldStates: [KnownState<Model>] = []

  init(
    _ name: String, in store: ModelStore, isSectioned: Bool, _ variants: [Variant<Model>]
  ) throws {
    self.name = name
    self.isSectioned = isSectioned
    self.variants = variants
    controller = try variants[0].start(store)
  }

  func observe(_ database: OracleDatabase, _ timeline: Timeline) throws {
    let sql = variants[current].sql
    if let last = states.last, !database.isStale(sql), !isSwitched {
      states.append(last)
    } else {
      let new = try database.list(sql, isSectioned: isSectioned)
      if let last = states.last, last.equals(new) {
        states.append(last)
      } else {
        while states.count < timeline.now { states.append(new) }
        states.append(new)
      }
    }
    if isSwitched {
      reorderings.append(timeline.now)
      isSwitched = false
    }
    let snapshot = controller.snapshot
    if snapshot.generation != lastGeneration {
      lastGeneration = snapshot.generation
      momentOfGeneration[lastGeneration] = timeline.now
    }
    if consumers.isEmpty {
      let known = KnownState(snapshot: snapshot, moment: timeline.now)
      consumers = ConsumerKind.allCases.map { Consumer($0, known) }
    }
  }

  func checkCurrent(_ timeline: Timeline) throws {
    let snapshot = controller.snapshot
    if let difference = states[timeline.now].difference(from: snapshot.index) {
      throw Disagreement("\(name): the current snapshot has \(difference)")
    }
    // A change without a new state could never be reported.
    guard let moment = momentOfGeneration[snapshot.generation], moment < timeline.now else {
      return
    }
    let keys = changedRows(from: moment, to: timeline.now, timeline)
    if let (rowID, keys) = keys.first {
      throw Disagreement("\(name): the change of \(keys) of row \(rowID) produced no new state")
    }
  }

  /// The changed keys between two moments, for rows in both lists.
  func changedRows(
    from old: Int, to new: Int, _ timeline: Timeline
  ) -> [(rowID: Int64, keys: [String])] {
    let kind = Model.kind
    if timeline.contents[kind]?[old] === timeline.contents[kind]?[new] { return [] }
    let names = Model.keyNames
    return states[new].rowIDs.compactMap { rowID in
      guard states[old].contains(rowID) else { return nil }
      let keys = timeline.changedKeys(of: rowID, kind, from: old, to: new)
      return keys.isEmpty ? nil : (rowID, keys.map { names[$0] })
    }
  }

  /// Whether a consumer must receive an update between two moments.
  private func differs(_ old: Int, _ new: Int, _ timeline: Timeline) -> Bool {
    !states[old].looksLike(states[new]) || !changedRows(from: old, to: new, timeline).isEmpty
  }

  func consume(_ timeline: Timeline, _ random: inout SeededRandom) async throws {
    let now = timeline.now
    for consumer in consumers {
      consumer.countdown -= 1
      if consumer.countdown > 0 { continue }
      consumer.countdown = consumer.kind.lag(&random)
      switch consumer.kind {
      case .eager, .lagging, .sleepy, .composing:
        guard differs(consumer.known.moment, now, timeline) else { continue }
        try await take(consumer, timeline)
      case .waiting:
        try await consumeWaiting(consumer, timeline)
      case .canceling:
        try await cancel(consumer, timeline, &random)
      case .late:
        if let known = oldStates.randomElement(using: &random) { consumer.known = known }
        guard differs(consumer.known.moment, now, timeline) else { continue }
        try await take(consumer, timeline)
      }
    }
    if random.chance(1, in: 5) {
      if oldStates.count > 5 { oldStates.remove(at: random.below(oldStates.count)) }
      let snapshot = controller.snapshot
      if let moment = momentOfGeneration[snapshot.generation] {
        oldStates.append(KnownState(snapshot: snapshot, moment: moment))
      }
    }
  }

  private func take(_ consumer: Consumer<Model>, _ timeline: Timeline) async throws {
    let known = consumer.known
    let update = try await nextUpdate(controller.updates(since: known.snapshot))
    guard let update else {
      throw Disagreement(
        "\(name): no update for the consumer `\(consumer.kind)` of moment \(known.moment),"
          + " now is \(timeline.now): \(states[known.moment].rowIDs) is"
          + " \(states[timeline.now].rowIDs), changed are"
          + " \(changedRows(from: known.moment, to: timeline.now, timeline))")
    }
    try judge(update, consumer, timeline)
  }

  private func consumeWaiting(_ consumer: Consumer<Model>, _ timeline: Timeline) async throws {
    let known = consumer.known
    if let waiting = consumer.waiting {
      guard differs(known.moment, timeline.now, timeline) else { return }
      let watchdog = Task {
        try await Task.sleep(for: updateTimeout)
        waiting.cancel()
      }
      let update = try await waiting.value
      watchdog.cancel()
      guard let update else {
        throw Disagreement(
          "\(name): a consumer waiting since moment \(known.moment) receives nothing")
      }
      try judge(update, consumer, timeline)
    }
    let updates = controller.updates(since: consumer.known.snapshot)
    consumer.waiting = Task {
      var iterator = updates.makeAsyncIterator()
      return try await iterator.next()
    }
  }

  private func cancel(
    _ consumer: Consumer<Model>, _ timeline: Timeline, _ random: inout SeededRandom
  ) async throws {
    let updates = controller.updates(since: consumer.known.snapshot)
    let task = Task {
      var iterator = updates.makeAsyncIterator()
      return try await iterator.next()
    }
    if random.chance(1, in: 2) { await Task.yield() }
    task.cancel()
    if let update = try await task.value { try judge(update, consumer, timeline) }
  }

  func switchRequest(_ random: inout SeededRandom) throws {
    guard variants.count > 1 else { return }
    let next = random.below(variants.count)
    if next == current { return }
    current = next
    try variants[next].set(controller)
    isSwitched = true
  }

  func finish(_ timeline: Timeline) async throws {
    for consumer in consumers {
      consumer.waiting?.cancel()
      _ = try await consumer.waiting?.value
      consumer.waiting = nil
    }
  }
}
