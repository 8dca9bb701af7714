import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import Testing

@testable import MohoRows
@testable import MohoSQLite

@Suite struct SQLiteValueTests {
  private static let contents: [FieldContent] = [
    .null, .bool(true), .bool(false), .int64(.min), .int64(.max), .uint64(7), .double(-0.0),
    .double(.infinity), .double(2.2250738585072014e-308), .decimal(Decimal(string: "12.340") ?? 0),
    .date(Date(timeIntervalSinceReferenceDate: 0.1)), .string(""), .string("a\0b"),
    .string("e\u{301}"), .string(String(repeating: "x", count: 40_000)), .data(Data()),
    .data(Data([0, 255])),
  ]

  private func values(_ sql: String, _ arguments: [FieldContent]) throws -> [StoredValue] {
    try DatabaseQueue().read { database in
      try PreparedStatement(database, SQLQuery(sql, arguments)).first { statement in
        (0..<sqlite3_column_count(statement)).map { StoredValue(statement, $0) }
      } ?? []
    }
  }

  @Test(arguments: contents.indices, [true, false])
  func contentsAreBoundAndReadByType(index: Int, reusesMemory: Bool) throws {
    let content = Self.contents[index]
    let type = try #require(ValueType(content))

    let value = try DatabaseQueue().read { database in
      let statement = try PreparedStatement(database, "SELECT ?", reusesMemory: reusesMemory)
      try statement.bind(content, at: 1)
      return try statement.first { StoredValue($0, 0) }
    }

    let expected: FieldContent = content == .uint64(7) ? .int64(7) : content
    let found = try #require(value?.content(as: type))
    #expect(found == expected)
    #expect(try value == StoredValue(content))
  }

  @Test func valuesOfOtherTypesAreNotRead() throws {
    let types: [ValueType] = [.boolean, .integer, .double, .decimal, .date, .string, .data]
    let values = try values("SELECT 2, 'x', x'00', 1.5", [])

    let read = values.map { value in
      types.filter { value.content(as: $0) != nil }
    }

    #expect(read == [[.integer], [.string], [.data], [.double, .date]])
  }

  @Test func textThatIsNotUTF8IsBoundWithItsBytes() throws {
    let text = try #require(try values("SELECT CAST(x'61FF00' AS TEXT)", []).first)

    let copy = try DatabaseQueue().read { database in
      let statement = try PreparedStatement(database, "SELECT ?1, typeof(?1), hex(?1)")
      try statement.bind(text, at: 1)
      return try statement.first {
        (StoredValue($0, 0), StoredValue($0, 1), StoredValue($0, 2))
      }
    }

    #expect(text == .invalidText(Data([0x61, 0xFF, 0])))
    #expect(text.content(as: .string) == nil)
    #expect(copy?.0 == text)
    #expect(copy?.1 == .text("text"))
    #expect(copy?.2 == .text("61FF00"))
  }

  @Test func identicalValuesHaveTheSameTypeAndBytes() throws {
    let values = [
      "NULL", "0", "1", "0.0", "1.0", "''", "x''",
      "CAST(x'65CC81' AS TEXT)", "CAST(x'C3A9' AS TEXT)", "x'C3A9'",
    ]

    try DatabaseQueue().read { database in
      for (index, one) in values.enumerated() {
        for (otherIndex, other) in values.enumerated() {
          try PreparedStatement(database, "SELECT \(one), \(other)").forEachRow { statement in
            let (left, right) = (SQLiteValue(statement, 0), SQLiteValue(statement, 1))
            let isSame = index == otherIndex
            #expect(left.isIdentical(to: right) == isSame, "\(one) and \(other)")
            #expect((left.fingerprint == right.fingerprint) == isSame, "\(one) and \(other)")
            #expect(
              (StoredValue(left) == StoredValue(right)) == isSame, "\(one) and \(other)")
          }
        }
      }
    }
  }

  @Test func fingerprintsOfContentsAreThoseOfColumns() throws {
    try DatabaseQueue().read { database in
      let query = SQLQuery("SELECT ?, ?", [.int64(42), .string("a\0é")])
      try PreparedStatement(database, query).forEachRow { statement in
        #expect(SQLiteValue(statement, 0).fingerprint == Fingerprint.of(42 as Int64))
        #expect(SQLiteValue(statement, 1).fingerprint == Fingerprint.of("a\0é"))
      }
    }
  }

  @Test func contentsThatColumnsCannotStoreAreRejected() {
    for content: FieldContent in [
      .uint64(.max), .double(.nan), .decimal(.nan),
      .date(Date(timeIntervalSinceReferenceDate: .nan)),
      .array([]),
    ] {
      #expect(throws: MappingError.self, "\(content)") { try StoredValue(content) }
    }
  }
}
