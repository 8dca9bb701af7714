import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

@Suite(.allEngines) struct PartialUpsertTests {
  struct Issue: MappedModel, Equatable {
    var id: Int
    var title: String
    var body: String?
    var votes: Int
    var user: ModelReference<User>?
    var labels: [Label]

    static let mapping = Mapping<Issue>(
      "Issue", Issue.init, .key("id", \.id, .unique), .key("title", \.title),
      .key("body", \.body), .key("votes", \.votes, default: 0), .toOne("user", \.user),
      .toMany("labels", \.labels, default: [])
    )
    .validating(\.title, "text") { !$0.isEmpty }
  }

  struct User: MappedModel, Equatable {
    var login: String
    static let mapping = Mapping("User", User.init, .key("login", \.login, .unique))
  }

  struct Label: MappedModel, Equatable {
    var name: String
    static let mapping = Mapping("Label", Label.init, .key("name", \.name, .unique))
  }

  private let store: ModelStore

  init() throws {
    store = try emptyStore(Issue.self, User.self, Label.self, Item.self, Tour.self, Guide.self)
    try store.write { writer in
      try writer.save(User(login: "ada"))
      try writer.save(
        Issue(
          id: 1, title: "One", body: "b", votes: 3, user: ModelReference(key: "ada"),
          labels: [Label(name: "bug")]))
    }
  }

  private func partial(
    _ id: Int?, _ change: (inout Partial<Issue>) throws -> Void = { _ in }
  ) rethrows -> Partial<Issue> {
    var partial = Partial<Issue>()
    if let id { partial[\.id] = id }
    try change(&partial)
    return partial
  }

  private var issues: [Issue] {
    get throws { try store.fetch(ModelRequest<Issue>().order(by: \.id)) }
  }

