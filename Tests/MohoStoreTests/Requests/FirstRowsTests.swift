import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Requests that select the first rows of each group.
@Suite(.allEngines) struct FirstRowsTests {
  private typealias Request = ModelRequest<Shows.Show>

  private static let shows = Request()
  private static let longest = shows.order(by: \.number, .descending)
  private static let newest = longest.first(1, per: { [$0.podcast.guid] })

  private static let requests: [(String, Request, [Int64])] = [
    ("rows without a podcast are a group", newest, [4, 3, 2]),
    ("nil is a group", shows.order(by: \.number).first(1, per: { [$0.season] }), [1, 2, 3]),
    ("two rows", longest.filter { $0.season != 1 }.first(2, per: { [$0.season] }), [4, 3, 2]),
    (
      "several keys", shows.first(1, per: { [$0.podcast.isActive, $0.season] }), [1, 2, 3, 4]
    ),
    ("numbers of related rows", shows.first(1, per: { [$0.chapters.count] }), [1, 2, 3]),
    ("calculated keys", shows.first(2, per: { [$0.number * 0] }), [1, 2]),
    ("decimals", longest.first(1, per: { [$0.price * 0] }), [4, 2]),
    ("no keys", shows.first(3, per: { _ in [] }), [1, 2, 3]),
    ("ties", shows.order(by: \.season, nils: .last).first(1, per: { [$0.season] }), [1, 3, 2]),
    (
      "a condition before", longest.filter { $0.number < 5 }.first(1, per: { [$0.season] }),
      [3, 2, 1]
    ),
    (
      "a condition afterwards", longest.first(1, per: { [$0.season] }).filter { $0.number < 5 },
      [3, 2, 1]
    ),
    (
      "an order afterwards", shows.first(1, per: { [$0.season] }).order(by: \.number, .descending),
      [4, 2, 1]
    ),
    ("a page", newest.offset(1).limit(1), [3]),
    ("a page before", longest.offset(1).limit(1).first(1, per: { [$0.podcast.guid] }), [3]),
    ("the last call", newest.first(1, per: { [$0.season] }), [4, 2, 1]),
    ("no rows", newest.first(0, per: { [$0.season] }), []),
    ("less than no rows", newest.first(.min, per: { [$0.season] }), []),
    ("all rows", newest.first(.max, per: { [$0.season] }), [4, 3, 2, 1]),
  ]

