import Fixtures
import Foundation
import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// SQL of an app on a server: types of parameters and columns, and the state of connections.
@Suite(.requiresPostgres)
struct AppSQLTests {
  private let url: String
  private let store: ModelStore

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, models: Episode.self, Measure.self)
    try store.write { writer in
      try writer.save((1...3).map { Episode.number($0) })
      try writer.execute(
        sql: #"""
          CREATE TABLE note (id int4 PRIMARY KEY, small int2, size float4, name varchar(20),
            code uuid, day date, at timestamp, content json, tags text[], price numeric(10, 2))
          """#)
    }
  }

  private func texts(_ sql: String) throws -> [String?] {
    try PostgresConnection(url).query(sql).rows.map { $0.optionalString(0) }
  }

  private func titles(_ sql: String, _ arguments: [any FieldValue] = []) throws -> [String?] {
    try store.fetchPartials(Episode.self, sql: sql, arguments: arguments).map { $0[\.title] }
  }

  @Test func `the server infers the types of parameters`() throws {
    let code = UUID()
    try store.write { writer in
      try writer.execute(
        sql: """
          INSERT INTO note (id, small, size, name, code, day, at, content, price)
          VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8)
          """,
        arguments: [
          1, UInt8(2), 1.5, "a", code, Date(timeIntervalSinceReferenceDate: 0), "[1]",
          Decimal(sign: .plus, exponent: -2, significand: 125),
        ])
    }

    #expect(
      try texts(
        """
        SELECT concat_ws('|', small, size, name, code, content, price) FROM note
        """) == ["2|1.5|a|\(code.uuidString.lowercased())|[1]|1.25"])
    let cases: [(String, [any FieldValue])] = [
      ("substr(name, $1) = $2", [1, "a"]), ("code = $1", [code]), ("small = $1", [2.0]),
      ("size = $1 AND price > $1 - $2", [1.5, 1]), ("name = ANY (ARRAY[$1, $2])", ["b", "a"]),
      ("content->>$1 IS NULL", ["b"]), ("id = $1 LIMIT $2", [1, 1]),
      ("repeat(name, $1) = $2", [3, "aaa"]), ("length(name) > $1", [0]),
    ]
    for (condition, arguments) in cases {
      let sql = "SELECT name AS title FROM note WHERE \(condition)"
      #expect(try titles(sql, arguments) == ["a"], "\(condition)")
    }
  }

  @Test func `a parameter whose type cannot be inferred has advice`() throws {
    for (sql, state) in [
      ("SELECT jsonb_build_array($1) AS title", "42P18"),
      ("SELECT $1 AS title FROM note WHERE id = $1", "42P08"),
    ] {
      let error = #expect(throws: StoreError.self) { try titles(sql, [1]) }
      #expect(error?.suggestion == "cast the parameter, as in `$1::int8`")
      #expect((error?.underlying as? PostgresError)?.sqlState == state)
    }

    #expect(try titles("SELECT to_jsonb($1::int8)::text AS title", [1]) == ["1"])
  }

  @Test func `an argument that its type does not have is an error of the server`() throws {
    let sql = #"SELECT title FROM "Episode" WHERE id = $1"#
    for argument: any FieldValue in ["x", 1.5, UInt64.max] {
      let error = #expect(throws: StoreError.self) { try titles(sql, [argument]) }
      #expect(error?.code == .invalidValue)
      #expect((error?.underlying as? PostgresError)?.sql == sql)
    }
  }

  @Test func `a parameter that a statement does not use needs no type`() throws {
    try store.write { writer in
      try writer.execute(
        sql: #"""
          UPDATE "Episode" SET season = $2 WHERE id = 1; UPDATE "Episode" SET title = $1 WHERE id = 1
          """#,
        arguments: ["x", 4])
    }

    let sql = #"SELECT title FROM "Episode" WHERE season = $2"#
    #expect(try titles(sql, ["unused", 4]) == ["x"])
  }

  @Test func `columns of other types are read or refused by name`() throws {
    try store.write { writer in
      try writer.execute(
        sql: "INSERT INTO note VALUES (1, 2, 1.5, 'n', NULL, $1, $1, '{}', '{a}', 2)",
        arguments: [Date.now])
    }
    let numbers = try store.fetchPartials(
      Measure.self, sql: "SELECT id, size, price, small AS count FROM note")
    #expect(numbers.map { $0[\.size] } == [1.5])
    #expect(numbers.map { $0[\.price] } == [.some(2)])
    #expect(numbers.map { $0[\.count] } == [2])
    for (column, text) in [("name", "n"), ("content", "{}"), ("name::char(3)", "n  ")] {
      #expect(try titles("SELECT \(column) AS title FROM note") == [text])
    }
    for (column, type) in [
      ("day", "date"), ("at", "timestamp without time zone"), ("tags", "text[]"),
    ] {
      let error = #expect(throws: StoreError.self) {
        try titles("SELECT \(column) AS title FROM note")
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.reason == "the column `title` has the type \(type), which no key has")
      // Columns without a key can have any type.
      #expect(try titles("SELECT \(column), 'x' AS title FROM note") == ["x"])
    }
  }

  @Test func `a number that no decimal has is an error of its key`() throws {
    let error = #expect(throws: MappingError.self) {
      try store.fetchPartials(Measure.self, sql: "SELECT 7 AS id, 'NaN'::numeric AS price")
    }
    #expect(error?.path.map { "\($0)" } == "Measure.7.price")
  }

  @Test func `names without quotation marks find their keys`() throws {
    let partials = try store.fetchPartials(
      Episode.self,
      sql: #"SELECT id AS ID, TRUE AS isPlayed, 0 AS publishedAt FROM "Episode" WHERE id = 1"#)

    #expect(partials.map { $0[\.isPlayed] } == [true])
    #expect(partials.map { $0[\.id] } == [1])
    let error = #expect(throws: StoreError.self) { try titles("SELECT title FROM Episode") }
    #expect(error?.suggestion?.contains("quotation marks") == true)
  }

  @Test func `a query that changes the database is refused`() throws {
    try store.write { writer in
      try writer.execute(
        sql: #"""
          CREATE FUNCTION remove() RETURNS text LANGUAGE sql BEGIN ATOMIC
            DELETE FROM "Episode" WHERE id = 2; SELECT 'removed';
          END;
          """#)
    }
    for sql in [
      #"WITH gone AS (DELETE FROM "Episode" RETURNING *) SELECT * FROM gone"#,
      #"INSERT INTO "Episode" (id) VALUES (1) RETURNING *"#, "CREATE TABLE other (id int8)",
      "SELECT remove() AS title",
    ] {
      let error = #expect(throws: StoreError.self) { try titles(sql) }
      #expect(error?.code == .invalidRequest, "\(sql)")
      #expect(error?.reason == "the SQL changes the database", "\(sql)")
    }
    for sql in ["SHOW work_mem", "EXPLAIN SELECT 1", #"SELECT title INTO other FROM "Episode""#] {
      #expect(throws: StoreError.self) { try titles(sql) }
    }
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 3)

    // A transaction that writes can call functions that write, and lock rows.
    try store.write { writer in
      let removed = try writer.reader.fetchPartials(
        Episode.self, sql: "SELECT remove() AS title")
      #expect(removed.map { $0[\.title] } == ["removed"])
      let locked = try writer.reader.fetchPartials(
        Episode.self, sql: #"SELECT id FROM "Episode" ORDER BY id FOR UPDATE"#)
      #expect(locked.map { $0[\.id] } == [1, 3])
    }
  }

  @Test func `a block and a procedure cannot commit`() throws {
    try store.write { writer in
      try writer.execute(
        sql: "CREATE PROCEDURE finish() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$")
    }
    for sql in [
      "DO $$ BEGIN COMMIT; END $$", "CALL finish()", "DO $$ BEGIN EXECUTE 'COMMIT'; END $$",
    ] {
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.delete(ModelRequest<Episode>())
          try writer.execute(sql: sql)
        }
      }
      #expect(error?.code == .invalidRequest, "\(sql)")
      #expect(error?.reason.contains("must not control transactions") == true, "\(sql)")
    }
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 3)
  }

  @Test func `settings end with the transaction`() throws {
    func setting() throws -> [String?] {
      try store.write { writer in
        try writer.reader.fetchPartials(
          Episode.self, sql: "SELECT current_setting('work_mem') AS title"
        ).map { $0[\.title] }
      }
    }
    let before = try setting()
    try store.write { try $0.execute(sql: "SET LOCAL work_mem = '7MB'") }

    #expect(try setting() == before)
    #expect(before != ["7MB"])
  }

  @Test func `a statement that runs often is prepared`() throws {
    let sql = #"UPDATE "Episode" SET season = $1 WHERE id = $2"#
    try store.write { writer in
      for season in 1...5 { try writer.execute(sql: sql, arguments: [season, 2]) }
      try writer.execute(sql: sql, arguments: [Int?.none, 3])
    }

    let seasons = try store.fetch(ModelRequest<Episode>().order(by: \.id)).map(\.season)
    #expect(seasons == [nil, 5, nil])
    let count = try store.write { writer in
      try writer.reader.postgres.connection.query(
        "SELECT count(*) FROM pg_prepared_statements WHERE statement = '\(sql)'"
      ).first?.int(0)
    }
    #expect(count == 1)
  }

  @Test func `cursors of queries are closed`() throws {
    try store.write { writer in
      for sql in [#"SELECT title FROM "Episode""#, "SELECT 1 / 0 AS title", "SELECT 1 AS nothing"] {
        _ = try? writer.reader.fetchPartials(Episode.self, sql: sql)
      }
      let cursors = try writer.reader.postgres.connection.query(
        "SELECT name FROM pg_cursors WHERE name <> ''")
      #expect(cursors.rowCount == 0)
    }
  }

  @Test func `rows of a long query are read in batches`() throws {
    try store.read { reader in
      let partials = try reader.fetchPartials(
        Episode.self, sql: "SELECT n AS id FROM generate_series(1, $1) n", arguments: [1_700])
      #expect(partials.map { $0[\.id] } == (1...1_700).map { $0 })
    }
  }
}

/// A model with keys for numbers.
private struct Measure: MappedModel {
  var id: Int
  var size: Double
  var price: Decimal?
  var count: Int

  static let mapping = Mapping(
    "Measure", Measure.init, .key("id", \.id, .unique), .key("size", \.size),
    .key("price", \.price), .key("count", \.count))
}
