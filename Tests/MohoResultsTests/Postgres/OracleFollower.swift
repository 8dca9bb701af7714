import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting

/// A controller, and what it must show. Each update is compared with a full fetch in
/// the snapshot of the update, and applied to simulated views.
// `@unchecked`: the properties are used on the queue of the commits, and by one thread
// after the last commit.
final class OracleFollower: @unchecked Sendable {
  let name: String
  let controller: ResultsController<Story>
  private(set) var changeCount = 0
  private let request: ModelRequest<Story>
  private var known: ResultsSnapshot<Story>
  private var models: [Int64: Story]
  private var views: SimulatedViews<Story>
  /// The models of each generation, and whether only keys with other values were
  /// reported.
  private(set) var history: [Int: (models: [Int64: Story], isExact: Bool)] = [:]
  private var consumers: [OracleConsumer] = []
  /// Whether a step could not be compared, because the connection was lost.
  private(set) var hasGap = false
  private var isBehind = false

  init(
    _ name: String, _ request: ModelRequest<Story>, sectionedBy section: Operand? = nil,
    in store: ModelStore
  ) throws {
    self.name = name
    self.request = request.batchSize(7)
    controller = try ResultsController(
      self.request, sectionedBy: section, in: store, rescans: false)
    known = controller.snapshot
    models = try Self.models(known)
    views = SimulatedViews(try SimulatedTable.Rows(known.index, models))
    history[known.generation] = (models, true)
  }

  /// Adds a consumer of the updates.
  func add(_ kind: OracleConsumer.Kind, seed: UInt64) {
    consumers.append(OracleConsumer(kind, of: controller, seed: seed))
  }

  /// Ends the consumers, and checks what they have received.
  func checkConsumers() async throws -> Int {
    var count = 0
    for consumer in consumers {
      do { count += try await consumer.finish(history, hasGap: hasGap) } catch {
        throw Mismatch(description: "\(consumer.kind) consumer: \(error)")
      }
    }
    return count
  }

  private static func models(_ snapshot: ResultsSnapshot<Story>) throws -> [Int64: Story] {
    Dictionary(
      uniqueKeysWithValues: zip(snapshot.index.rowIDs, try snapshot.models()))
  }

  /// Compares the models of the newest snapshot with the store, after all commits.
  func checkModels() throws {
    try require(try Self.models(controller.snapshot) == models, "the models differ")
  }

  /// Compares the state of the controller with the store. Called after each commit, in
  /// the transaction of its observers.
  ///
  /// - Parameter isExact: Whether only keys with other values may be reported.
  func check(_ reader: StoreReader, isExact: Bool) throws {
    do { try compare(reader, isExact: isExact) } catch let error as StoreError
      where error.isLostConnection
    {
      (hasGap, isBehind) = (true, true)
    }
  }

  private func compare(_ reader: StoreReader, isExact: Bool) throws {
    let (snapshot, step) = (controller.snapshot, controller.lastTransition)
    let rowIDs = try reader.fetchIdentities(request)
    try require(
      Array(snapshot.index.rowIDs) == rowIDs,
      "the rows are \(Array(snapshot.index.rowIDs)), not \(rowIDs)")
    let fetched = Dictionary(
      uniqueKeysWithValues: zip(rowIDs, try reader.fetch(request)))
    if isBehind {
      (known, models, isBehind) = (snapshot, fetched, false)
      views = SimulatedViews(try SimulatedTable.Rows(known.index, models))
      history[known.generation] = (models, false)
      for consumer in consumers { consumer.receive(snapshot) }
      return
    }
    guard snapshot.generation > known.generation else {
      return try require(fetched == models, "a change was not reported")
    }
    try require(
      snapshot.generation == known.generation + 1, "a step has more than one generation")
    var recorded: [Int64: RowChange] = [:]
    for change in step.changes.rows {
      try require(
        recorded.updateValue(change, forKey: change.rowID) == nil, "two records:\n\(step.changes)")
    }
    for rowID in Set(models.keys).union(fetched.keys) {
      if let old = models[rowID], let new = fetched[rowID] {
        let (keys, found) = (old.changedKeys(to: new), recorded[rowID]?.changedKeys ?? [])
        try require(
          isExact ? keys == found : Set(keys).isSubset(of: found),
          "row \(rowID) has changed \(keys), not \(found):\n\(old)\n\(new)\n\(step.changes)")
      } else {
        try require(recorded[rowID] != nil, "row \(rowID) has no record:\n\(step.changes)")
      }
    }
    let issue = views.apply(
      step.changes, from: known.index, to: snapshot.index,
      rows: try SimulatedTable.Rows(snapshot.index, fetched),
      mode: isExact ? [.strict, .minimal] : [.strict])
    if let issue { throw Mismatch(description: "\(issue)\n\(step.changes)") }
    (known, models, changeCount) = (snapshot, fetched, changeCount + 1)
    history[snapshot.generation] = (fetched, isExact)
    for consumer in consumers { consumer.receive(snapshot) }
  }
}
