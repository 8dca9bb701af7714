import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

@Suite(.requiresPostgres)
struct ConnectionTests {
  private let connection: PostgresConnection

  init() throws {
    connection = try PostgresConnection(PostgresServer.shared().emptySchema())
  }

  private static func decimal(_ text: String) -> FieldContent {
    Decimal(string: text).map { .decimal($0) } ?? .null
  }

  static let values: [(FieldContent, PostgresType)] = [
    (.bool(true), .bool), (.bool(false), .bool),
    (.int64(-32768), .int2), (.int64(32767), .int2), (.int64(.init(Int32.min)), .int4),
    (.int64(.min), .int8), (.int64(.max), .int8), (.int64(0), .int8),
    (.double(0), .float8), (.double(-0.0), .float8), (.double(.infinity), .float8),
    (.double(.leastNonzeroMagnitude), .float8), (.double(0.1), .float8),
    (.decimal(0), .numeric), (.decimal(1), .numeric), (.decimal(-10_000), .numeric),
    (decimal("0.0001"), .numeric),
    (decimal("-12345.678"), .numeric),
    (decimal("99999999999999999999999999999999999999"), .numeric),
    (decimal("1e-30"), .numeric), (decimal("1e60"), .numeric),
    (.decimal(Decimal.greatestFiniteMagnitude), .numeric),
    (.decimal(Decimal.leastNonzeroMagnitude), .numeric),
    (.string(""), .text), (.string("é\u{1F600}'\"\\"), .text), (.string("e\u{301}"), .text),
    (.string("6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), .uuid),
    (.string(#"{"a":[1,2.5,"x\\u0000"],"b":null}"#), .jsonb), (.string("[]"), .jsonb),
    (.data(Data()), .bytea), (.data(Data([0, 255, 92])), .bytea),
    (.date(Date(timeIntervalSinceReferenceDate: 0)), .timestamptz),
    (.date(Date(timeIntervalSinceReferenceDate: -0.000001)), .timestamptz),
    (.date(.distantPast), .timestamptz), (.date(.distantFuture), .timestamptz),
    (.date(Date(timeIntervalSinceReferenceDate: .infinity)), .timestamptz),
  ]

  @Test(arguments: values.indices)
  func `a value survives the server`(index: Int) throws {
    let (value, type) = Self.values[index]
    var arguments = PostgresArguments()
    try arguments.append(value, as: type)
    arguments.appendNull(type)

    for _ in 1...3 {
      let result = try connection.query("SELECT $1, $2, $1::text", arguments)

      #expect(try result[0].content(0, as: type) == value)
      #expect(try result[0].content(1, as: type) == .null)
    }
  }

  @Test func `only commands about rows have affected rows`() throws {
    #expect(try connection.query("SELECT 1 UNION SELECT 2").affectedRows == 2)
    #expect(try connection.query("SET application_name = 'x'").affectedRows == 0)
  }

  @Test func `an array has its elements and nulls`() throws {
    var array = PostgresArray(.text)
    try array.append(.string("a"))
    array.appendNull()
    try array.append(.string(""))
    var arguments = PostgresArguments()
    arguments.append(array)
    arguments.append([3, 1, 2])
    arguments.append([Int64]())

    let result = try connection.query(
      "SELECT array_to_string($1, ',', 'null'), (SELECT sum(x)::int8 FROM unnest($2) x), "
        + "cardinality($3), $2", arguments)

    #expect(result[0].string(0) == "a,null,")
    #expect(result[0].int64(1) == 6)
    #expect(result[0].int64(2) == 0)
    #expect(result[0].int64s(3) == [3, 1, 2])
  }

  @Test func `text with a null character is refused before it is sent`() {
    var arguments = PostgresArguments()
    for (text, type) in [("a\0b", PostgresType.text), (#"["\u0000"]"#, .jsonb)] {
      #expect { try arguments.append(.string(text), as: type) } throws: { error in
        (error as? StoreError)?.code == .invalidValue
      }
    }
    #expect(throws: Never.self) { try arguments.append(.string(#"["\\u0000"]"#), as: .jsonb) }
  }

  @Test func `a pipeline returns all results and stops at the first error`() throws {
    let results = try connection.queries([
      PostgresQuery("SELECT 1::int4"), PostgresQuery("SELECT 2::int4 UNION SELECT 3 ORDER BY 1"),
    ])
    #expect(results.map(\.rowCount) == [1, 2])

    #expect {
      try connection.queries([
        PostgresQuery("CREATE TABLE t (id int8 PRIMARY KEY)"), PostgresQuery("SELECT 1/0"),
        PostgresQuery("SELECT 4::int4"),
      ])
    } throws: { ($0 as? StoreError)?.code == .invalidValue }
    #expect(try connection.query("SELECT 5::int4")[0].int64(0) == 5)
  }

  @Test func `a copy inserts all rows or none`() throws {
    try connection.execute("CREATE TABLE t (id int8, title text)")
    try connection.execute("BEGIN")
    try connection.copy("COPY t (id, title) FROM STDIN (FORMAT binary)", columnCount: 2) { copy in
      for id in 1...10_000 as ClosedRange<Int64> {
        try copy.append { row in
          try row.appendField(.int64(id), as: .int8)
          try row.appendField(id % 2 == 0 ? .null : .string("title \(id)"), as: .text)
        }
      }
    }

    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.copy("COPY t (id) FROM STDIN (FORMAT binary)", columnCount: 1) { copy in
        for id in 1...100_000 as ClosedRange<Int64> {
          try copy.append { try $0.appendField(.int64(id), as: .int8) }
        }
        throw Stop()
      }
    }
    try connection.execute("CREATE UNIQUE INDEX ON t (id)")
    #expect {
      try connection.copy("COPY t (id) FROM STDIN (FORMAT binary)", columnCount: 1) { copy in
        for id in [20_000, 7] as [Int64] {
          try copy.append { try $0.appendField(.int64(id), as: .int8) }
        }
      }
    } throws: { ($0 as? StoreError)?.code == .notUnique }
    // The transaction goes on.
    try connection.execute("COMMIT")
    let row = try connection.query("SELECT count(*), count(title), sum(id)::int8 FROM t")[0]
    #expect((0...2).map { row.int64($0) } == [10_000, 5_000, 50_005_000])
  }

  @Test func `a savepoint undoes the changes of a failed closure`() throws {
    try connection.execute("CREATE TABLE t (id int8 PRIMARY KEY); BEGIN")
    try connection.query("INSERT INTO t VALUES (1)")
    #expect(throws: StoreError.self) {
      try connection.withSavepoint {
        try connection.query("INSERT INTO t VALUES (2)")
        try connection.query("INSERT INTO t VALUES (1)")
      }
    }
    try connection.execute("COMMIT")

    #expect(try connection.query("SELECT id FROM t").rows.map { $0.int64(0) } == [1])
  }
}
