import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextSummaryTests {
  private let store: ModelStore
  private let context: EditingContext
  private static let byDeck = ModelRequest<Card>().order(by: \.deck).order(by: \.rank)

  init() throws {
    store = try emptyStore(Card.self)
    try store.write { writer in
      try writer.save(
        (1...4).map { Card(id: $0, deck: $0 < 3 ? "A" : "B", rank: $0 * 10, title: "\($0)") })
    }
    context = EditingContext(store)
  }

  private func card(_ id: Int, in context: EditingContext? = nil) throws -> ManagedRow {
    try (context ?? self.context).row(RowIdentity(entity: "Card", stored: Int64(id)))
  }

  private func controller(
    in context: EditingContext? = nil
  ) throws -> ContextResultsController<Card> {
    try ContextResultsController(
      Self.byDeck, in: context ?? self.context, sectionedBy: \.deck,
      summaries: { [.count, .maximum($0.rank)] })
  }

  private func summaries(_ results: ContextResultsController<Card>) -> [String] {
    results.snapshot.sections.map { "\($0.name) \($0.summary.map { "\($0)" } ?? "nil")" }
  }

  @Test func unsavedRowsArePartOfSummaries() throws {
    try card(1).set(\Card.rank, to: 99)
    try context.delete(card(4))

    #expect(
      try summaries(controller()) == [
        "A count: 2, maximum(rank): 99", "B count: 1, maximum(rank): 30",
      ])
  }

  @Test func anEditThatChangesASummaryHasARecordOfItsSection() throws {
    let results = try controller()
    let log = UpdateLog(results)

    try card(1).set(\Card.rank, to: 15)
    try card(1).set(\Card.rank, to: 25)
    try card(1).set(\Card.deck, to: "B")

    #expect(
      log.changes == [
        "update [0, 0] → [0, 0] changed rank",
        #"update section 0 "A" changed maximum(rank)"#
          + "\nmove [0, 0] → [0, 1] changed rank",
        #"update section 0 "A" changed count, maximum(rank)"#
          + "\n" + #"update section 1 "B" changed count"#
          + "\nmove [0, 1] → [1, 0] changed deck",
      ])
    #expect(
      summaries(results) == ["A count: 1, maximum(rank): 20", "B count: 3, maximum(rank): 40"])
  }

  @Test func undoRestoresSummaries() throws {
    let results = try controller()
    let before = summaries(results)
    try context.delete(card(2))
    try card(3).set(\Card.deck, to: "C")

    context.undo()
    context.undo()

    #expect(summaries(results) == before)
  }

  @Test func savingDoesNotChangeSummaries() throws {
    let results = try controller()
    try ManagedRowAdapter<Card>().row(
      from: Card(id: 9, deck: "B", rank: 70, title: "new"), in: context)
    try card(1).set(\Card.rank, to: 99)
    let (before, log) = (summaries(results), UpdateLog(results))
    #expect(before == ["A count: 2, maximum(rank): 99", "B count: 3, maximum(rank): 70"])

    try context.save()

    #expect(summaries(results) == before)
    #expect(log.updates.allSatisfy { $0.changes.isEmpty })
  }

  @Test func commitsOfOthersChangeSummaries() throws {
    let results = try controller()
    try card(1).set(\Card.rank, to: 99)
    let log = UpdateLog(results)

    try store.write { try $0.save(Card(id: 5, deck: "B", rank: 1, title: "5")) }
    try results.catchUp()

    #expect(log.changes == [#"update section 1 "B" changed count"# + "\ninsert [1, 0]"])
    #expect(
      summaries(results) == ["A count: 2, maximum(rank): 99", "B count: 3, maximum(rank): 40"])
  }

  @Test func aChildContextIncludesTheEditsOfItsParent() throws {
    try card(1).set(\Card.rank, to: 99)
    let child = EditingContext(childOf: context)
    let results = try controller(in: child)
    #expect(summaries(results).first == "A count: 2, maximum(rank): 99")

    try child.delete(card(1, in: child))

    #expect(summaries(results).first == "A count: 1, maximum(rank): 20")
  }

  @Test func aNewRequestHasItsOwnSummaries() throws {
    let results = try controller()
    try card(1).set(\Card.rank, to: 99)

    try results.setRequest(Self.byDeck.limit(3), summaries: { [.sum($0.rank)] })
    #expect(summaries(results) == [" sum(rank): 149"])

    try results.setRequest(Self.byDeck)
    #expect(summaries(results) == [" nil"])
  }

  @Test func aSummaryThatNeedsTheSearchIndexIsRefused() throws {
    let context = EditingContext(try ModelStore.books())
    let request = ModelRequest<Book>().filter { $0.matches("tuff") }

    let error = #expect(throws: StoreError.self) {
      try ContextResultsController(request, in: context, summaries: { [.minimum($0.relevance)] })
    }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason.contains("relevance") == true)
  }
}
