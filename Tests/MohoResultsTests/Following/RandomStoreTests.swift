import Campaigns
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Runs random transactions on a store, and compares every update of several
/// controllers with a simulated table and with models in memory.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct RandomStoreTests {
  @Test(arguments: UInt64(1)...UInt64(Campaign.count(short: 2, full: 12)))
  func tablesFollowRandomTransactions(seed: UInt64) async throws {
    let store = try emptyStore(Card.self)
    var random = RandomCards(seed: seed)
    try random.commit(to: store)
    var followers = try [
      Follower(
        "sections", store, ModelRequest().order(by: \.deck).order(by: \.rank, .descending),
        isSectioned: true
      ) { $0.sorted { ($0.deck ?? "", -$0.rank, -$0.id) < ($1.deck ?? "", -$1.rank, -$1.id) } },
      Follower("one list", store, ModelRequest().order(by: \.title)) {
        $0.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
      },
      Follower(
        "filter", store,
        ModelRequest().filter { $0.note != nil && $0.rank < 12 }.order(by: \.rank)
      ) {
        $0.filter { $0.note != nil && $0.rank < 12 }.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      },
      Follower("descending", store, ModelRequest().order(by: \.rank, .descending)) {
        $0.sorted { ($0.rank, $0.id) > ($1.rank, $1.id) }
      },
      Follower("one deck", store, ModelRequest().filter { $0.deck == "B" }.order(by: \.rank)) {
        $0.filter { $0.deck == "B" }.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      },
      Follower(
        "one rank", store,
        ModelRequest().filter { $0.rank == 7 }.order(by: \.rank, .descending)
          .order(by: \.id, .descending)
      ) { $0.filter { $0.rank == 7 }.sorted { $0.id > $1.id } },
      Follower(
        "limit", store, ModelRequest().order(by: \.rank).order(by: \.title).offset(2).limit(7)
      ) {
        Array(
          $0.sorted { ($0.rank, $0.title, $0.id) < ($1.rank, $1.title, $1.id) }
            .dropFirst(2).prefix(7))
      },
      Follower("slow", store, ModelRequest().order(by: \.rank), interval: 7) {
        $0.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      },
    ]

    // Odd seeds test the first half of the followers, even seeds the second.
    if !Campaign.isRunning {
      followers = Array(seed % 2 == 1 ? followers.prefix(4) : followers.suffix(4))
    }

    let transactions = Campaign.count(short: 300, full: 5_000)
    for transaction in 0..<transactions {
      try random.commit(to: store)
      let cards = random.cards.map(\.value)
      for index in followers.indices {
        do {
          try await followers[index].follow(cards, transaction)
        } catch {
          Issue.record(
            "seed \(seed), transaction \(transaction), \(followers[index].name): \(error)")
          return
        }
      }
    }
    #expect(followers.allSatisfy { $0.updateCount > transactions * 3 / 50 })
  }
}

/// A consumer of one controller that updates a table.
private struct Follower {
  let name: String
  private(set) var updateCount = 0
  private let controller: ResultsController<Card>
  private let isSectioned: Bool
  private let interval: Int
  private let expected: ([Card]) -> [Card]
  private var iterator: ResultsUpdates<Card>.AsyncIterator
  private var known: ResultsSnapshot<Card>
  private var cards: [Int64: Card]
  private var table: SimulatedTable<Card>

  init(
    _ name: String, _ store: ModelStore, _ request: ModelRequest<Card>, isSectioned: Bool = false,
    interval: Int = 1, _ expected: @escaping ([Card]) -> [Card]
  ) throws {
    self.name = name
    self.isSectioned = isSectioned
    self.interval = interval
    self.expected = expected
    let request = request.batchSize(3)
    controller =
      isSectioned
      ? try ResultsController(request, in: store, sectionedBy: \.deck)
      : try ResultsController(request, in: store)
    known = controller.snapshot
    iterator = controller.updates(since: known).makeAsyncIterator()
    cards = Self.byID(try known.models())
    table = SimulatedTable(rows: try SimulatedTable.Rows(known.index, cards))
  }

  mutating func follow(_ all: [Card], _ transaction: Int) async throws {
    guard transaction % interval == 0 else { return }
    let expected = expected(all)
    let newest = controller.snapshot
    try require(try newest.models() == expected, "the snapshot's models differ")
    try requireSections(of: newest, expected)

    // Without a newer state, nothing may have changed.
    let knownIDs = known.index.rowIDs.map { cards[$0] }
    guard newest.generation > known.generation, knownIDs != expected else {
      try require(
        knownIDs == expected || newest.generation > known.generation, "a change was not reported")
      return
    }
    guard let update = try await iterator.next() else { throw Mismatch(description: "no update") }
    try require(update.before.generation == known.generation, "the update starts at another state")
    try require(update.after.generation == newest.generation, "the update ends at another state")

    let later = Self.byID(expected)
    try require(
      Self.exact(update.changes, cards, later), "records are not exact:\n\(update.changes)")
    do {
      try table.perform(
        update.changes.batchPlan, before: SimulatedTable.Rows(known.index, cards),
        after: SimulatedTable.Rows(update.after.index, later), mode: [.strict, .minimal])
    } catch {
      throw Mismatch(description: "\(error)\n\(update.changes)")
    }
    (known, cards, updateCount) = (update.after, later, updateCount + 1)
  }

  /// Whether each inserted, deleted or changed card has one record, with the names of
  /// the changed keys.
  private static func exact(
    _ changes: ChangeSet, _ old: [Int64: Card], _ new: [Int64: Card]
  ) -> Bool {
    var recorded: [Int64: [String]] = [:]
    for change in changes.rows {
      guard recorded.updateValue(change.changedKeys, forKey: change.rowID) == nil else {
        return false
      }
    }
    for rowID in Set(old.keys).union(new.keys) {
      switch (old[rowID], new[rowID]) {
      case (let old?, let new?):
        if recorded[rowID, default: []] != old.changedKeys(to: new) { return false }
        if old == new, recorded[rowID] != nil { return false }
      default:
        if recorded[rowID] != [] { return false }
      }
    }
    return true
  }

  private func requireSections(of snapshot: ResultsSnapshot<Card>, _ cards: [Card]) throws {
    guard isSectioned else {
      try require(snapshot.sections.map(\.count) == [cards.count], "not one section")
      return
    }
    var counts: [(String, Int)] = []
    for card in cards {
      let name = card.deck ?? ""
      if counts.last?.0 == name {
        counts[counts.count - 1].1 += 1
      } else {
        counts.append((name, 1))
      }
    }
    let sections = snapshot.sections
    try require(sections.map(\.name) == counts.map(\.0), "the names of sections differ")
    try require(sections.map(\.count) == counts.map(\.1), "the counts of sections differ")
  }

  private static func byID(_ cards: [Card]) -> [Int64: Card] {
    Dictionary(cards.map { (Int64($0.id), $0) }, uniquingKeysWith: { $1 })
  }
}
