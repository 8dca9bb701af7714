import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests full-text indexes that other programs write, and their limits.
@Suite(.requiresPostgres)
struct SearchIndexTests {
  private struct Note: MappedModel, Equatable {
    var id: Int
    var title: String
    var body: String?

    static let mapping = Mapping(
      "Note", Note.init, .key("id", \.id, .unique), .key("title", \.title, .searchable),
      .key("body", \.body, .searchable))
  }

  private let url: String
  private let store: ModelStore

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, models: Note.self)
  }

  private func found(_ text: String, in store: ModelStore? = nil) throws -> [Int] {
    let request = ModelRequest<Note>().filter { $0.matches(text) }.order(by: \.id)
    return try (store ?? self.store).fetch(request).map(\.id)
  }

  @Test func searchesUseTheIndex() throws {
    try store.write { writer in
      try writer.save((1...2_000).map { Note(id: $0, title: "number \($0)", body: nil) })
    }
    try AdministratorConnection(url).execute("ANALYZE")
    for text in ["1234", "123*", #""number 1234""#, "number 1234 \"1234\""] {
      let explanation = try store.explain(ModelRequest<Note>().filter { $0.matches(text) })

      #expect(explanation.indexes.contains("_moho search (Note)"), "\(text): \(explanation)")
      #expect(explanation.plan.contains { $0.contains("Bitmap Index Scan") })
    }
    let negated = try store.explain(ModelRequest<Note>().filter { !$0.matches("1234") })
    #expect(negated.indexes.contains("_moho search (Note)"), "\(negated)")
  }

  @Test func writesOfOtherProgramsAreFound() throws {
    let connection = try AdministratorConnection(url)

    try connection.execute(
      #"INSERT INTO "Note" (id, title, body) VALUES (1, 'Éclair', 'moon'), (2, 'Sun', NULL)"#)
    #expect(try found("eclair MOON") == [1])
    try connection.execute(#"UPDATE "Note" SET title = 'Io' WHERE id = 1"#)
    #expect(try found("eclair") == [])
    #expect(try found("io") == [1])
    try connection.execute(#"UPDATE "Note" SET id = 9 WHERE id = 1"#)
    #expect(try found("io") == [9])
    try connection.execute(#"DELETE FROM "Note" WHERE id = 9"#)
    #expect(try found("io") == [])
    try connection.execute(#"TRUNCATE "Note""#)
    #expect(try found("sun") == [])
  }

  /// The settings and objects of another role must not change the words.
  @Test func writersDoNotChangeTheFunctionsOfTheIndex() throws {
    let connection = try AdministratorConnection(url)
    let schema = try store.postgresSchemaName
    try connection.execute(
      """
      SET standard_conforming_strings = off;
      CREATE FUNCTION lower(text) RETURNS text LANGUAGE sql AS 'SELECT ''wrong''::text';
      CREATE FUNCTION replace(text, text, text) RETURNS text
        LANGUAGE sql AS 'SELECT ''wrong''::text';
      SET search_path = \(schema), pg_catalog
      """)
    try connection.execute(#"INSERT INTO "\#(schema)"."Note" (id, title) VALUES (1, 'ÉCLAIR')"#)

    #expect(try found("eclair") == [1])
  }

  @Test func aRoleWithoutOwnershipWritesAndSearches() throws {
    let server = try PostgresServer.shared()
    let role = "r\(UUID().uuidString.prefix(8).lowercased())"
    let schema = try store.postgresSchemaName
    try server.execute(
      """
      CREATE ROLE \(role) LOGIN;
      GRANT USAGE ON SCHEMA \(schema) TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role);
      GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA \(schema) TO \(role)
      """)

    let other = try ModelStore(postgres: server.url(schema: schema, user: role), models: Note.self)
    try other.write { try $0.save(Note(id: 1, title: "The Moon", body: nil)) }

    #expect(try found("moon", in: other) == [1])
    let ranked = ModelRequest<Note>().filter { $0.matches("moon") }.order(by: .relevance)
    #expect(try other.fetch(ranked).count == 1)
  }

  @Test func aRestoredDumpIsSearched() throws {
    try store.write { try $0.save(Note(id: 1, title: "The Moon", body: "Éclair")) }
    let server = try PostgresServer.shared()
    let schema = try store.postgresSchemaName
    let file = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).sql").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try server.dump(schema: schema, to: file)
    try server.execute("ALTER SCHEMA \(schema) RENAME TO \(schema)_old")

    try server.restore(file)

    let restored = try ModelStore(postgres: url, models: Note.self)
    #expect(try found("eclair moon", in: restored) == [1])
    let plan = try ModelStore.migrationPlan(postgres: url, models: Note.self)
    #expect(plan.isEmpty, "\(plan)")
  }

  /// PostgreSQL limits words to 2,046 bytes, and an index entry to 1 MB.
  @Test func textsOfAnySizeAreSavedAndFound() throws {
    let long = String(repeating: "漢", count: 700)
    let many = (0..<250_000).map { "word\($0)" }.joined(separator: " ")
    try store.write { writer in
      try writer.save([
        Note(id: 1, title: "short moon", body: long + "x"),
        Note(id: 2, title: "short", body: "moon \(long)y"),
        Note(id: 3, title: "long moon", body: many),
        Note(id: 4, title: String(repeating: "q", count: 100_000), body: nil),
        Note(id: 5, title: String(repeating: "z", count: 600), body: nil),
      ])
    }

    #expect(try found("moon") == [1, 2, 3])
    #expect(try found(long + "x") == [1])
    #expect(try found(long) == [])
    #expect(try found(long + "*") == [1, 2])
    #expect(try found("word249999 moon") == [3])
    #expect(try found("word250000") == [])
    #expect(try found(#""word77 word78""#) == [3])
    #expect(try found("word24999*") == [3])
    #expect(try found(#""long moon" word5"#) == [3])
    #expect(try found(String(repeating: "q", count: 100_000)) == [4])
    // Longer than a word of the index, in a row that has no other words.
    #expect(try found(String(repeating: "z", count: 600)) == [5])
    #expect(try found(String(repeating: "z", count: 599)) == [])
    #expect(try found(String(repeating: "z", count: 599) + "*") == [5])
    let negated = ModelRequest<Note>().filter { !$0.matches("word3") }.order(by: \.id)
    #expect(try store.fetch(negated).map(\.id) == [1, 2, 4, 5])
  }

  @Test func aSnippetHasAtLeastOneWord() throws {
    try store.write { writer in
      try writer.save([
        Note(id: 1, title: "moon and sun over moon", body: nil),
        Note(id: 2, title: "the moon and sun", body: nil),
        Note(id: 3, title: "moon", body: nil),
      ])
    }
    let request = ModelRequest<Note>().filter { $0.matches("moon") }.order(by: \.id)

    let rows = try store.fetchValues(request) { [$0.title.snippet("[", "]", words: 1)] }

    #expect(
      rows.map(\.values) == [[.string("[moon]…")], [.string("…[moon]…")], [.string("[moon]")]])
  }

  /// The new entries of the index, which are read as a whole, are a common source of conflicts.
  @Test func aTransactionThatSearchesAndWritesRunsAgainAfterAConflict() throws {
    let other = try ModelStore(postgres: url, models: Note.self)
    func search(_ text: String, _ writer: StoreWriter) throws -> Int {
      try writer.reader.fetchCount(ModelRequest<Note>().filter { $0.matches(text) })
    }
    var counts: [Int] = []

    try store.write { writer in
      counts.append(try search("moon", writer))
      if counts.count == 1 {
        try other.write { writer in
          _ = try search("sun", writer)
          try writer.save(Note(id: 1, title: "The moon", body: nil))
        }
      }
      try writer.save(Note(id: 2, title: "The sun", body: nil))
    }

    #expect(counts == [0, 1])
  }

  @Test func theBestRowsComeFirst() throws {
    try store.write { writer in
      try writer.save([
        Note(id: 1, title: "moon and more words here", body: nil),
        Note(id: 2, title: "moon moon and more words", body: nil),
        Note(id: 3, title: "moon and", body: nil), Note(id: 4, title: "moon and", body: nil),
        Note(id: 5, title: "rare moon and more words", body: nil),
        Note(id: 6, title: "sun", body: nil), Note(id: 7, title: "sun", body: nil),
      ])
    }
    func ranked(_ text: String) throws -> [Int] {
      try store.fetch(ModelRequest<Note>().filter { $0.matches(text) }.order(by: .relevance))
        .map(\.id)
    }

    // Rows with more matches, then shorter rows, then the order of identities.
    #expect(try ranked("moon") == [2, 3, 4, 1, 5])
    #expect(try ranked("moon rare") == [5])
    let values = try store.fetchValues(ModelRequest<Note>().filter { $0.matches("sun") }) {
      [$0.relevance]
    }
    // Two of seven rows, of which all have the average length.
    let expected = -log((7 - 2 + 0.5) / (2 + 0.5))
    #expect(values.count == 2)
    for row in values {
      guard case .double(let value)? = row["relevance"] else { return #expect(Bool(false)) }
      #expect(abs(value - expected) < 1e-12)
    }
  }
}

extension ModelStore {
  /// The name of the PostgreSQL schema of the tables.
  fileprivate var postgresSchemaName: String {
    get throws { try #require(engine as? PostgresEngine).schemaName }
  }
}
