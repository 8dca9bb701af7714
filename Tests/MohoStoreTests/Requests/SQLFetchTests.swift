import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

@Suite struct SQLFetchTests {
  let store: ModelStore
  private let shows: [Shows.Show]

  init() throws {
    store = try .shows()
    shows = try store.fetch(ModelRequest().order(by: \.id))
  }

  /// Queries, arguments, and the IDs of the shows that they return.
  static let queries: [(sql: String, arguments: [any FieldValue], ids: [Int])] = [
    ("SELECT * FROM Show ORDER BY id", [], [1, 2, 3, 4]),
    ("SELECT * FROM Show WHERE length > ? ORDER BY id DESC", [40], [4, 3, 1]),
    ("SELECT * FROM Show WHERE title = :title", ["été"], [2]),
    ("SELECT * FROM Show WHERE ?1 = id OR ?1 + 1 = id", [2], [2, 3]),
    (
      "SELECT * FROM Show WHERE publishedAt = ?",
      [Date(timeIntervalSinceReferenceDate: 2_000)], [2]
    ),
    ("SELECT * FROM Show WHERE title = ?", ["été' OR 1 = 1 --"], []),
    (
      "SELECT podcast, publishedAt, price, length, number, season, title, 1 AS other, ID FROM Show",
      [], [1, 2, 3, 4]
    ),
    ("SELECT * FROM Show JOIN Podcast ON Podcast._moho_id = podcast ORDER BY id", [], [1, 2, 3]),
    ("SELECT * FROM Show WHERE id = 1 UNION ALL SELECT * FROM Show WHERE id = 1;", [], [1, 1]),
    ("WITH long AS (SELECT * FROM Show WHERE length > 50) SELECT * FROM long", [], [1, 4]),
    ("SELECT * FROM Show -- all of them", [], [1, 2, 3, 4]),
  ]

  @Test(arguments: queries.indices)
  func aQueryReturnsModelsWithTheirRelatedModels(index: Int) throws {
    let query = Self.queries[index]
    let fetched = try store.fetch(Shows.Show.self, sql: query.sql, arguments: query.arguments)

    #expect(fetched == query.ids.map { shows[$0 - 1] })
  }

  @Test func anyNumberOfRowsIsRead() throws {
    let sql = """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1201)
      SELECT n AS id, 'Episode ' || n AS title, NULL AS summary, 'free' AS kind,
        n * 86400.0 AS publishedAt, NULL AS thumbnailURL, NULL AS season, 0 AS isPlayed FROM number
      """
    let store = try ModelStore(inMemory: Episode.self)

    #expect(try store.fetch(Episode.self, sql: sql) == (1...1_201).map { .number($0) })
  }

