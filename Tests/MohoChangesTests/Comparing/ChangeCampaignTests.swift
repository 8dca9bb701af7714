import Campaigns
import MohoChanges
import MohoTesting
import Testing

/// Random changes of random lists. Each change set is shown in all projections.
///
/// `MOHO_CHANGE_STEPS` sets the total number of changes, for longer runs.
@Suite struct ChangeCampaignTests {
  static let seedCount: UInt64 = 20
  static let steps = Campaign.count("MOHO_CHANGE_STEPS", short: 1_500, full: 5_000)

  @Test(arguments: 1...seedCount)
  func everyChangeIsMinimalAndValidInAllProjections(seed: UInt64) throws {
    var campaign = try ChangeCampaign(seed: seed)
    for step in 0..<max(1, Self.steps / Int(Self.seedCount)) {
      if let defect = try campaign.step() {
        Issue.record("seed \(seed) step \(step): \(defect)")
        return
      }
    }
    #expect(campaign.moveCount > 0)
    #expect(campaign.exhaustiveCount > 0)
  }
}

private struct ChangeCampaign {
  var list: RandomList
  var index: OrderedIndex
  var views: SimulatedViews
  var history: History
  var moveCount = 0
  /// The number of changes small enough for an exhaustive search for the
  /// minimal number of moves.
  var exhaustiveCount = 0

  init(seed: UInt64) throws {
    list = RandomList(seed: seed, sectioned: seed % 4 != 0)
    index = try list.index()
    let list = list
    views = SimulatedViews(SimulatedViews.Rows(index) { list.version(of: $0) })
    history = History(index)
  }

  /// Changes the list once, and returns a description of the first failure.
  mutating func step() throws -> String? {
    let changedKeys = list.mutate()
    let (removed, placements) = list.placements(changedKeys)
    let built = try list.index()
    let transition = Transition(old: index, new: built, changedKeys: changedKeys)
    let expected = transition.changes

    let (next, changes) = try index.updated(removing: removed, placing: placements)
    if let defect = next.invariantViolation { return "\(defect)\n\(transition)" }
    guard next == built else {
      return "\(next.notation) differs from the rebuilt index\n\(transition)"
    }
    guard changes == expected else {
      return "updated:\n\(changes)\ncompared:\n\(expected)\n\(transition)"
    }

    if changedKeys.count <= 5, transition.hasSameSectionOrder {
      exhaustiveCount += 1
      let (moves, minimum) = (changes.rows.count(where: \.isMove), transition.minimalMoveCount)
      guard moves == minimum else { return "\(moves) moves, not \(minimum):\n\(transition)" }
    }

    let before = views.rows
    let list = list
    let after = SimulatedViews.Rows(next) { list.version(of: $0) }
    if let defect = views.show(changes, from: index, to: next, rows: after) {
      return "\(defect)\n\(transition)\n\(changes)"
    }
    var inverseViews = SimulatedViews(after)
    let inverse = changes.inverse
    if let defect = inverseViews.show(inverse, from: next, to: index, rows: before) {
      return "inverse: \(defect)\n\(transition)\n\(changes)"
    }
    guard inverse.inverse == changes else { return "inverse of the inverse differs: \(transition)" }

    moveCount += changes.rows.count(where: \.isMove)
    index = next
    return history.append(changes, next)
  }
}

/// The last states of a list, to check composed change sets against direct
/// comparisons.
private struct History {
  private var states: [OrderedIndex]
  private var changes: [ChangeSet] = []

  init(_ index: OrderedIndex) { states = [index] }

  mutating func append(_ next: ChangeSet, _ index: OrderedIndex) -> String? {
    states.append(index)
    changes.append(next)
    if states.count > 6 {
      states.removeFirst()
      changes.removeFirst()
    }

    var composed = changes[changes.count - 1]
    for first in changes.indices.dropLast().reversed() {
      let direct = ChangeSet(
        from: states[first], to: index, changedKeys: changedKeys(of: [changes[first], composed]))
      composed = changes[first].followed(
        by: composed, from: states[first], to: index, keys: RandomList.keys)
      guard composed == direct else {
        return """
          composition of \(changes.count - first) changes:
          \(composed)
          direct:
          \(direct)
          \(changes[first...].map { "\($0)" }.joined(separator: "\nthen\n"))
          """
      }
    }
    return nil
  }

  private func changedKeys(of changes: [ChangeSet]) -> [Int64: [String]] {
    var keys: [Int64: Set<String>] = [:]
    var removed: Set<Int64> = []
    for change in changes.flatMap(\.rows) {
      keys[change.rowID, default: []].formUnion(change.changedKeys)
      if change.new == nil { removed.insert(change.rowID) }
      if change.old == nil, removed.contains(change.rowID) {
        keys[change.rowID] = Set(RandomList.keys)
      }
    }
    return keys.mapValues { $0.sorted() }
  }
}