  @Test(arguments: requests.indices) func firstRowsOfGroupsAreInTheOrderOfTheRequest(
    number: Int
  ) throws {
    let store = try ModelStore.shows()
    let (name, request, expected) = Self.requests[number]

    #expect(try store.fetchIdentities(request) == expected, "\(name)")
    #expect(try store.fetch(request).map { Int64($0.id) } == expected, "\(name)")
    #expect(try store.fetchFirst(request).map { Int64($0.id) } == expected.first, "\(name)")
    #expect(try store.fetchCount(request) == expected.count, "\(name)")
    #expect(try store.exists(request) == !expected.isEmpty, "\(name)")
    #expect(
      try store.fetchValues(request) { [$0.id] }.map(\.values) == expected.map { [.int64($0)] },
      "\(name)")
    #expect(
      try store.fetchAggregates(request) { [.count, .maximum($0.id)] }.values
        == [.int64(Int64(expected.count)), expected.max().map { .int64($0) } ?? .null], "\(name)")
    #expect(
      try EditingContext(store).fetch(request).map { try $0[\Shows.Show.id] }.map(Int64.init)
        == expected, "\(name)")
  }

  @Test func textsWithDifferentBytesAreDifferentGroups() throws {
    let store = try ModelStore.shows()
    let titles = ["a", "A", "é", "e\u{301}", "a", "é"]
    try store.write { writer in
      for (index, title) in titles.enumerated() {
        try writer.execute(
          sql: #"UPDATE "Show" SET title = $1 WHERE id = $2"#, arguments: [title, index + 1])
      }
    }
    let request = Self.shows.first(1, per: { [$0.title] })
    #expect(try store.fetchIdentities(request) == [1, 2, 3, 4])
    try store.execute(#"UPDATE "Show" SET title = 'a'"#)
    #expect(try store.fetchIdentities(request) == [1])
  }

  @Test func requestsForRowsHaveGroups() throws {
    let store = try ModelStore.shows()
    let rows = RowRequest("Show").order(by: "number", .descending)
      .first(1, per: { [$0["podcast"]["guid"]] })

    #expect(try store.fetchIdentities(rows) == [4, 3, 2])
    #expect(try EditingContext(store).fetch(rows).map { $0.identity.stored } == [4, 3, 2])
  }

  @Test func distinctValuesAndGroupsAreThoseOfTheFirstRows() throws {
    let store = try ModelStore.shows()

    #expect(
      try store.fetchValues(Self.shows.first(1, per: { [$0.podcast.guid] }).distinct()) {
        [$0.season]
      }.map(\.values) == [[.int64(1)], [.int64(2)]])
    #expect(
      try store.fetchGroups(Self.newest.grouped(by: { [$0.season] }) { [.count, .sum($0.number)] })
        .map(\.values) == [
          [.null, .int64(1), .int64(2)], [.int64(2), .int64(2), .int64(7)],
        ])
  }

  @Test func onlyTheFirstRowsAreDeleted() throws {
    let store = try ModelStore.shows()

    #expect(try store.write { try $0.delete(Self.newest) } == 3)
    #expect(try store.fetchIdentities(Self.shows) == [1])
    #expect(try store.write { try $0.delete(Self.newest.first(0, per: { _ in [] })) } == 0)
  }

  @Test func relevanceDeterminesTheFirstRows() throws {
    let store = try emptyStore(Found.self)
    try store.write { writer in
      try writer.save([
        Found(id: 1, text: "a word and others", group: 1),
        Found(id: 2, text: "a word and a word", group: 1),
        Found(id: 3, text: "word", group: 2), Found(id: 4, text: "nothing", group: 3),
      ])
    }
    let request = ModelRequest<Found>().filter { $0.matches("word") }.order(by: .relevance)
      .first(1, per: { [$0.group] })

    let all = try store.fetchIdentities(request.first(.max, per: { [$0.group] }))
    let found = try store.fetchIdentities(request)
    #expect(found == all.filter { $0 == 3 || $0 == all.first { $0 != 3 } })
    #expect(try store.fetchValues(request) { [$0.text.highlighted("<", ">")] }.count == 2)
    #expect(try store.fetchCount(request) == 2)
  }

  @Test(arguments: [
    (["titl"], "`Show` has no key `titl`; did you mean `title`?"),
    (["podcast"], "`Show.podcast` refers to a row, not to a value; use one of its keys, such as"),
    (
      ["chapters"],
      "`Show.chapters` is a to-many relationship: use `any`, `all`, `none` or `count`"
    ),
    (["title", "numbr"], "`Show` has no key `numbr`; did you mean `number`?"),
  ])
  func invalidKeysAreErrors(keys: [String], reason: String) throws {
    let store = try ModelStore.shows()
    let request = RowRequest("Show").first(1, per: { row in keys.map { row[$0] } })

    for fetch in [
      { _ = try store.fetchIdentities(request) }, { _ = try store.fetchCount(request) },
      { _ = try store.explain(request) }, { _ = try store.write { try $0.delete(request) } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try fetch() }
      #expect(error?.code == .invalidRequest)
      #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }
  }

  @Test(.engine(.sqlite)) func theSuggestedIndexHasTheKeysOfGroups() throws {
    let store = try ModelStore.shows()
    let request = Self.shows.filter { $0.number == 2 }.order(by: \.length)

    #expect(
      try store.explain(request.first(1, per: { [$0.season] })).suggestedIndex
        == ["number", "season", "length"])
    #expect(
      try store.explain(request.first(1, per: { [$0.podcast.guid] })).suggestedIndex == ["number"])
    #expect(
      try store.explain(request.first(1, per: { _ in [] })).suggestedIndex == ["number", "length"])
  }

  @Test func theExplanationHasTheChoiceOfRows() throws {
    let explanation = try ModelStore.shows().explain(Self.newest)

    #expect(explanation.sql.contains("row_number() OVER (PARTITION BY"))
    #expect(!explanation.plan.isEmpty)
  }
}

private struct Found: MappedModel {
  var id: Int
  var text: String
  var group: Int

  static let mapping = Mapping(
    "Found", Found.init, .key("id", \.id, .unique), .key("text", \.text, .searchable),
    .key("group", \.group))
}
