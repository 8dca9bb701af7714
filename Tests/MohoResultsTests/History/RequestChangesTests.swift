import Foundation
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// The rows of requests that have changed since a token.
@Suite(.allEngines) struct RequestChangesTests {
  private let store: ModelStore
  private let birds = ModelRequest<Card>().filter { $0.deck == "birds" }.order(by: \.rank)
  private let token: HistoryToken

  init() throws {
    store = try emptyStore(Card.self, history: .enabled())
    try store.write { writer in
      try writer.save([
        Card(id: 1, deck: "birds", rank: 1, title: "Kite"),
        Card(id: 2, deck: "birds", rank: 2, title: "Owl"),
        Card(id: 3, deck: "fish", rank: 3, title: "Eel"),
        Card(id: 4, deck: "fish", rank: 4, title: "Pike"),
      ])
    }
    token = try store.currentHistoryToken()
  }

  private func execute(_ sql: String) throws {
    try store.write { try $0.execute(sql: sql) }
  }

  private func changes(
    _ request: ModelRequest<Card>? = nil, shown: [Int64]? = nil
  ) throws -> RequestChanges {
    try store.fetchChanges(of: request ?? birds, since: token, shown: shown)
  }

  @Test func rowsAreInsertedUpdatedAndRemoved() throws {
    try store.write { try $0.save(Card(id: 5, deck: "birds", rank: 5, title: "Jay")) }
    try store.write { try $0.save(Card(id: 6, deck: "fish", rank: 6, title: "Cod")) }
    try execute("UPDATE \"Card\" SET title = 'x' WHERE id IN (1, 3)")
    try execute("UPDATE \"Card\" SET deck = 'fish' WHERE id = 2")
    try execute("UPDATE \"Card\" SET deck = 'birds' WHERE id = 4")

    for shown in [nil, [Int64(1), 2]] {
      let changes = try changes(shown: shown)
      #expect(changes.inserted == (shown == nil ? [5] : [4, 5]))
      #expect(changes.updated == (shown == nil ? [1: ["title"], 4: ["deck"]] : [1: ["title"]]))
      #expect(changes.removed == [2])
      #expect(try store.fetchHistory(since: changes.token) == [])
      #expect(!changes.isEmpty)
    }
    #expect("\(try changes())" == "1 inserted, 2 updated, 1 removed")
  }

  @Test func aRowOfAnExcludedAuthorWithTheIdentityOfADeletedRowIsNotRemoved() throws {
    try execute("DELETE FROM \"Card\" WHERE id = 2")
    try store.write(author: "sync") {
      _ = try $0.save(Card(id: 2, deck: "birds", rank: 2, title: "Emu"))
    }

    for request in [birds, birds.limit(9)] {
      let changes = try store.fetchChanges(
        of: request, since: token, excludingAuthors: ["sync"])
      #expect(changes.updated.keys.sorted() == [2])
      #expect(changes.removed == [] && changes.inserted == [])
    }
  }

  @Test func deletedRowsAreRemoved() throws {
    try execute("DELETE FROM \"Card\" WHERE id IN (1, 3)")

    // Without the shown rows, their former decks are not known.
    #expect(try changes().removed == [1, 3])
    #expect(try changes(shown: [1, 2]).removed == [1])
  }

  @Test func aRowThatIsDeletedAndInsertedAgainMayHaveChangedInAllKeys() throws {
    let titles = ModelRequest<Card>().filter { $0.title == "Owl" }
    try execute("DELETE FROM \"Card\" WHERE id = 2")
    try store.write { try $0.save(Card(id: 2, deck: "birds", rank: 9, title: "Owl")) }

    #expect(try changes(titles).updated[2]?.isSuperset(of: ["deck", "rank", "title"]) == true)
  }

  @Test func changesOfOtherRowsAreNotReported() throws {
    try execute("UPDATE \"Card\" SET title = 'x', rank = rank + 1 WHERE deck = 'fish'")
    #expect(try changes().isEmpty)
    #expect(try changes(shown: [1, 2]).isEmpty)
  }

  @Test func aLimitIsPartOfTheRequest() throws {
    try store.write { try $0.save(Card(id: 5, deck: "birds", rank: 0, title: "Jay")) }

    let changes = try changes(birds.limit(2), shown: [1, 2])
    #expect(changes.inserted == [5])
    #expect(changes.removed == [2])
    #expect(changes.updated.isEmpty)
    #expect(try self.changes(birds.limit(1)).inserted == [5])
    #expect(try self.changes(birds.limit(1).offset(1)).inserted == [])
  }

  @Test func invalidTokensAndRequestsAreErrors() throws {
    #expect(throws: StoreError.self) {
      try store.fetchChanges(of: RowRequest("Unknown"), since: token)
    }
    let other = try emptyStore(Card.self)
    #expect(throws: StoreError.self) { try other.fetchChanges(of: birds, since: nil) }
    try store.write { try $0.save(Card(id: 9, deck: "", rank: 0, title: "")) }
    try store.write { try $0.deleteHistory(before: .now.addingTimeInterval(60)) }
    #expect(throws: StoreError.self) { try changes() }
  }

  @Test(arguments: 0..<UInt64(20)) func shownRowsMakeChangesExact(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let request = birds.limit(3)
    var (token, known) = (token, try rows(of: request))
    for step in 0..<30 {
      for _ in 0...random.below(3) {
        let (id, rank) = (random.below(7), random.below(9))
        let deck = random.oneIn(3) ? "fish" : "birds"
        switch random.below(4) {
        case 0: try execute("DELETE FROM \"Card\" WHERE id = \(id)")
        case 1: try execute("UPDATE \"Card\" SET title = '\(rank)' WHERE id = \(id)")
        default:
          try store.write { try $0.save(Card(id: id, deck: deck, rank: rank, title: "\(deck)")) }
        }
      }
      let changes = try store.fetchChanges(
        of: request, since: token, shown: known.map(\.key).sorted())
      let now = try rows(of: request)
      let comment: Comment = "seed \(seed), step \(step)"
      // A row that was deleted and inserted again is the same row.
      #expect(changes.inserted == Set(now.keys).subtracting(known.keys), comment)
      #expect(changes.removed == Set(known.keys).subtracting(now.keys), comment)
      let unequal = now.filter { known[$0.key] != nil && known[$0.key] != $0.value }
      #expect(Set(changes.updated.keys).isSuperset(of: unequal.keys), comment)
      #expect(Set(changes.updated.keys).isSubset(of: now.keys), comment)
      (token, known) = (changes.token, now)
    }
  }

  private func rows(of request: ModelRequest<Card>) throws -> [Int64: Card] {
    Dictionary(
      uniqueKeysWithValues: try store.fetch(request).map { (Int64($0.id), $0) })
  }
}
