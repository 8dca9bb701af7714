import Foundation
import MohoChanges
import MohoTesting
import Testing

/// Random changes of random lists, each shown in every projection.
///
/// `MOHO_CHANGE_STEPS` sets the number of changes of the whole campaign, for
/// longer runs.
@Suite struct ChangeCampaignTests {
  static let seedCount: UInt64 = 20
  static let steps =
    ProcessInfo.processInfo.environment["MOHO_CHANGE_STEPS"].flatMap(Int.init) ?? 5_000

  @Test(arguments: 1...seedCount)
  func everyChangeIsExactAndLegalInAllProjections(seed: UInt64) throws {
    var campaign = try Campaign(seed: seed)
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

private struct Campaign {
  var list: RandomList
  var index: OrderedIndex
  var consumers: Consumers
  var history: History
  var moveCount = 0
  /// How many changes were small enough to try all moves.
  var exhaustiveCount = 0

  init(seed: UInt64) throws {
    list = RandomList(seed: seed, sectioned: seed % 4 != 0)
    index = try list.index()
    let list = list
    consumers = Consumers(Consumers.Rows(index) { list.version(of: $0) })
    history = History(index)
  }

  /// Changes the list once, and answers what went wrong.
  mutating func step() throws -> String? {
    let changedKeys = list.mutate()
    let (gone, places) = list.probes(changedKeys)
    let built = try list.index()
    let transition = Transition(old: index, new: built, changedKeys: changedKeys)
    let expected = transition.changes

    let (next, changes) = try index.updated(removing: gone, placing: places)
    if let defect = next.defect { return "\(defect)\n\(transition)" }
    guard next == built else { return "\(next.notation) differs from rescan\n\(transition)" }
    guard changes == expected else {
      return "incremental:\n\(changes)\nfull:\n\(expected)\n\(transition)"
    }

    if changedKeys.count <= 5, transition.keepsSectionOrder {
      exhaustiveCount += 1
      let (moves, fewest) = (changes.rows.count(where: \.isMove), transition.fewestMoves)
      guard moves == fewest else { return "\(moves) moves, not \(fewest):\n\(transition)" }
    }

    let before = consumers.rows
    let list = list
    let after = Consumers.Rows(next) { list.version(of: $0) }
    if let defect = consumers.show(changes, from: index, to: next, rows: after) {
      return "\(defect)\n\(transition)\n\(changes)"
    }
    var backwards = Consumers(after)
    let inverse = changes.inverse
    if let defect = backwards.show(inverse, from: next, to: index, rows: before) {
      return "inverse: \(defect)\n\(transition)\n\(changes)"
    }
    guard inverse.inverse == changes else { return "inverse of the inverse differs: \(transition)" }

    moveCount += changes.rows.count(where: \.isMove)
    index = next
    return history.append(changes, next)
  }
}

/// The last states of a list. Composed change sets are checked against comparing
/// the states.
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
    var gone: Set<Int64> = []
    for change in changes.flatMap(\.rows) {
      keys[change.rowID, default: []].formUnion(change.changedKeys)
      if change.new == nil { gone.insert(change.rowID) }
      if change.old == nil, gone.contains(change.rowID) {
        keys[change.rowID] = Set(RandomList.keys)
      }
    }
    return keys.mapValues { $0.sorted() }
  }
}
