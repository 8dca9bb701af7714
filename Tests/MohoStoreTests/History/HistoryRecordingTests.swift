import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// The recorded changes of each kind of write.
@Suite(.allEngines) struct HistoryRecordingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let write: @Sendable (StoreWriter) throws -> Void
    let expected: [String]

    init(
      _ name: String, _ expected: [String],
      _ write: @escaping @Sendable (StoreWriter) throws -> Void
    ) {
      testDescription = name
      self.write = write
      self.expected = expected
    }
  }

  /// Shows "core" with the episodes 1 and 2, and "crust" with 3. Episode 1 has the
  /// tags "a" and "b".
  private static func prepare(_ writer: StoreWriter) throws {
    try writer.save([RecordedTag(name: "a"), RecordedTag(name: "b"), RecordedTag(name: "c")])
    try writer.save([RecordedShow(name: "core"), RecordedShow(name: "crust")])
    try writer.save([
      RecordedEpisode(
        id: 1, title: "Lava", season: 1, show: .of("core"), tags: [.of("a"), .of("b")]),
      RecordedEpisode(id: 2, title: "Ash", show: .of("core")),
      RecordedEpisode(id: 3, title: "Slate", show: .of("crust")),
    ])
    try writer.save([RecordedNote(text: "one"), RecordedNote(text: "two")])
  }

  static let cases = [
    Case("an insertion", ["insert `Episode` 4"]) { try $0.save(RecordedEpisode(id: 4)) },
    Case("an update", ["update `Episode` 2: season, title"]) {
      try $0.save(RecordedEpisode(id: 2, title: "Gneiss", season: 4, show: .of("core")))
    },
    Case("an upsert without changes", []) {
      try $0.save(RecordedEpisode(id: 2, title: "Ash", show: .of("core")))
    },
    Case("an update to nil", ["update `Episode` 1: season"]) {
      try $0.execute(sql: "UPDATE \"Episode\" SET season = NULL")
    },
    Case("an SQL update without changes", []) {
      try $0.execute(sql: "UPDATE \"Episode\" SET title = title")
    },
    Case("an update of some keys", ["update `Episode` 1: title"]) {
      var change = Partial<RecordedEpisode>()
      change[\.id] = 1
      change[\.title] = "Magma"
      try $0.update([change])
    },
    Case("an insertion and an update", ["insert `Episode` 4"]) {
      try $0.save(RecordedEpisode(id: 4))
      try $0.save(RecordedEpisode(id: 4, title: "Marl"))
    },
    Case("an insertion and a deletion", []) {
      try $0.save(RecordedEpisode(id: 4))
      try $0.delete([RecordedEpisode(id: 4)])
    },
    Case("two updates", ["update `Episode` 2: season, title"]) {
      try $0.execute(sql: "UPDATE \"Episode\" SET title = 'x' WHERE id = 2")
      try $0.execute(sql: "UPDATE \"Episode\" SET season = 7 WHERE id = 2")
    },
    Case("an update and a deletion", ["delete `Show` \"empty\""]) {
      try $0.execute(sql: "UPDATE \"Show\" SET title = 'x' WHERE name = 'empty'")
      try $0.delete([RecordedShow(name: "empty")])
    },
    Case("a deletion and an insertion", ["update `Show` \"empty\""]) {
      try $0.delete([RecordedShow(name: "empty")])
      try $0.save(RecordedShow(name: "empty", title: "x"))
    },
    Case("a deletion", ["update `Show` \"crust\": episodes", "delete `Episode` 3"]) {
      try $0.delete([RecordedEpisode(id: 3)])
    },
    Case(
      "a deletion of linked rows",
      [
        "update `Tag` \"a\": episodes", "update `Tag` \"b\": episodes", "delete `Episode` 1",
        "delete `Episode` 2", "delete `Show` \"core\"",
      ]
    ) { try $0.delete([RecordedShow(name: "core")]) },
    Case(
      "a deletion of all rows",
      ["delete `Note, 100%` 1", "delete `Note, 100%` 2"]
    ) { try $0.execute(sql: "DELETE FROM \"Note, 100%\"") },
    Case("a name with separators", ["update `Note, 100%` 1: 100%2C, text, plain"]) {
      try $0.execute(
        sql: "UPDATE \"Note, 100%\" SET \"text, plain\" = 'x', \"100%2C\" = 7 WHERE _moho_id = 1")
    },
    Case(
      "a link in a column",
      [
        "update `Show` \"core\": episodes", "update `Show` \"crust\": episodes",
        "update `Episode` 2: show",
      ]
    ) { try $0.save(RecordedEpisode(id: 2, title: "Ash", show: .of("crust"))) },
    Case(
      "links in a table",
      [
        "update `Episode` 1: tags", "update `Tag` \"a\": episodes", "update `Tag` \"c\": episodes",
      ]
    ) {
      try $0.save(
        RecordedEpisode(
          id: 1, title: "Lava", season: 1, show: .of("core"), tags: [.of("b"), .of("c")]))
    },
    Case("the order of links", ["update `Episode` 1: tags"]) {
      try $0.save(
        RecordedEpisode(
          id: 1, title: "Lava", season: 1, show: .of("core"), tags: [.of("b"), .of("a")]))
    },
    Case("a deletion of a linked row", ["update `Episode` 1: tags", "delete `Tag` \"a\""]) {
      try $0.delete([RecordedTag(name: "a")])
    },
    Case(
      "a new text key",
      [
        "delete `Show` \"core\"", "insert `Show` \"mantle\"", "update `Episode` 1: show",
        "update `Episode` 2: show",
      ]
    ) { try $0.execute(sql: "UPDATE \"Show\" SET name = 'mantle' WHERE name = 'core'") },
    Case(
      "a new text key of a row in a link table",
      ["update `Episode` 1: tags", "delete `Tag` \"a\"", "insert `Tag` \"z\""]
    ) { try $0.execute(sql: "UPDATE \"Tag\" SET name = 'z' WHERE name = 'a'") },
    Case(
      "a new integer key",
      [
        "update `Tag` \"a\": episodes", "update `Tag` \"b\": episodes", "delete `Episode` 1",
        "insert `Episode` 9",
      ]
    ) { try $0.execute(sql: "UPDATE \"Episode\" SET id = 9 WHERE id = 1") },
    Case(
      "two exchanged keys",
      [
        "update `Episode` 1: show", "update `Episode` 2: show", "update `Episode` 3: show",
        "update `Show` \"core\"", "update `Show` \"crust\"",
      ]
    ) {
      try $0.execute(sql: "UPDATE \"Show\" SET name = 'x' WHERE name = 'core'")
      try $0.execute(sql: "UPDATE \"Show\" SET name = 'core' WHERE name = 'crust'")
      try $0.execute(sql: "UPDATE \"Show\" SET name = 'crust' WHERE name = 'x'")
    },
    Case("a nested write that throws", ["insert `Episode` 4"]) { writer in
      try writer.save(RecordedEpisode(id: 4))
      _ = try? writer.plan(saving: [RecordedEpisode(id: 5)])
    },
  ]

  @Test(arguments: cases) func aWriteIsRecorded(_ case: Case) throws {
    let store = try recordingStore()
    try store.write { try Self.prepare($0) }
    try store.write { try $0.save(RecordedShow(name: "empty")) }

    let changes = try store.changes { try store.write(`case`.write) }

    let lines = changes.split(separator: "\n").map(String.init)
    #expect(lines.sorted() == `case`.expected.sorted(), "\(changes)")
  }

  @Test(arguments: cases) func aWriteThatThrowsIsNotRecorded(_ case: Case) throws {
    struct Failure: Error {}
    let store = try recordingStore()
    try store.write { try Self.prepare($0) }
    let token = try store.currentHistoryToken()

    #expect(throws: Failure.self) {
      try store.write { writer in
        try `case`.write(writer)
        throw Failure()
      }
    }

    if !store.isOnPostgres { #expect(try store.currentHistoryToken() == token) }
    #expect(try store.fetchHistory(since: token) == [])
  }

  @Test func compositeKeysOfDeletedRowsAreKnown() throws {
    let store = try recordingStore()
    let guid = TestedEngine.current.storesNullCharacters ? "é\u{0}x" : "é x"
    let item = ModelReference<IdentityItem>.of(ModelReference<IdentityFeed>.of("f'1"), "a b")
    try store.write { writer in
      try writer.save([
        IdentityFeed(
          url: "f'1",
          items: [IdentityItem(serial: 1, guid: "a b"), IdentityItem(serial: 2, guid: guid)])
      ])
      try writer.save([IdentityPart(item: item, number: 0.1), IdentityPart(item: item, number: -2)])
      try writer.save([IdentityPair(first: "", second: " ", number: .infinity)])
    }
    let token = try store.currentHistoryToken()

    try store.write { writer in
      try writer.delete(ModelRequest<IdentityPart>())
      try writer.delete([IdentityFeed(url: "f'1")])
      try writer.delete(ModelRequest<IdentityPair>())
      // The rows have the identities of the deleted rows.
      try writer.save([IdentityFeed(url: "f2", items: [IdentityItem(guid: "new")])])
    }

    let changes = try store.fetchChanges(since: token)
    #expect(
      changes[.of(ModelReference<IdentityFeed>.of("f'1"), "a b") as ModelReference<IdentityItem>]?
        .kind == .deleted)
    let keys = Set(changes.rows.map { "\($0.kind) \($0.entity) \($0.key)" })
    let feed = ModelReference<IdentityFeed>.of("f'1").key
    #expect(
      keys == [
        "deleted IdentityFeed \(feed)",
        "deleted IdentityItem \(FieldContent.array([feed, .string("a b")]))",
        "deleted IdentityItem \(FieldContent.array([feed, .string(guid)]))",
        "deleted IdentityPart \(FieldContent.array([item.key, .double(0.1)]))",
        "deleted IdentityPart \(FieldContent.array([item.key, .double(-2)]))",
        "deleted IdentityPair \(FieldContent.array([.string(""), .string(" "), .double(.infinity)]))",
        "inserted IdentityFeed \(FieldContent.string("f2"))",
        "inserted IdentityItem \(FieldContent.array([.string("f2"), .string("new")]))",
      ])
  }

  @Test func aNewKeyChangesTheKeysThatContainIt() throws {
    let store = try recordingStore()
    let feed = ModelReference<IdentityFeed>.of("f")
    let item = ModelReference<IdentityItem>.of(feed, "i")
    try store.write { writer in
      try writer.save([IdentityFeed(url: "f", items: [IdentityItem(guid: "i")])])
      try writer.save([
        IdentityPart(item: item, number: 1),
        IdentityPart(item: item, number: 2, similar: [.of(item, 1.0)]),
      ])
    }

    let changes = try store.changes {
      try store.write { try $0.execute(sql: "UPDATE \"IdentityFeed\" SET url = 'g'") }
    }

    var expected: Set<String> = []
    for (change, feed) in [("delete", "f"), ("insert", "g")] {
      let item = FieldContent.array([.string(feed), .string("i")])
      expected.insert("\(change) `IdentityFeed` \"\(feed)\"")
      expected.insert("\(change) `IdentityItem` \(item)")
      for number in [1.0, 2.0] {
        let part = FieldContent.array([item, .double(number)])
        expected.insert("\(change) `IdentityPart` \(part)")
      }
    }
    #expect(Set(changes.split(separator: "\n").map(String.init)) == expected)
  }

  @Test func aTransactionHasItsAuthorAndDate() throws {
    let store = try recordingStore()
    let start = Date.now.addingTimeInterval(-1)

    try store.write(author: "sync") { try $0.save(RecordedEpisode(id: 1)) }
    try store.write { try $0.save(RecordedEpisode(id: 2)) }
    try store.write(author: "") { try $0.save(RecordedEpisode(id: 3)) }

    let history = try store.fetchHistory(since: nil)
    #expect(history.map(\.author) == ["sync", nil, ""])
    #expect(history.allSatisfy { $0.date > start && $0.date < .now.addingTimeInterval(1) })
    #expect(history.map { $0.changes.map(\.date) } == history.map { [$0.date] })
    #expect(try store.fetchHistory(since: nil, excludingAuthors: ["sync", ""]).count == 1)
    #expect(
      try store.fetchChanges(since: nil, excludingAuthors: ["sync"]).description == """
        insert `Episode` 2
        insert `Episode` 3
        """)
  }

  @Test func aNestedWriteWithAnotherAuthorIsATransaction() throws {
    struct Failure: Error {}
    let store = try recordingStore()

    try store.write(author: "outer") { writer in
      try writer.save(RecordedEpisode(id: 1))
      try store.write { try $0.save(RecordedEpisode(id: 2)) }
      try store.write(author: "inner") { try $0.save(RecordedEpisode(id: 3)) }
      try? store.write(author: "failing") { writer in
        try writer.save(RecordedEpisode(id: 4))
        throw Failure()
      }
      try writer.save(RecordedEpisode(id: 5))
    }

    let history = try store.fetchHistory(since: nil)
    #expect(
      history.map { [$0.author ?? ""] + $0.changes.map { "\($0.key)" } } == [
        ["outer", "1", "2"], ["inner", "3"], ["outer", "5"],
      ])
    var pages: [HistoryTransaction] = []
    while pages.count < 10,
      let page = try store.fetchHistory(since: pages.last?.token, limit: 1).first
    {
      pages.append(page)
    }
    #expect(pages.map(\.description) == history.map(\.description))
  }

  @Test func aContextSavesWithItsAuthor() throws {
    let store = try recordingStore()
    let context = EditingContext(store)
    context.author = "user"
    let child = EditingContext(childOf: context)

    try child.insert(RecordedEpisode.self).row.set("id", to: 7)
    try child.save()
    try context.save()

    #expect(try store.fetchHistory(since: nil).map(\.description) == ["user\n  insert `Episode` 7"])
  }

  @Test(.engine(.sqlite)) func changesThroughGRDBHaveNoAuthor() throws {
    let store = try recordingStore()
    try store.write(author: "a") { try $0.save(RecordedEpisode(id: 1)) }

    try store.writer.write { try $0.execute(sql: "UPDATE \"Episode\" SET title = 'x'") }
    try store.write(author: "b") { try $0.save(RecordedEpisode(id: 2)) }

    #expect(
      try store.fetchHistory(since: nil).map(\.description) == [
        "a\n  insert `Episode` 1", "no author\n  update `Episode` 1: title",
        "b\n  insert `Episode` 2",
      ])
  }

  @Test func readModelsOfChangesAreInTheirOrder() throws {
    let store = try recordingStore()
    try store.write { writer in
      for id in [5, 3, 4] { try writer.save(RecordedEpisode(id: id)) }
      try writer.delete([RecordedEpisode(id: 3)])
      try writer.save(RecordedTag(name: "a"))
    }

    try store.read { reader in
      let changes = try reader.fetchChanges(since: nil)
      #expect(try reader.fetch(RecordedEpisode.self, in: changes.rows).map(\.id) == [5, 4])
      #expect(try reader.fetch(RecordedTag.self, in: changes.rows).map(\.name) == ["a"])
    }
  }

  @Test func withoutHistoryNothingIsCreated() throws {
    let store = try emptyStore(RecordedEpisode.self)
    try store.write(author: "x") { try $0.save(RecordedEpisode(id: 1)) }

    let names = try store.values(
      store.isOnPostgres
        ? """
        SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace
        UNION ALL
        SELECT prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        """ : "SELECT name FROM sqlite_schema")
    #expect(!names.contains { $0.contains("history") })
    for call: @Sendable (ModelStore) throws -> Void in [
      { _ = try $0.currentHistoryToken() }, { _ = try $0.fetchHistory(since: nil) },
      { try $0.write { try $0.deleteHistory(before: .now) } },
    ] {
      let error = #expect(throws: StoreError.self) { try call(store) }
      #expect(
        error.map { "\($0)" } == """
          no history: the store does not record its history; \
          set `history` of the configuration to `.enabled()`
          """)
    }
  }
}
