import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

/// Lists of the first rows of each group, from commit to commit.
@Suite(.allEngines) struct FirstRowsResultsTests {
  private let store: ModelStore
  private let highest = ModelRequest<Card>().order(by: \.rank, .descending)
    .first(1, per: { [$0.deck] })

  init() throws {
    store = try emptyStore(Card.self, history: .enabled())
    try store.write { writer in
      try writer.save([
        Card(id: 1, deck: "birds", rank: 1, title: "Wren"),
        Card(id: 2, deck: "birds", rank: 2, title: "Owl"),
        Card(id: 3, deck: "fish", rank: 5, title: "Pike"),
        Card(id: 4, deck: nil, rank: 4, title: "Yeti"),
        Card(id: 5, deck: "Birds", rank: 3, title: "Kite"),
      ])
    }
  }

  /// The changes that SQL causes, and the rows after it.
  private func changes(
    of request: ModelRequest<Card>, _ sql: String
  ) throws -> (changes: String, rows: [Int64]) {
    let controller = try ResultsController(request, in: store)
    let before = controller.snapshot
    try store.execute(sql)
    let after = controller.snapshot
    #expect(controller.strategyCounts.rescanned == 0)
    #expect(try Array(after.index.rowIDs) == store.fetchIdentities(request))
    return (try controller.changes(since: before).description, Array(after.index.rowIDs))
  }

  @Test func theNextRowEntersWhenTheFirstRowLeavesItsGroup() throws {
    let changes = try changes(of: highest, "DELETE FROM \"Card\" WHERE id = 2")

    #expect(changes.changes == "delete [0, 3]\ninsert [0, 3]")
    #expect(changes.rows == [3, 4, 5, 1])
  }

  @Test func aRowThatChangesItsGroupChangesBothGroups() throws {
    let changes = try changes(of: highest, "UPDATE \"Card\" SET deck = 'fish' WHERE id = 2")

    #expect(changes.changes == "delete [0, 3]\ninsert [0, 3]")
    #expect(changes.rows == [3, 4, 5, 1])
  }

  @Test func aRowThatPassesTheFirstOneReplacesIt() throws {
    let changes = try changes(of: highest, "UPDATE \"Card\" SET rank = 9 WHERE id = 1")

    #expect(changes.changes == "delete [0, 3]\ninsert [0, 0]")
    #expect(changes.rows == [1, 3, 4, 5])
  }

  @Test func aNewGroupHasARowAndAGroupWithoutRowsHasNone() throws {
    let changes = try changes(of: highest, "UPDATE \"Card\" SET deck = 'cats' WHERE id = 4")

    #expect(changes.changes == "update [0, 1] → [0, 1] changed deck")
    #expect(changes.rows == [3, 4, 5, 2])
  }

  @Test func aChangeAfterTheFirstRowsIsNoUpdate() throws {
    let changes = try changes(of: highest, "UPDATE \"Card\" SET rank = 0, title = 'x' WHERE id = 1")

    #expect(changes.changes == ChangeSet().description)
  }

  @Test func theWindowStaysFull() throws {
    let changes = try changes(
      of: highest.offset(1).limit(2), "DELETE FROM \"Card\" WHERE id = 3")

    #expect(changes.changes == "delete [0, 0]\ninsert [0, 1]")
    #expect(changes.rows == [5, 2])
  }

  @Test(arguments: [Int.min, -1, 0, 2, .max]) func anyNumberOfRowsIsFollowed(count: Int) throws {
    let request = highest.first(count, per: { [$0.deck] })
    let changes = try changes(
      of: request, "UPDATE \"Card\" SET deck = 'fish', rank = rank + 3 WHERE id IN (2, 4)")

    #expect(changes.rows == (count < 1 ? [] : count == 2 ? [4, 3, 5, 1] : [4, 3, 2, 5, 1]))
    #expect(try Array(ResultsController(request, in: store).snapshot.index.rowIDs) == changes.rows)
  }

