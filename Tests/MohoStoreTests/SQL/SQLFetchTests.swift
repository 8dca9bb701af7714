import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// SQL that both engines understand: names with capital letters are in quotation marks, and
/// parameters have numbers.
@Suite(.allEngines) struct SQLFetchTests {
  let store: ModelStore
  let shows: [Shows.Show]

  init() throws {
    store = try .shows()
    shows = try store.fetch(ModelRequest().order(by: \.id))
  }

  /// Queries, arguments, and the IDs of the shows that they return.
  static let queries: [(sql: String, arguments: [any FieldValue], ids: [Int])] = [
    (#"SELECT * FROM "Show" ORDER BY id"#, [], [1, 2, 3, 4]),
    (#"SELECT * FROM "Show" WHERE length > $1 ORDER BY id DESC"#, [40], [4, 3, 1]),
    (#"SELECT * FROM "Show" WHERE title = $1"#, ["été"], [2]),
    (#"SELECT * FROM "Show" WHERE $1 = id OR $1 + 1 = id ORDER BY id"#, [2], [2, 3]),
    (#"SELECT * FROM "Show" WHERE number = $2 AND season = $1"#, [2, 5], [4]),
    (
      #"SELECT * FROM "Show" WHERE "publishedAt" = $1"#,
      [Date(timeIntervalSinceReferenceDate: 2_000)], [2]
    ),
    (#"SELECT * FROM "Show" WHERE title = $1"#, ["été' OR 1 = 1 --"], []),
    (#"SELECT * FROM "Show" WHERE title = '$1; $2' OR id = 1 /* $3; */"#, [], [1]),
    (
      #"""
      SELECT podcast, "publishedAt", price, length, number, season, title, 1 AS other, id AS "ID"
      FROM "Show" ORDER BY id
      """#, [], [1, 2, 3, 4]
    ),
    (
      #"SELECT * FROM "Show" JOIN "Podcast" ON "Podcast"._moho_id = podcast ORDER BY id"#, [],
      [1, 2, 3]
    ),
    (
      #"SELECT * FROM "Show" WHERE id = 1 UNION ALL SELECT * FROM "Show" WHERE id = 1;"#, [],
      [1, 1]
    ),
    (
      #"WITH long AS (SELECT * FROM "Show" WHERE length > 50) SELECT * FROM long ORDER BY id"#, [],
      [1, 4]
    ),
    (#"; SELECT * FROM "Show" ORDER BY id -- all of them"#, [], [1, 2, 3, 4]),
  ]

  @Test(arguments: queries.indices)
  func aQueryReturnsModelsWithTheirRelatedModels(index: Int) throws {
    let query = Self.queries[index]
    let fetched = try store.fetch(Shows.Show.self, sql: query.sql, arguments: query.arguments)

    #expect(fetched == query.ids.map { shows[$0 - 1] })
  }

  @Test func anyNumberOfRowsIsRead() throws {
    let sql = #"""
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < $1)
      SELECT n AS id, 'Episode ' || n AS title, NULL AS summary, 'free' AS kind,
        n * 86400.0 AS "publishedAt", NULL AS "thumbnailURL", NULL AS season, 0 AS "isPlayed"
      FROM number ORDER BY n
      """#
    let store = try emptyStore(Episode.self)

    for count in [0, 1, 499, 500, 501, 1_000, 1_201] {
      let expected = (0..<max(1, count)).map { Episode.number($0 + 1) }
      #expect(try store.fetch(Episode.self, sql: sql, arguments: [count]) == expected)
    }
  }

  @Test func aPartialModelHasTheKeysOfTheColumns() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self,
      sql: #"SELECT upper(title) AS title, season, podcast FROM "Show" ORDER BY id"#)

    #expect(
      partials.map { $0.keys.map(\.name) }
        == Array(repeating: ["title", "season", "podcast"], count: 4))
    #expect(partials.map { $0[\.title] } == ["SWIFT", "éTé", "ÉLAN", "APPLE"])
    #expect(partials.map { $0[\.season] } == [.some(1), .some(nil), .some(2), .some(2)])
    #expect(partials.map { $0[\.podcast] } == shows.map { .some($0.podcast) })
  }

  @Test func aPartialModelHasMembersIfTheIdentityIsSelected() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self, sql: #"SELECT id FROM "Show" ORDER BY id"#)

    #expect(partials.map { $0[\.chapters] } == shows.map(\.chapters))
    #expect(partials[0].keys.map(\.name) == ["id", "chapters"])
  }

  @Test func relatedModelsHaveTheValuesOfTheirTable() throws {
    let leaf = Topic(name: "leaf")
    let branch = Topic(name: "branch", children: [leaf])
    let store = try emptyStore(Topic.self)
    try store.write { try $0.save(Topic(name: "root", children: [branch])) }
    let stored = try store.fetch(ModelRequest<Topic>().order(by: \.name))

    let partials = try store.fetchPartials(
      Topic.self, sql: #"SELECT _moho_id, upper(name) AS name FROM "Topic" ORDER BY name"#)
    #expect(partials.map { $0[\.name] } == ["BRANCH", "LEAF", "ROOT"])
    #expect(partials.map { $0[\.children] } == stored.map(\.children))

    let topics = try store.fetch(
      Topic.self, sql: #"SELECT _moho_id, upper(name) AS name, parent FROM "Topic" ORDER BY name"#)
    #expect(topics.map(\.children) == stored.map(\.children))
  }

  @Test func onlyModelsWithRelationsRequireTheIdentity() throws {
    let store = try emptyStore(Topic.self, Note.self)
    let note = Note(order: "first", description: "text")
    try store.write { writer in
      try writer.save(Topic(name: "root"))
      try writer.save(note)
    }

    let notes = try store.fetch(
      Note.self, sql: #"SELECT "order", "a ""quoted"" name" FROM "select""#)
    #expect(notes == [note])

    let error = #expect(throws: StoreError.self) {
      try store.fetch(Topic.self, sql: #"SELECT name, parent FROM "Topic""#)
    }
    #expect(error?.reason == "the SQL returns no column `_moho_id`")
  }

  @Test func aPartialModelOfAKeyForStoresOnlyIsRead() throws {
    struct Counted: MappedModel {
      var id: Int
      var reads: Int
      static let mapping = Mapping(
        "Counted", Counted.init, .key("id", \.id, .unique),
        .key("reads", \.reads, default: 0, .storeOnly))
    }
    let store = try emptyStore(Counted.self)
    try store.write { try $0.save(Counted(id: 1, reads: 7)) }

    let partials = try store.fetchPartials(Counted.self, sql: #"SELECT reads FROM "Counted""#)
    #expect(partials.map { $0[\.reads] } == [7])
    #expect(partials.map { $0[\.id] } == [nil])
  }

  /// Invalid queries with the code and a part of the reason of the error.
  static let failures: [(String, [any FieldValue], StoreError.Code, String)] = [
    (#"SELECT id, title FROM "Show""#, [], .invalidRequest, "no column `season`, `number`, `l"),
    ("SELECT 1", [], .invalidRequest, "the SQL returns no column `id`"),
    (#"SELECT * FROM "Missing""#, [], .database, "Missing"),
    (#"SELECT * FRM "Show""#, [], .database, "syntax error"),
    ("", [], .invalidRequest, "the SQL has no statement"),
    (" ; -- nothing", [], .invalidRequest, "the SQL has no statement"),
    (#"SELECT * FROM "Show" WHERE id = $1"#, [], .invalidRequest, "1 parameters, but there are 0"),
    (#"SELECT * FROM "Show" WHERE id = $2"#, [1], .invalidRequest, "2 parameters, but there are 1"),
    (#"SELECT * FROM "Show""#, [1], .invalidRequest, "0 parameters, but there are 1"),
    (
      #"SELECT * FROM "Show"; SELECT * FROM "Show""#, [], .invalidRequest,
      "the SQL has several statements"
    ),
    (#"DELETE FROM "Show""#, [], .invalidRequest, "the SQL changes the database"),
    (#"DELETE FROM "Show" RETURNING *"#, [], .invalidRequest, "the SQL changes the database"),
    (
      #"WITH other AS (SELECT 1 AS one) DELETE FROM "Show" RETURNING *"#, [], .invalidRequest,
      "the SQL changes the database"
    ),
    ("SELECT * FROM \"Show\"\0", [], .invalidRequest, "U+0000"),
  ]

  @Test(arguments: failures.indices)
  func anInvalidQueryIsRefused(index: Int) throws {
    let (sql, arguments, code, reason) = Self.failures[index]
    let fetches: [() throws -> [Shows.Show]] = [
      { try store.fetch(Shows.Show.self, sql: sql, arguments: arguments) },
      {
        try store.write { try $0.reader.fetch(Shows.Show.self, sql: sql, arguments: arguments) }
      },
    ]
    for fetch in fetches {
      let error = #expect(throws: StoreError.self) { try fetch() }
      #expect(error?.code == code)
      #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
    #expect(try store.fetch(ModelRequest<Shows.Show>().order(by: \.id)) == shows)
  }

  @Test func theTransactionGoesOnAfterAnInvalidQuery() throws {
    try store.write { writer in
      try writer.delete(ModelRequest<Shows.Chapter>())
      for (sql, arguments, _, _) in Self.failures {
        #expect(throws: StoreError.self) {
          try writer.reader.fetch(Shows.Show.self, sql: sql, arguments: arguments)
        }
      }
      let sql = #"SELECT * FROM "Show" ORDER BY id"#
      #expect(try writer.reader.fetch(Shows.Show.self, sql: sql).map(\.id) == [1, 2, 3, 4])
    }
    #expect(try store.fetchCount(ModelRequest<Shows.Chapter>()) == 0)
    let count = try store.read { reader in
      for (sql, arguments, _, _) in Self.failures {
        #expect(throws: StoreError.self) {
          try reader.fetch(Shows.Show.self, sql: sql, arguments: arguments)
        }
      }
      return try reader.fetchCount(ModelRequest<Shows.Show>())
    }
    #expect(count == 4)
  }

  @Test func aQueryReadsWhatTheTransactionHasWritten() throws {
    try store.write { writer in
      try writer.delete(ModelRequest<Shows.Show>().filter { $0.id > 1 })
      let sql = #"SELECT * FROM "Show""#
      #expect(try writer.reader.fetch(Shows.Show.self, sql: sql) == [shows[0]])
      #expect(try store.fetch(Shows.Show.self, sql: sql) == [shows[0]])
    }
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

  @Test func numbersOfExpressionsHaveTheTypesOfKeys() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self,
      sql: #"SELECT 2 AS length, 3 AS price, 4 AS "publishedAt" UNION ALL SELECT 2.5, 3, 4.5"#)

    #expect(partials.map { $0[\.length] } == [2, 2.5])
    #expect(partials.map { $0[\.price] } == [.some(3), .some(3)])
    #expect(
      partials.map { $0[\.publishedAt] }
        == [4, 4.5].map { Date(timeIntervalSinceReferenceDate: $0) })
  }

  @Test func aggregatesAreNumbers() throws {
    let partials = try store.fetchPartials(
      Shows.Show.self,
      sql: #"""
        SELECT season, sum(number) AS number, avg(length) AS length FROM "Show"
        WHERE season IS NOT NULL GROUP BY season ORDER BY season
        """#)

    #expect(partials.map { $0[\.number] } == [1, 7])
    #expect(partials.map { $0[\.length] } == [60, 67.5])
  }

  @Test(arguments: [
    ("'x'", "invalid type: string \"x\""), ("999", "invalid value: number 999"),
    ("1.0", "invalid type: number 1.0"),
  ])
  func aColumnOfARelationRefersToARow(value: String, found: String) {
    for sql in ["SELECT \(value) AS podcast, id", "SELECT \(value) AS podcast, *"] {
      let error = #expect(throws: MappingError.self) {
        _ = try store.fetchPartials(Shows.Show.self, sql: #"\#(sql) FROM "Show" WHERE id = 2"#)
      }
      #expect(
        error?.description == """
          \(found), expected identity of a row of `Podcast` - `Show.podcast` at /Show/2/podcast
          """)
    }
    #expect(throws: MappingError.self) {
      _ = try store.fetch(Shows.Show.self, sql: #"SELECT \#(value) AS podcast, * FROM "Show""#)
    }
  }

  @Test(arguments: ["999", "'x'", "NULL", "1.5"])
  func theIdentityIsThatOfARow(value: String) throws {
    let found = ["999": "number 999", "'x'": "string \"x\"", "NULL": "null", "1.5": "number 1.5"]
    let store = try emptyStore(Topic.self)
    try store.write { try $0.save(Topic(name: "root", children: [Topic(name: "leaf")])) }
    let sql = #"SELECT \#(value) AS _moho_id, name, parent FROM "Topic""#

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
    let sql = #"SELECT * FROM "Show" WHERE id = $1"#
    for argument: any FieldValue in [Double.nan, [1, 2]] {
      #expect(throws: MappingError.self) {
        try store.fetch(Shows.Show.self, sql: sql, arguments: [argument])
      }
    }
    let error = #expect(throws: (any Error).self) {
      try store.fetch(Shows.Show.self, sql: sql, arguments: [UInt64.max])
    }
    #expect(
      TestedEngine.current.storesUnsignedIntegers ? error is StoreError : error is MappingError)
  }

  @Test func textsThatDifferOnlyInCompositionAreDifferentQueries() throws {
    let count = { (text: String) in
      try store.fetch(Shows.Show.self, sql: #"SELECT * FROM "Show" WHERE title = '\#(text)'"#).count
    }

    #expect(try count("\u{e9}t\u{e9}") == 1)
    #expect(try count("e\u{301}te\u{301}") == 0)
  }
}
