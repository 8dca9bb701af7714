import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Transactions that go on after a call whose changes were undone.
@Suite(.allEngines) struct UndoneCallTests {
  private struct Interruption: Error {}

  /// A call that writes rows and undoes its changes.
  enum Call: CaseIterable {
    case plan, outdatedPlan, models, partialModels, sql, transaction, context

    /// Writes the cards 2 and 9, and undoes it.
    func run(_ writer: StoreWriter, in store: ModelStore, _ outdated: SavePlan) throws {
      let cards = [
        Card(id: 2, deck: "x", rank: 90, title: "undone"),
        Card(id: 9, deck: "x", rank: 91, title: "undone"),
      ]
      switch self {
      case .plan: #expect(try writer.plan(saving: cards).inserts.count == 1)
      case .outdatedPlan:
        let error = #expect(throws: StoreError.self) { try writer.apply(outdated) }
        #expect(error?.code == .planOutdated)
      case .models:
        let refused = Card(id: Self.refused, rank: 1, title: "refused")
        #expect(throws: StoreError.self) { try writer.save(cards + [refused]) }
      case .partialModels:
        let refused = Card(id: Self.refused, rank: 1, title: "refused")
        #expect(throws: StoreError.self) {
          try writer.upsert((cards + [refused]).map { Partial($0) })
        }
      case .sql: try writer.executeUndone("UPDATE \"Card\" SET rank = 90, title = 'undone'")
      case .transaction:
        #expect(throws: Interruption.self) {
          try store.write { inner in
            try inner.save(cards)
            throw Interruption()
          }
        }
      case .context:
        let context = EditingContext(store)
        try context.row(RowIdentity(entity: "Card", stored: 2)).set(\Card.rank, to: 90)
        let row = try context.insert(Card.self).row
        try row.set("id", to: Self.refused)
        try row.set("title", to: "refused")
        try row.set("rank", to: 1)
        #expect(throws: StoreError.self) { try context.save() }
      }
    }

    /// The identity of a card that the database refuses.
    static let refused = 7
  }

  private let store: ModelStore
  private let all = ModelRequest<Card>().order(by: \.rank)

  init() throws {
    store = try emptyStore(Card.self, Photo.self)
    try store.write { writer in
      try writer.save((1...4).map { Card(id: $0, deck: "A", rank: $0, title: "\($0)") })
    }
    try store.execute(
      store.isOnPostgres
        ? "ALTER TABLE \"Card\" ADD CONSTRAINT refuse CHECK (id <> \(Call.refused))"
        : """
        CREATE TRIGGER refuse BEFORE INSERT ON "Card" WHEN NEW.id = \(Call.refused)
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
  }

  private func card(_ id: Int, _ title: String) -> Card {
    Card(id: id, deck: "A", rank: id, title: title)
  }

  /// A plan that writes card 2, and that later changes of card 1 make outdated.
  private func outdatedPlan() throws -> SavePlan {
    try store.plan(saving: [card(1, "planned"), card(2, "planned")])
  }

  @Test(arguments: Call.allCases)
  func aListFollowsWhatIsWrittenBeforeAndAfterTheCall(_ call: Call) throws {
    let controller = try ResultsController(all, in: store)
    let known = controller.snapshot
    let outdated = try outdatedPlan()

    try store.write { writer in
      try writer.save(card(1, "before"))
      try call.run(writer, in: store, outdated)
      try writer.save(card(3, "after"))
    }

    #expect(try controller.snapshot.models().map(\.title) == ["before", "2", "after", "4"])
    #expect(
      try controller.changes(since: known).description == """
        update [0, 0] → [0, 0] changed title
        update [0, 2] → [0, 2] changed title
        """)
  }

  @Test(arguments: Call.allCases)
  func theCallAloneChangesNoList(_ call: Call) throws {
    let outdated = try outdatedPlan()
    try store.write { try $0.save(card(1, "before")) }
    let controller = try ResultsController(all, in: store)
    let count = try store.fetchCount(all)

    try store.write { try call.run($0, in: store, outdated) }

    #expect(controller.snapshot.generation == 0)
    #expect(try controller.snapshot.models().map(\.title) == ["before", "2", "3", "4"])
    #expect(try store.fetchCount(all) == count)
  }

  @Test(arguments: [Call.plan, .outdatedPlan, .models, .partialModels, .sql])
  func aTableThatOnlyTheCallHasWrittenIsNotReported(_ call: Call) async throws {
    let outdated = try outdatedPlan()
    try await store.write { try $0.save(card(1, "before")) }
    var commits = try await store.commits().makeAsyncIterator()

    try await store.write { [store] writer in
      try writer.save(Photo(id: 1, digest: Data()))
      try call.run(writer, in: store, outdated)
    }

    #expect(try await commits.next()?.rows == ["Photo": [1]])
  }
}