  @Test func aContextShowsTheFirstRowsWithItsChanges() throws {
    let context = EditingContext(store)
    let results = try ContextResultsController(highest, in: context)
    func rows() throws -> [Int] { try results.snapshot.models().map(\.id) }
    #expect(try rows() == [3, 4, 5, 2])

    let owl = try #require(try context.fetch(ModelRequest<Card>().filter { $0.id == 2 }).first)
    try owl.set(\Card.deck, to: "fish")
    #expect(try rows() == [3, 4, 5, 1])
    try owl.set(\Card.rank, to: 8)
    #expect(try rows() == [2, 4, 5, 1])
    context.undo()
    context.undo()
    #expect(try rows() == [3, 4, 5, 2])
    try context.delete(owl)
    try context.save()
    #expect(try rows() == [3, 4, 5, 1])
    #expect(try Array(store.fetchIdentities(highest)) == [3, 4, 5, 1])
  }

  @Test func aNewRequestIsAnUpdate() throws {
    let controller = try ResultsController(ModelRequest<Card>().order(by: \.rank), in: store)
    let all = controller.snapshot
    try controller.setRequest(highest.filter { $0.deck != nil })
    let first = controller.snapshot
    #expect(Array(first.index.rowIDs) == [3, 5, 2])
    #expect(try all.index.applying(controller.changes(since: all)) == first.index)

    try store.execute("UPDATE \"Card\" SET rank = 7 WHERE id = 1")
    #expect(Array(controller.snapshot.index.rowIDs) == [1, 3, 5])
    #expect(controller.strategyCounts.repositioned == 1)
  }

  @Test func theFirstBatchHasAllRows() throws {
    let controller = try ResultsController(
      highest.batchSize(1), in: store, startingWith: .firstBatch)

    #expect(controller.snapshot.isComplete)
    #expect(controller.snapshot.count == 4)
  }

  @Test func changesSinceATokenAreThoseOfTheFirstRows() throws {
    let token = try store.currentHistoryToken()
    let shown = try store.fetchIdentities(highest)
    try store.write { writer in
      try writer.execute(sql: "UPDATE \"Card\" SET rank = 9 WHERE id = 1")
      try writer.execute(sql: "UPDATE \"Card\" SET title = 'x' WHERE id IN (3, 2)")
      try writer.execute(sql: "UPDATE \"Card\" SET deck = 'fish' WHERE id = 4")
    }

    let changes = try store.fetchChanges(of: highest, since: token, shown: shown)
    #expect(changes.inserted == [1])
    #expect(changes.updated == [3: ["title"]])
    #expect(changes.removed == [2, 4])

    let unknown = try store.fetchChanges(of: highest, since: token)
    #expect(unknown.updated == [1: ["rank"], 3: ["title"]])
    #expect(unknown.removed == [4])
  }

  /// Another program has stored a text that is no number for the key of a group.
  @Test(.engine(.sqlite)) func valuesWithoutTheirTypeAreDividedByTheDatabase() throws {
    let store = try emptyStore(Offer.self)
    try store.write { try $0.save((1...5).map { Offer(id: $0, price: 1) }) }
    let request = ModelRequest<Offer>().order(by: \.id).first(1, per: { [$0.price] })
    let controller = try ResultsController(request, in: store)
    func rows() -> [Int64] { Array(controller.snapshot.index.rowIDs) }

    try store.executeUnchecked(
      "UPDATE \"Offer\" SET price = 'x' WHERE id IN (3, 5)", changing: "Offer")
    #expect(rows() == [1, 3])
    try store.execute("DELETE FROM \"Offer\" WHERE id = 3")
    #expect(rows() == [1, 5])
    try store.execute("UPDATE \"Offer\" SET price = '2' WHERE id IN (4, 5)")
    #expect(rows() == [1, 4])

    let rescanned = controller.strategyCounts.rescanned
    try store.execute("DELETE FROM \"Offer\" WHERE id = 4")
    #expect(rows() == [1, 5])
    #expect(controller.strategyCounts.rescanned == rescanned)
  }
}

private struct Offer: MappedModel {
  var id: Int
  var price: Decimal

  static let mapping = Mapping(
    "Offer", Offer.init, .key("id", \.id, .unique), .key("price", \.price))
}