  @Test func newRowsAreInsertedAndStoredRowsAreUpdated() throws {
    let report = try store.write { writer in
      try writer.upsert([
        partial(1) { $0[\.votes] = 4 },
        partial(2) {
          $0[\.title] = "Two"
          $0[\.labels] = [Label(name: "bug"), Label(name: "ui")]
        },
      ])
    }

    #expect(report.inserted == 2)
    #expect(report.updated == 1)
    #expect(report.missing == 0)
    let ada = try ModelReference<User>(key: "ada")
    #expect(
      try issues == [
        Issue(
          id: 1, title: "One", body: "b", votes: 4, user: ada, labels: [Label(name: "bug")]),
        Issue(
          id: 2, title: "Two", body: nil, votes: 0, user: nil,
          labels: [Label(name: "bug"), Label(name: "ui")]),
      ])
  }

  @Test func nullClearsAndAbsenceKeeps() throws {
    try store.write { writer in
      try writer.upsert(
        partial(1) {
          $0[\.body] = nil
          $0.clear(\.user)
        })
    }

    #expect(
      try issues == [
        Issue(id: 1, title: "One", body: nil, votes: 3, user: nil, labels: [Label(name: "bug")])
      ])
  }

  @Test func allMissingKeysOfNewRowsAreNamed() throws {
    let before = try issues

    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.upsert([
          partial(1) { $0[\.votes] = 9 }, partial(7) { $0[\.votes] = 1 },
          partial(nil) { $0[\.body] = "x" }, partial(8),
        ])
      }
    }

    #expect(error?.code == .missingValue)
    #expect(error?.entity == "Issue")
    #expect(error?.keys == ["id", "title"])
    #expect(
      error?.description == """
        missing value: Issue(id: 7, votes: 1) at position 1 and 1 more are not stored and lack \
        `title`; Issue(body: "x") at position 2 is not stored and lacks `id`, `title`; add the \
        keys, or call `update(_:)`, which skips rows that are not stored
        """)
    #expect(try issues == before)
  }

  @Test func partsOfOneNewRowCompleteIt() throws {
    let report = try store.write { writer in
      try writer.upsert([
        partial(3) { $0[\.body] = "a" }, partial(3) { $0[\.title] = "Three" },
        partial(3) { $0[\.body] = nil }, partial(1) { $0[\.title] = "First" },
        partial(1) { $0[\.votes] = 5 },
      ])
    }

    #expect(report == SaveReport(inserted: 1, updated: 1, unchanged: 3))
    #expect(try issues.map(\.title) == ["First", "Three"])
    #expect(try issues.map(\.votes) == [5, 0])
    #expect(try issues.map(\.body) == ["b", nil])
  }

  @Test(arguments: [false, true])
  func aRowOfSeveralPartialModelsIsCountedOnce(hasLinks: Bool) throws {
    let labels = ["bug", "ui"].map { Label(name: $0) }
    let parts = [
      partial(1) { $0[\.title] = "First" },
      partial(1) { if hasLinks { $0[\.labels] = labels } else { $0[\.body] = "c" } },
      partial(1) { $0[\.votes] = 5 },
    ]

    let report = try store.write { try $0.upsert(parts) }
    let again = try store.write { try $0.upsert(parts.map { $0 }) }

    #expect((report.updated, report.unchanged - (hasLinks ? 1 : 0)) == (1, 2))
    #expect((again.updated, again.inserted) == (0, 0))
    #expect(try issues.map(\.votes) == [5])
  }

  @Test func aNestedRowOfSeveralPartialModelsIsCountedOnce() throws {
    try store.write { try $0.save([Tour(id: 1, guide: nil), Tour(id: 2, guide: nil)]) }
    try store.write { try $0.save(Guide(name: "ada", town: "a")) }
    let parts = [1, 2].map { id in
      var partial = Partial<Tour>()
      partial[\.id] = id
      partial[\.guide] = Guide(name: "ada", town: "\(id)")
      return partial
    }

    let report = try store.write { try $0.update(parts) }

    #expect(report.updated == 3)
    #expect(try store.fetch(ModelRequest<Guide>()).map(\.town) == ["2"])
  }

  struct Tour: MappedModel {
    var id: Int
    var guide: Guide?
    static let mapping = Mapping(
      "Tour", Tour.init, .key("id", \.id, .unique), .toOne("guide", \.guide))
  }

  struct Guide: MappedModel {
    var name: String
    var town: String
    static let mapping = Mapping(
      "Guide", Guide.init, .key("name", \.name, .unique), .key("town", \.town))
  }

  @Test func savingTheSameAgainWritesNothing() throws {
    let partials = [
      partial(1) { $0[\.title] = "A" },
      partial(2) {
        $0[\.title] = "B"
        $0[\.user] = nil
      },
    ]
    try store.write { try $0.upsert(partials) }
    let before = try store.writeMark(of: "Issue")

    let report = try store.write { try $0.upsert(partials) }

    #expect(report == SaveReport(unchanged: 2))
    #expect(try store.writeMark(of: "Issue") == before)
  }

  @Test func anErrorHasThePositionOfItsPartialModel() throws {
    for invalid in [2, 3] {
      let error = #expect(throws: MappingError.self) {
        try store.write { writer in
          try writer.upsert(
            (1...4).map { id in
              partial(id == 3 ? 1 : id + 10) { $0[\.title] = id == invalid ? "" : "x" }
            })
        }
      }
      #expect(error?.path?.pointer == "/\(invalid - 1)/title")
    }
    #expect(try issues.count == 1)
  }

  @Test func aReferenceMayLeadToANewRowOfTheSameCall() throws {
    let report = try store.write { writer in
      try writer.save(User(login: "ben"))
      return try writer.upsert(partial(1) { $0[\.user] = try ModelReference(key: "ben") })
    }

    #expect(report.updated == 1)
    #expect(try issues[0].user == ModelReference(key: "ben"))
  }

  struct Item: MappedModel, Equatable {
    var feed: String
    var guid: Int
    var title: String
    var read: Bool

    static let mapping = Mapping<Item>(
      "Item", Item.init, .key("feed", \.feed), .key("guid", \.guid), .key("title", \.title),
      .key("read", \.read, default: false)
    ).identified(by: \.feed, \.guid)
  }

  @Test func rowsCanHaveACompositeIdentity() throws {
    func item(_ feed: String, _ guid: Int, title: String? = nil, read: Bool? = nil) -> Partial<Item>
    {
      var partial = Partial<Item>()
      partial[\.feed] = feed
      partial[\.guid] = guid
      if let title { partial[\.title] = title }
      if let read { partial[\.read] = read }
      return partial
    }
    try store.write { try $0.save(Item(feed: "a", guid: 0, title: "A", read: false)) }

    let report = try store.write {
      try $0.upsert([item("a", 0, read: true), item("b", 0, title: "B")])
    }

    #expect(report == SaveReport(inserted: 1, updated: 1))
    #expect(
      try store.fetch(ModelRequest<Item>().order(by: \.feed)) == [
        Item(feed: "a", guid: 0, title: "A", read: true),
        Item(feed: "b", guid: 0, title: "B", read: false),
      ])
  }

  /// Random partial models lead to the rows of a dictionary that follows the same
  /// rules.
  @Test(arguments: UInt64(0)..<UInt64(Campaign.count(short: 8, full: 240)))
  func rowsAreThoseOfASimulation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try emptyStore(Issue.self, User.self, Label.self)
    var rows: [Int: Issue] = [:]
    for _ in 0..<12 {
      let partials = (0..<4).map { _ in
        partial(1 + random.below(5)) { partial in
          if random.below(3) > 0 { partial[\.title] = "t\(random.below(3))" }
          switch random.below(3) {
          case 0: partial[\.body] = nil
          case 1: partial[\.body] = "b\(random.below(3))"
          default: break
          }
          if random.below(2) == 0 { partial[\.votes] = random.below(3) }
        }
      }
      var next = rows
      var new: [Int: Partial<Issue>] = [:]
      for partial in partials {
        guard let id = partial[\.id] else { continue }
        if let row = rows[id] {
          next[id] = partial.applied(to: next[id] ?? row)
        } else {
          new[id] = (new[id] ?? Partial()).merging(partial)
        }
      }
      for (id, partial) in new { next[id] = try? Issue.mapping.model(from: partial) }
      let isComplete = new.allSatisfy { next[$0.key] != nil }

      do {
        let report = try store.write { try $0.upsert(partials) }
        #expect(isComplete, "seed \(seed)")
        #expect(report.inserted == next.count - rows.count, "seed \(seed)")
        #expect(report.inserted + report.updated + report.unchanged == partials.count)
        // A row may be changed and changed back.
        let changed = rows.count { next[$0.key] != $0.value }
        let touched = Set(partials.compactMap { $0[\.id] }.filter { rows[$0] != nil }).count
        #expect((changed...touched).contains(report.updated), "seed \(seed)")
        rows = next
      } catch let error as StoreError {
        #expect(error.code == .missingValue)
        #expect(!isComplete, "seed \(seed): \(error)")
      }
      #expect(
        try store.fetch(ModelRequest<Issue>().order(by: \.id))
          == rows.values.sorted { $0.id < $1.id }, "seed \(seed)")
    }
  }
}