  @Test func aPartialModelHasTheKeysOfTheColumns() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self, sql: "SELECT upper(title) AS title, season, podcast FROM Show ORDER BY id")

    #expect(
      partials.map { $0.keys.map(\.name) }
        == Array(repeating: ["title", "season", "podcast"], count: 4))
    #expect(partials.map { $0[\.title] } == ["SWIFT", "éTé", "ÉLAN", "APPLE"])
    #expect(partials.map { $0[\.season] } == [.some(1), .some(nil), .some(2), .some(2)])
    #expect(partials.map { $0[\.podcast] } == shows.map { .some($0.podcast) })
  }

  @Test func aPartialModelHasMembersIfTheIdentityIsSelected() throws {
    let partials = try store.fetchPartials(Shows.Show.self, sql: "SELECT id FROM Show ORDER BY id")

    #expect(partials.map { $0[\.chapters] } == shows.map(\.chapters))
    #expect(partials[0].keys.map(\.name) == ["id", "chapters"])
  }

  @Test func relatedModelsHaveTheValuesOfTheirTable() throws {
    let leaf = Topic(name: "leaf")
    let branch = Topic(name: "branch", children: [leaf])
    let store = try ModelStore(inMemory: Topic.self)
    try store.write { try $0.save(Topic(name: "root", children: [branch])) }
    let stored = try store.fetch(ModelRequest<Topic>().order(by: \.name))

    let partials = try store.fetchPartials(
      Topic.self, sql: "SELECT _moho_id, upper(name) AS name FROM Topic ORDER BY name")
    #expect(partials.map { $0[\.name] } == ["BRANCH", "LEAF", "ROOT"])
    #expect(partials.map { $0[\.children] } == stored.map(\.children))

    let topics = try store.fetch(
      Topic.self, sql: "SELECT _moho_id, upper(name) AS name, parent FROM Topic ORDER BY name")
    #expect(topics.map(\.children) == stored.map(\.children))
  }

  @Test func aPartialModelOfAKeyForStoresOnlyIsRead() throws {
    struct Counted: MappedModel {
      var id: Int
      var reads: Int
      static let mapping = Mapping(
        "Counted", Counted.init, .key("id", \.id, .unique),
        .key("reads", \.reads, default: 0, .storeOnly))
    }
    let store = try ModelStore(inMemory: Counted.self)
    try store.write { try $0.save(Counted(id: 1, reads: 7)) }

    let partials = try store.fetchPartials(Counted.self, sql: "SELECT reads FROM Counted")
    #expect(partials.map { $0[\.reads] } == [7])
    #expect(partials.map { $0[\.id] } == [nil])
  }

  /// Invalid queries with the code and a part of the reason of the error.
  static let failures: [(String, [any FieldValue], StoreError.Code, String)] = [
    ("SELECT id, title FROM Show", [], .invalidRequest, "no column `season`, `number`, `length`"),
    ("SELECT 1", [], .invalidRequest, "the SQL returns no column `id`"),
    ("SELECT * FROM Missing", [], .database, "no such table"),
    ("SELECT * FRM Show", [], .database, "syntax error"),
    ("", [], .database, "empty statement"),
    ("SELECT * FROM Show WHERE id = ?", [], .invalidRequest, "1 parameters, but there are 0"),
    ("SELECT * FROM Show", [1], .invalidRequest, "0 parameters, but there are 1"),
    ("SELECT * FROM Show; SELECT * FROM Show", [], .database, "ultiple statements"),
    ("DELETE FROM Show", [], .invalidRequest, "the SQL changes the database"),
    ("DELETE FROM Show RETURNING *", [], .invalidRequest, "the SQL changes the database"),
  ]

  @Test(arguments: failures.indices)
  func anInvalidQueryIsRefused(index: Int) throws {
    let (sql, arguments, code, reason) = Self.failures[index]
    let error = #expect(throws: StoreError.self) {
      try store.fetch(Shows.Show.self, sql: sql, arguments: arguments)
    }

    #expect(error?.code == code)
    #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    #expect(try store.fetch(ModelRequest<Shows.Show>().order(by: \.id)) == shows)
  }

  @Test func aValueOfAnotherTypeIsAnErrorOfItsKey() {
    let error = #expect(throws: MappingError.self) {
      try store.fetchPartials(
        Shows.Show.self, sql: "SELECT 3 AS id, 'long' AS length, NULL AS title")
    }

    #expect(
      error?.errors.map(\.description) == [
        "unexpected null: null, expected string - `Show.title` at /Show/3/title",
        "invalid type: string \"long\", expected number - `Show.length` at /Show/3/length",
      ])
  }

  @Test func integersOfExpressionsAreNumbers() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self, sql: "SELECT 2 AS length, 3 AS price, 4 AS publishedAt")

    #expect(partials.map { $0[\.length] } == [2])
    #expect(partials.map { $0[\.price] } == [.some(3)])
    #expect(
      partials.map { $0[\.publishedAt] } == [Date(timeIntervalSinceReferenceDate: 4)])
  }

  @Test(arguments: [
    ("'x'", "invalid type: string \"x\""), ("999", "invalid value: number 999"),
    ("1.0", "invalid type: number 1.0"), ("x'01'", "invalid type: data of 1 bytes"),
  ])
  func aColumnOfARelationRefersToARow(value: String, found: String) {
    for sql in ["SELECT \(value) AS podcast, id", "SELECT \(value) AS podcast, *"] {
      let error = #expect(throws: MappingError.self) {
        _ = try store.fetchPartials(Shows.Show.self, sql: "\(sql) FROM Show WHERE id = 2")
      }
      #expect(
        error?.description == """
          \(found), expected identity of a row of `Podcast` - `Show.podcast` at /Show/2/podcast
          """)
    }
    #expect(throws: MappingError.self) {
      _ = try store.fetch(Shows.Show.self, sql: "SELECT \(value) AS podcast, * FROM Show")
    }
  }

  @Test(arguments: ["999", "'x'", "NULL", "1.5"])
  func theIdentityIsThatOfARow(value: String) throws {
    let found = ["999": "number 999", "'x'": "string \"x\"", "NULL": "null", "1.5": "number 1.5"]
    let store = try ModelStore(inMemory: Topic.self)
    try store.write { try $0.save(Topic(name: "root", children: [Topic(name: "leaf")])) }
    let sql = "SELECT \(value) AS _moho_id, name, parent FROM Topic"

    for fetch in [
      { _ = try store.fetch(Topic.self, sql: sql) },
      { _ = try store.fetchPartials(Topic.self, sql: sql) },
    ] {
      let error = #expect(throws: StoreError.self) { try fetch() }
      #expect(error?.code == .invalidRequest)
      #expect(
        error?.reason == """
          the SQL returns \(found[value] ?? "") as `_moho_id`, expected the identity of a stored row
          """)
    }
  }

  @Test func anArgumentThatAColumnCannotStoreIsRefused() {
    for argument: any FieldValue in [Double.nan, [1, 2], UInt64.max] {
      #expect(throws: MappingError.self) {
        try store.fetch(
          Shows.Show.self, sql: "SELECT * FROM Show WHERE id = ?", arguments: [argument])
      }
    }
  }

  @Test func statementsTakeTheirArgumentsInOrder() throws {
    try store.write { writer in
      try writer.execute(
        sql: "UPDATE Show SET title = ? WHERE id = ?; UPDATE Show SET season = ? WHERE id = 2",
        arguments: ["a\0b", 1, 9])
    }

    let changed = try store.fetch(ModelRequest<Shows.Show>().order(by: \.id))
    #expect(changed.map(\.title) == ["a\0b"] + shows.map(\.title).dropFirst())
    #expect(changed.map(\.season) == [1, 9, 2, 2])
    for arguments in [[], [1], [1, 2, 3]] {
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try $0.execute(
            sql: "DELETE FROM Chapter WHERE id = ?; DELETE FROM Chapter WHERE id = ?",
            arguments: arguments)
        }
      }
      #expect(error?.code == .invalidRequest)
    }
    #expect(try store.fetchCount(ModelRequest<Shows.Chapter>()) == 4)
  }

  @Test func textsThatDifferOnlyInCompositionAreDifferentQueries() throws {
    let count = { (text: String) in
      try store.fetch(Shows.Show.self, sql: "SELECT * FROM Show WHERE title = '\(text)'").count
    }

    #expect(try count("\u{e9}t\u{e9}") == 1)
    #expect(try count("e\u{301}te\u{301}") == 0)
  }
}
