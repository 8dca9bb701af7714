import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Values that are computed from the rows of each section and follow their changes.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct SectionSummariesTests {
  private let store: ModelStore
  private let cards = ModelRequest<Card>().order(by: \.deck).order(by: \.rank)

  init() throws { store = try .cards() }

  private func controller(
    _ request: ModelRequest<Card>? = nil, startingWith initialRows: InitialRows = .allRows
  ) throws -> ResultsController<Card> {
    try ResultsController(
      request ?? cards, in: store, sectionedBy: \.deck,
      summaries: { [.count, .sum($0.rank), .maximum($0.title)] }, startingWith: initialRows)
  }

  private func save(_ cards: Card...) throws { try store.write { try $0.save(cards) } }

  private func remove(_ ids: Int...) throws {
    _ = try store.write { try $0.delete(ModelRequest<Card>().filter { ids.contains($0.id) }) }
  }

  /// The summaries of a list, such as `birds: 2 3 Owl`.
  private func summaries(_ snapshot: ResultsSnapshot<Card>) -> [String] {
    snapshot.sections.map { section in
      let values = section.summary.map { $0.values.map(Self.text).joined(separator: " ") }
      return "\(section.name): \(values ?? "unknown")"
    }
  }

  private static func text(_ value: FieldContent) -> String {
    switch value {
    case .null: "nil"
    case .string(let text): text
    case .int64(let integer): "\(integer)"
    default: "\(value)"
    }
  }

  @Test func eachSectionHasTheValuesOfItsRows() throws {
    try save(Card(id: 4, deck: nil, rank: 7, title: "Joker"))
    let snapshot = try controller().snapshot

    #expect(summaries(snapshot) == [": 1 7 Joker", "birds: 2 3 Wren", "fish: 1 1 Pike"])
    #expect(snapshot.sections[1].summary?.names == ["count", "sum(rank)", "maximum(title)"])
    #expect(snapshot.sections[1].summary?["sum(rank)"] == .int64(3))
  }

  @Test func aSectionWhoseSummaryChangesHasOneRecord() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try save(Card(id: 4, deck: "birds", rank: 9, title: "Jay"))

    let update = try #require(try await updates.next())
    #expect(
      update.changes.description == """
        update section 0 "birds" changed count, sum(rank)
        insert [0, 2]
        """)
    #expect(summaries(update.before) == ["birds: 2 3 Wren", "fish: 1 1 Pike"])
    #expect(summaries(update.after) == ["birds: 3 12 Wren", "fish: 1 1 Pike"])
  }

  @Test func aChangeOfAnotherValueIsNoChangeOfTheSummary() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try save(Card(id: 2, deck: "birds", rank: 2, title: "Kite"))

    #expect(try await updates.next()?.changes.description == "update [0, 1] → [0, 1] changed title")
  }

  @Test func sectionsAreBornAndDieWithTheirSummaries() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try await store.write { writer in
      try writer.save(Card(id: 3, deck: "ants", rank: 4, title: "Pike"))
      try writer.save(Card(id: 2, deck: "cats", rank: 2, title: "Owl"))
    }

    let update = try #require(try await updates.next())
    #expect(
      update.changes.sections.map(\.description) == [
        #"delete section 1 "fish""#, #"insert section 0 "ants""#, #"insert section 2 "cats""#,
        #"update section 1 "birds" changed count, sum(rank)"#,
      ])
    #expect(summaries(update.after) == ["ants: 1 4 Pike", "birds: 1 1 Wren", "cats: 1 2 Owl"])
    try remove(1, 2, 3)
    #expect(try await updates.next()?.after.sections == [])
    try save(Card(id: 8, deck: "birds", rank: 8, title: "Emu"))
    #expect(try await updates.next().map { summaries($0.after) } == ["birds: 1 8 Emu"])
  }

  @Test func anUnsectionedResultHasOneSummary() async throws {
    let controller = try await ResultsController(
      ModelRequest<Card>().order(by: \.rank), in: store, summaries: { [.count, .sum($0.rank)] })
    var updates = controller.updates.makeAsyncIterator()
    #expect(summaries(controller.snapshot) == [": 3 4"])

    try remove(1, 2, 3)
    let update = try #require(try await updates.next())
    #expect(
      update.changes.sections.map(\.description) == [
        "update section 0 all changed count, sum(rank)"
      ])
    #expect(summaries(update.after) == [": 0 nil"])
    try save(Card(id: 8, deck: "birds", rank: 8, title: "Emu"))
    #expect(try await updates.next().map { summaries($0.after) } == [": 1 8"])
  }

  @Test func onlyVisibleRowsCount() async throws {
    let controller = try controller(cards.limit(2))
    var updates = controller.updates.makeAsyncIterator()
    #expect(summaries(controller.snapshot) == ["birds: 2 3 Wren"])

    try save(Card(id: 4, deck: "birds", rank: 0, title: "Jay"))
    var update = try #require(try await updates.next())
    #expect(
      update.changes.description == """
        update section 0 "birds" changed sum(rank)
        delete [0, 1]
        insert [0, 0]
        """)
    #expect(summaries(update.after) == ["birds: 2 1 Wren"])
    try remove(1)
    update = try #require(try await updates.next())
    #expect(summaries(update.after) == ["birds: 2 2 Owl"])
  }

  @Test func theRowsOfTheFirstBatchHaveASummaryAtOnce() async throws {
    let controller = try controller(cards.batchSize(1), startingWith: .firstBatch)
    let first = controller.snapshot
    // The other rows may have been read already.
    if !first.isComplete {
      #expect(summaries(first) == ["birds: 1 1 Wren"])
      var updates = controller.updates(since: first).makeAsyncIterator()
      #expect(
        try await updates.next()?.changes.sections.map(\.description) == [
          #"insert section 1 "fish""#, #"update section 0 "birds" changed count, sum(rank)"#,
        ])
    }
    #expect(summaries(controller.snapshot) == ["birds: 2 3 Wren", "fish: 1 1 Pike"])
  }

  @Test func aSumOfMoreThan64BitsIsUnknownUntilItFits() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try save(Card(id: 4, deck: "birds", rank: .max, title: "Jay"))
    var update = try #require(try await updates.next())
    #expect(
      update.changes.sections.map(\.description) == [
        #"update section 0 "birds" changed count, sum(rank), maximum(title)"#
      ])
    #expect(summaries(update.after) == ["birds: unknown", "fish: 1 1 Pike"])
    try save(Card(id: 5, deck: "fish", rank: 2, title: "Eel"))
    update = try #require(try await updates.next())
    #expect(summaries(update.after) == ["birds: unknown", "fish: 2 3 Pike"])
    try save(Card(id: 4, deck: "birds", rank: -3, title: "Jay"))
    update = try #require(try await updates.next())
    #expect(summaries(update.after) == ["birds: 3 0 Wren", "fish: 2 3 Pike"])
  }

  /// Another program has stored a text that is no number.
  @Test(.engine(.sqlite)) func aValueOfAnotherTypeMakesSummariesUnknown() throws {
    let store = try emptyStore(Offer.self)
    try store.write { try $0.save((1...3).map { Offer(id: $0, price: 1) }) }
    let controller = try ResultsController(
      ModelRequest<Offer>(), in: store, summaries: { [.count, .sum($0.price)] })
    var known = controller.snapshot
    func next() throws -> (values: [FieldContent]?, changed: [String]?) {
      let changes = try controller.changes(since: known)
      known = controller.snapshot
      return (known.sections[0].summary?.values, changes.sections.first?.changedKeys)
    }

    #expect(try next().values == [.int64(3), .decimal(3)])
    try store.executeUnchecked("UPDATE \"Offer\" SET price = 'x' WHERE id = 3", changing: "Offer")
    #expect(try next() == (nil, ["count", "sum(price)"]))
    try store.execute("DELETE FROM \"Offer\" WHERE id = 1")
    #expect(try next() == (nil, nil))
    try store.execute("UPDATE \"Offer\" SET price = '4' WHERE id = 3")
    #expect(try next() == ([.int64(2), .decimal(5)], ["count", "sum(price)"]))
    try store.execute("UPDATE \"Offer\" SET price = '5' WHERE id = 3")
    #expect(try next() == ([.int64(2), .decimal(6)], ["sum(price)"]))
  }

  @Test func aNewRequestHasItsOwnSummaries() async throws {
    let controller = try controller()
    var updates = controller.updates.makeAsyncIterator()

    try await controller.setRequest(
      cards, sectionedBy: \.deck, summaries: { [.average($0.rank)] })
    var update = try #require(try await updates.next())
    #expect(
      update.changes.description == """
        update section 0 "birds" changed average(rank)
        update section 1 "fish" changed average(rank)
        """)
    #expect(update.after.sections.map { $0.summary?.values } == [[.double(1.5)], [.double(1)]])

    try await controller.setRequest(cards.filter { $0.rank == 1 }, sectionedBy: \.deck)
    update = try #require(try await updates.next())
    #expect(update.changes.description == "delete [0, 1]")
    #expect(update.after.sections.map(\.summary) == [nil, nil])
  }

  @Test func aSummaryThatCannotBeComputedIsAnError() {
    #expect(throws: StoreError.self) {
      try ResultsController(cards, in: store, sectionedBy: \.deck, summaries: { [.sum($0.title)] })
    }
  }

  @MainActor @Test func theDelegateReceivesChangedSummaries() async throws {
    let presenter = ResultsPresenter(try controller())
    let log = SectionLog()
    presenter.delegate = log
    let task = Task { try await presenter.present() }
    try save(Card(id: 3, deck: "fish", rank: 6, title: "Pike"))
    while log.sections.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    try await task.value

    #expect(log.sections == [#"update section 1 "fish" changed sum(rank)"#])
  }

  @MainActor private final class SectionLog: @MainActor ResultsControllerDelegate {
    typealias Model = Card
    private(set) var sections: [String] = []

    func controller(_ controller: any PresentedResults<Card>, didChange section: SectionChange) {
      sections.append(section.description)
    }
  }
}

private struct Offer: MappedModel {
  var id: Int
  var price: Decimal

  static let mapping = Mapping(
    "Offer", Offer.init, .key("id", \.id, .unique), .key("price", \.price))
}
