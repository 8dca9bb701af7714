import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct SearchValueTests {
  private struct Note: MappedModel, Equatable {
    var id: Int
    var title: String
    var body: String?
    var folder = 1

    static let mapping = Mapping(
      "Note", Note.init, .key("id", \.id, .unique), .key("title", \.title, .searchable),
      .key("body", \.body, .searchable), .key("folder", \.folder))
  }

  private static func store() throws -> ModelStore {
    let store = try emptyStore(Note.self)
    try store.write {
      try $0.save([
        Note(id: 1, title: "Something about many other things", body: "and once about the moon"),
        Note(id: 2, title: "Moon", body: "moon, moon & <moon>"),
        Note(id: 3, title: "The moon landing", body: nil, folder: 2),
        Note(id: 4, title: "Sun", body: "light"),
      ])
    }
    return store
  }

  private let request = ModelRequest<Note>().filter { $0.matches("moon") }

  private func ids(_ request: ModelRequest<Note>, _ store: ModelStore) throws -> [Int] {
    try store.fetch(request).map(\.id)
  }

  @Test func theBestRowsComeFirst() throws {
    let store = try Self.store()
    let ranked = request.order(by: .relevance)

    #expect(try ids(ranked, store) == [2, 3, 1])
    #expect(try ids(ranked.limit(1).offset(1), store) == [3])
    #expect(try ids(request.order(.descending) { $0.relevance }, store) == [1, 3, 2])
    #expect(try ids(request.order(by: \.folder).order(by: .relevance), store) == [2, 1, 3])
    #expect(try ids(ranked.filter { $0.folder == 1 }, store) == [2, 1])
    #expect(try ids(ranked.filter { $0.matches("landing", in: \.title) }, store) == [3])
    #expect(
      try store.fetchIdentities(
        RowRequest("Note").filter { $0.matches("moon") }.order(by: .relevance))
        == [2, 3, 1])
    #expect(try store.fetchCount(ranked.limit(2)) == 2)
    let count = try store.write { try $0.delete(ranked.limit(2)) }
    #expect(count == 2)
    #expect(try ids(request, store) == [1])
  }

  @Test func relevanceIsAValue() throws {
    let store = try Self.store()

    let rows = try store.fetchValues(request.order(by: .relevance)) { [$0.id, $0.relevance] }
    let total = try store.fetchAggregates(request) { [.count, .maximum($0.relevance)] }

    let values = rows.compactMap { row in
      if case .double(let value)? = row["relevance"] { value } else { nil }
    }
    #expect(values.count == 3)
    #expect(values == values.sorted())
    #expect(values.allSatisfy { $0 < 0 })
    #expect(total.values == [.int64(3), .double(values[2])])
  }

  @Test func aTextWithoutWordsHasNoRelevance() throws {
    let store = try Self.store()
    let all = ModelRequest<Note>().filter { $0.matches(" ? ") }.order(by: .relevance)

    #expect(try ids(all, store) == [1, 2, 3, 4])
    let values = try store.fetchValues(all.limit(1)) { [$0.relevance, $0.title.snippet("<", ">")] }
    #expect(values.map(\.values) == [[.null, .null]])
    #expect(try ids(all.filter { $0.matches("moon") }, store) == [2, 3, 1])
  }

  @Test func matchingWordsAreHighlighted() throws {
    let store = try Self.store()

    let rows = try store.fetchValues(
      request.filter { $0.matches("land*") || $0.folder == 1 }.order(by: \.id)
    ) { [$0.title.highlighted("[", "]"), $0.body.highlighted("\u{2}", "")] }

    #expect(
      rows.map(\.values) == [
        [
          .string("Something about many other things"), .string("and once about the \u{2}moon"),
        ],
        [.string("[Moon]"), .string("\u{2}moon, \u{2}moon & <\u{2}moon>")],
        [.string("The [moon] landing"), .null],
      ])
    #expect(rows[0].names == ["title.highlighted", "body.highlighted"])
    let phrase = ModelRequest<Note>().filter { $0.matches(#""moon landing""#) }
    let titles = try store.fetchValues(phrase) { [$0.title.highlighted("[", "]")] }
    #expect(titles.map(\.values) == [[.string("The [moon landing]")]])
  }

  @Test func snippetsAreShort() throws {
    let store = try Self.store()

    let rows = try store.fetchValues(request.order(by: \.id)) {
      [
        $0.body.snippet("*", "*", words: 2), $0.title.snippet("", "", ellipsis: "...", words: 3),
      ]
    }
    let untyped = RowRequest("Note").filter { $0.matches("moon", in: "body") }.order(by: "id")

    #expect(
      rows.map(\.values) == [
        [.string("…the *moon*"), .string("Something about many...")],
        [.string("*moon*, *moon*…"), .string("Moon")], [.null, .string("The moon landing")],
      ])
    let found = try store.fetchValues(untyped) {
      [$0["title"].highlighted("<", ">"), $0["body"].snippet("<", ">", words: 2)]
    }
    #expect(
      found.map(\.values) == [
        [.string("Something about many other things"), .string("…the <moon>")],
        [.string("Moon"), .string("<moon>, <moon>…")],
      ])
  }

  @Test func valuesOfASearchRequireASearch() throws {
    let store = try Self.store()
    func message(_ request: ModelRequest<Note>) -> String? {
      let error = #expect(throws: StoreError.self) { try store.fetch(request) }
      return error?.reason
    }
    let all = ModelRequest<Note>()

    #expect(
      message(all.order(by: .relevance))
        == "`relevance` requires a `matches` condition that all rows of the request satisfy")
    #expect(
      message(all.filter { $0.matches("a") || $0.id > 2 }.order { $0.title.snippet("", "") })
        == "`title.snippet` requires a `matches` condition that all rows of the request satisfy")
    #expect(
      message(request.filter { $0.relevance < 0 })
        == "`relevance` requires a `matches` condition that all rows of the request satisfy")
    let values = #expect(throws: StoreError.self) {
      try store.fetchValues(request) { [$0.title.snippet("", "", words: 65)] }
    }
    #expect(values?.reason == "a snippet has 1 to 64 words, not 65")
    let other = #expect(throws: StoreError.self) {
      try store.fetchValues(RowRequest("Note").filter { $0.matches("a") }) {
        [$0["folder"].highlighted("", "")]
      }
    }
    #expect(other?.reason == "`Note.folder` is not searchable: declare it with `.searchable`")
  }

  @Test func contextsSearchUnsavedRows() throws {
    let store = try Self.store()
    let context = EditingContext(store)
    let new = try context.insert("Note")
    try new.set("id", to: 9)
    try new.set("title", to: "A new MOON")
    try new.set("folder", to: 1)
    let old = try #require(try context.fetch(RowRequest("Note").filter { $0["id"] == 2 }).first)
    try old.set("title", to: "Mars")
    try old.set("body", to: "a planet")

    let found = try context.fetch(request.order(by: \.id).rows)
    let ids = try found.map { try $0.value("id", as: Int.self) }
    #expect(ids == [1, 3, 9])

    let error = #expect(throws: StoreError.self) {
      try context.fetch(request.order(by: .relevance))
    }
    #expect(error?.code == .invalidRequest)
    #expect(
      error?.description == """
        invalid request: rows with unsaved changes cannot be ordered by `relevance`; save the \
        changes first, or order by another key
        """)
    try context.save()
    #expect(try context.fetch(request.order(by: .relevance)).count == 3)
    #expect(try store.fetchCount(request) == 3)
  }
}
