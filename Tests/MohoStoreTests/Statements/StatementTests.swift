import GRDB
import GRDBSQLite
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

@Suite struct StatementTests {
  private static let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
  private static let upTo = numbers + " WHERE i < ?1) SELECT i FROM n"

  private func integers(_ statement: PreparedStatement) throws -> [Int64] {
    var integers: [Int64] = []
    try statement.forEachRow { integers.append(SQLiteValue($0, 0).int64) }
    return integers
  }

  @Test func aStatementThatIsRunningIsNotReset() throws {
    let cached = CachedStatement(SQLQuery(Self.upTo, [.int64(3)]))
    try DatabaseQueue().read { database in
      var pairs: [[Int64]] = []

      try cached.prepared(on: database).forEachRow { outer in
        let outer = SQLiteValue(outer, 0).int64
        for inner in try integers(cached.prepared(on: database)) { pairs.append([outer, inner]) }
        for inner in try integers(
          PreparedStatement(database, SQLQuery(Self.upTo, [.int64(1)])))
        {
          pairs.append([outer, -inner])
        }
      }

      #expect(pairs == (1...3).flatMap { outer in [1, 2, 3, -1].map { [outer, $0] } })
    }
  }

  @Test func aCachedStatementRunsOnSeveralConnections() throws {
    let cached = CachedStatement(SQLQuery(Self.upTo, [.int64(2)]))
    for database in try [DatabaseQueue(), DatabaseQueue()] {
      for _ in 0..<2 {
        #expect(try database.read { try integers(cached.prepared(on: $0)) } == [1, 2])
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 31, 32, 33, 64, 65, 1_000])
  func listsOfAllLengthsSelectTheirIntegers(count: Int) throws {
    let statement = IntegerListStatement(
      SQLListQuery(
        Self.numbers + " WHERE i < 2000) SELECT i FROM n WHERE i > ?1 AND i",
        tail: " ORDER BY i DESC",
        arguments: [.int64(1)]))
    let list = (0..<count).map { Int64(2 * $0 + 1) }

    try DatabaseQueue().read { database in
      for _ in 0..<2 {
        let found = try integers(statement.prepared(for: list, on: database))
        #expect(found == list.filter { $0 > 1 && $0 <= 2_000 }.reversed())
      }
    }
  }

  @Test func errorsNameTheStatement() throws {
    try DatabaseQueue().read { database in
      let sql = "SELECT abs(?)"
      let error = #expect(throws: DatabaseError.self) {
        _ = try PreparedStatement(database, SQLQuery(sql, [.int64(.min)])).hasRow()
      }

      #expect(error?.message == "integer overflow")
      #expect(error?.sql == sql)
    }
  }

  @Test func memoryOfBindingsIsReusedAndReleased() throws {
    try DatabaseQueue().write { database in
      try database.execute(sql: "CREATE TABLE t (x)")
      do {
        let statement = try PreparedStatement(
          database, "INSERT INTO t VALUES (?)", reusesMemory: true)
        for text in ["a\0b", String(repeating: "y", count: 20_000), ""] {
          statement.clearBindings()
          try statement.bind(text, at: 1)
          try statement.execute()
        }
      }

      // The cached statement has no values of the memory that was released.
      try PreparedStatement(database, "INSERT INTO t VALUES (?)").execute()

      let lengths = try integers(
        PreparedStatement(database, "SELECT length(CAST(x AS BLOB)) FROM t ORDER BY rowid"))
      #expect(lengths == [3, 20_000, 0, 0])
      #expect(
        try Bool.fetchOne(database, sql: "SELECT count(*) = 1 FROM t WHERE x IS NULL") == true)
    }
  }
}
