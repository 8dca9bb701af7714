import Fixtures
import Foundation
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows

/// SQL that both engines understand, in the transactions of a store.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct SQLExecutionTests {
  /// A model with keys of all types that arguments can have.
  struct Sample: MappedModel, Equatable {
    var id: Int
    var size: Double
    var title: String
    var body: Data
    var day: Date
    var price: Decimal
    var code: UUID
    var isOn: Bool
    var kind: EpisodeKind
    var link: URL?
    var note: String?

    static let mapping = Mapping(
      "Sample", Sample.init, .key("id", \.id, .unique), .key("size", \.size),
      .key("title", \.title), .key("body", \.body), .key("day", \.day), .key("price", \.price),
      .key("code", \.code), .key("isOn", \.isOn), .key("kind", \.kind), .key("link", \.link),
      .key("note", \.note))

    /// The values of the keys.
    var arguments: [any FieldValue] {
      [id, size, title, body, day, price, code, isOn, kind, link, note]
    }
  }

  static let columns = [
    "id", "size", "title", "body", "day", "price", "code", #""isOn""#, "kind", "link", "note",
  ]

  static let samples = [
    Sample(
      id: 1, size: 1.5, title: "it's", body: Data([0, 1, 255]),
      day: Date(timeIntervalSinceReferenceDate: 700_000_000.25),
      price: Decimal(sign: .plus, exponent: -2, significand: 1_250),
      code: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), isOn: true,
      kind: .paid, link: URL(string: "https://example.com/a?b=$1"), note: nil),
    Sample(
      id: -2, size: 1e-300, title: "", body: Data(), day: Date(timeIntervalSinceReferenceDate: -1),
      price: -3, code: UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
      isOn: false, kind: .free, link: nil, note: "\\x41 \"é\" $$"),
    Sample(
      id: 3, size: 40, title: "NULL", body: Data([92]),
      day: Date(timeIntervalSinceReferenceDate: 0),
      price: 0, code: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), isOn: true,
      kind: .free, link: nil, note: ""),
  ]

  private func samples(_ sql: String, _ arguments: [any FieldValue], _ store: ModelStore) throws
    -> [Sample]
  {
    try store.fetch(Sample.self, sql: sql, arguments: arguments)
  }

  @Test func argumentsHaveTheFormOfColumns() throws {
    let store = try emptyStore(Sample.self)
    let marks = Self.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let names = Self.columns.joined(separator: ", ")
    let insertion = #"INSERT INTO "Sample" (\#(names)) VALUES (\#(marks))"#

    try store.write { writer in
      for sample in Self.samples { try writer.execute(sql: insertion, arguments: sample.arguments) }
    }

    let stored = try store.fetch(ModelRequest<Sample>().order(by: \.id))
    #expect(stored == Self.samples.sorted { $0.id < $1.id })
    let report = try store.write { try $0.save(Self.samples) }
    #expect(report.unchanged == Self.samples.count)
    for sample in Self.samples {
      for (column, argument) in zip(Self.columns, sample.arguments) {
        let content = try FieldRecorder.content(of: argument)
        if content == .null { continue }
        let found = try samples(
          #"SELECT * FROM "Sample" WHERE \#(column) = $1"#, [argument], store)
        #expect(found.contains(sample), "\(column)")
      }
    }
  }

  @Test func aNullArgumentIsNull() throws {
    let store = try ModelStore.shows()

    try store.write { writer in
      try writer.execute(
        sql: #"UPDATE "Show" SET season = $1, price = $2 WHERE id = $3"#,
        arguments: [Int?.none, Decimal?.none, 4])
    }

    let show = try store.fetchFirst(ModelRequest<Shows.Show>().filter { $0.id == 4 })
    #expect(show?.season == nil)
    #expect(show?.price == nil)
  }

  @Test func statementsShareTheirArguments() throws {
    let store = try ModelStore.shows()
    let shows = try store.fetch(ModelRequest<Shows.Show>().order(by: \.id))

    try store.write { writer in
      try writer.execute(
        sql: #"""
          UPDATE "Show" SET title = $1 WHERE id = $2; -- the first ; $4
          UPDATE "Show" SET season = $3 WHERE id = $2 OR id = $2 + 1;
          ; DELETE FROM "Chapter" WHERE title = '; $5';
          """#,
        arguments: ["a;b", 1, 9])
    }

    let changed = try store.fetch(ModelRequest<Shows.Show>().order(by: \.id))
    #expect(changed.map(\.title) == ["a;b"] + shows.map(\.title).dropFirst())
    #expect(changed.map(\.season) == [9, 9, 2, 2])
    #expect(try store.count("Chapter") == 4)
  }

  @Test func theNumberOfArgumentsIsThatOfTheParameters() throws {
    let store = try ModelStore.shows()

    for arguments in [[], [1], [1, 2, 3]] {
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try $0.execute(
            sql: #"DELETE FROM "Chapter" WHERE id = $1; DELETE FROM "Chapter" WHERE id = $2"#,
            arguments: arguments)
        }
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.reason.hasSuffix("but there are \(arguments.count) arguments") == true)
    }
    #expect(try store.count("Chapter") == 4)
  }

  @Test func textsMayContainNullCharactersWhereColumnsCanStoreThem() throws {
    let store = try ModelStore.shows()
    let sql = #"UPDATE "Show" SET title = $1 WHERE id = 1"#
    let rename = { try store.write { try $0.execute(sql: sql, arguments: ["a\0b"]) } }

    if TestedEngine.current.storesNullCharacters {
      try rename()
      #expect(try store.fetchCount(ModelRequest<Shows.Show>().filter { $0.title == "a\0b" }) == 1)
    } else {
      let error = #expect(throws: StoreError.self) { try rename() }
      #expect(error?.code == .invalidValue)
      #expect(error?.reason.contains("U+0000") == true)
    }
  }

  @Test func sqlWithANullCharacterIsRefused() throws {
    let store = try ModelStore.shows()

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.execute(sql: "DELETE FROM \"Chapter\"\0 WHERE id = 1") }
    }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason == "the SQL contains the character U+0000")
    #expect(try store.count("Chapter") == 4)
  }

  @Test(arguments: [
    #"UPDATE "Chapter" SET title = 'b'; INSERT INTO "Chapter" (id, title, start) VALUES (1, '', 0)"#,
    #"UPDATE "Chapter" SET title = 'b'; nonsense"#,
    #"UPDATE "Chapter" SET title = 'b'; UPDATE "Missing" SET title = 'b'"#,
    #"UPDATE "Chapter" SET title = 'b'; UPDATE "Chapter" SET title = NULL WHERE id = 4"#,
    #"UPDATE "Chapter" SET title = 'b'; COMMIT; DELETE FROM "Chapter""#,
  ])
  func statementsHaveNoEffectIfOneFails(sql: String) throws {
    let store = try ModelStore.shows()

    try store.write { writer in
      try writer.execute(sql: #"UPDATE "Chapter" SET title = 'a' WHERE id < 3"#)
      #expect(throws: StoreError.self) { try writer.execute(sql: sql) }
      try writer.execute(sql: #"UPDATE "Chapter" SET title = 'c' WHERE id = 2"#)
    }

    let chapters = try store.fetch(ModelRequest<Shows.Chapter>().order(by: \.id))
    #expect(chapters.map(\.title) == ["a", "c", "Intro", "Middle"])
  }

  @Test func aFailedConstraintIsNamedWithItsKey() throws {
    let store = try ModelStore.shows()
    let cases: [(String, StoreError.Code, [String])] = [
      (#"UPDATE "Show" SET id = 2 WHERE id = 1"#, .notUnique, ["id"]),
      (#"UPDATE "Show" SET title = NULL"#, .missingValue, ["title"]),
      (#"UPDATE "Chapter" SET show = 99"#, .danglingReference, ["show"]),
    ]
    for (sql, code, keys) in cases {
      let error = #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: sql) } }
      #expect(error?.code == code)
      #expect(error?.keys == keys)
    }
  }

  @Test func rulesOverRelatedRowsSeeTheChanges() throws {
    let store = try Houses.filledStore()
    let before = try store.dump()

    let error = #expect(throws: MappingError.self) {
      try store.write {
        try $0.execute(sql: #"UPDATE "Room" SET name = $1 WHERE id = $2"#, arguments: [1, 2])
      }
    }

    #expect(error?.row == "`House` 5")
    #expect(try store.dump() == before)
    try store.write { writer in
      // Changes that are undone break no rule.
      try? writer.execute(sql: #"UPDATE "Room" SET name = 1; nonsense"#)
      try writer.execute(sql: #"UPDATE "Room" SET name = $1 WHERE id = $2"#, arguments: [7, 2])
    }
  }

  @Test func observersReceiveTheChanges() async throws {
    let store = try ModelStore.shows()
    var commits = try await store.commits().makeAsyncIterator()

    try await store.write { writer in
      try writer.execute(sql: #"DELETE FROM "Show" WHERE id = $1"#, arguments: [1])
      try writer.execute(sql: #"UPDATE "Podcast" SET title = $1"#, arguments: ["x"])
    }

    let rows = try await commits.next()?.rows
    #expect(rows?["Show"] == [1])
    #expect(rows?["Podcast"] == [7, 8])
    #expect(rows?["Chapter"] == [1, 2])
  }
}
