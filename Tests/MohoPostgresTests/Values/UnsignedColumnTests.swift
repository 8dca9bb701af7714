import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoPostgres

/// Tests the columns of unsigned integers, and their binary form.
@Suite(.requiresPostgres)
struct UnsignedColumnTests {
  private let database: MigratedDatabase

  init() throws { database = try MigratedDatabase() }

  private func row(_ type: AttributeType) -> [Entity] {
    [Entity("Row", attributes: [Attribute("name", .string), Attribute("size", type)])]
  }

  private func insert(_ sizes: String...) throws {
    let rows = sizes.map { "('', \($0))" }.joined(separator: ", ")
    try database.execute("INSERT INTO Row (name, size) VALUES \(rows)")
  }

  private func values() throws -> [String] {
    try database.values("SELECT size FROM Row ORDER BY size")
  }

  @Test func aColumnHasTheRangeOfItsType() throws {
    try database.open(row(.uint64))

    let type = try database.connection.query(
      """
      SELECT format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = '"Row"'::regclass AND attname = 'size'
      """)
    #expect(type.first?.string(0) == "numeric(20,0)")
    try insert("0", "18446744073709551615")
    for value in ["-1", "18446744073709551616"] {
      #expect(throws: StoreError.self) {
        try insert(value)
      }
    }
    try database.expectAsDeclared(row(.uint64))
  }

  @Test(arguments: [AttributeType.int16, .int32, .int64])
  func aSignedColumnBecomesUnsigned(type: AttributeType) throws {
    try database.open(row(type))
    try insert("0", "32767")

    try database.open(row(.uint64))

    #expect(try values() == ["0", "32767"])
    try database.expectAsDeclared(row(.uint64))
  }

  @Test func aNegativeValueIsNotMadeUnsigned() throws {
    try database.open(row(.int64))
    try insert("-1")

    #expect(throws: StoreError.self) { try database.open(row(.uint64)) }

    #expect(try values() == ["-1"])
    try database.expectAsDeclared(row(.int64))
  }

  /// Numbers would be rounded or would not fit.
  @Test(arguments: [
    (AttributeType.decimal, AttributeType.uint64), (.uint64, .int64), (.uint64, .double),
  ])
  func aTypeWithOtherValuesIsRefused(old: AttributeType, new: AttributeType) throws {
    try database.open(row(old))
    try insert("2")

    #expect(throws: StoreError.self) { try database.open(row(new)) }

    #expect(try values() == ["2"])
  }

  @Test func anUnsignedColumnBecomesDecimal() throws {
    try database.open(row(.uint64))
    try insert("18446744073709551615")

    try database.open(row(.decimal))

    #expect(try values() == ["18446744073709551615"])
    try database.expectAsDeclared(row(.decimal))
  }

  @Test func aMigrationTransformsUnsignedValues() throws {
    try database.open(row(.uint64))
    try insert("18446744073709551615", "7")
    var configuration = PostgresConfiguration()
    configuration.migrations = [
      Migration("halve") { steps in
        steps.transform("size", of: "Row") { size in
          switch size {
          case .uint64(let value): .int64(Int64(value / 2))
          case .int64(let value): .int64(value * 2)
          default: size
          }
        }
      }
    ]

    try database.open(row(.int64), configuration)

    #expect(try values() == ["14", "9223372036854775807"])
    try database.expectAsDeclared(row(.int64))
  }

  @Test func aMigrationTransformsDecimalsIntoUnsignedIntegers() throws {
    try database.open(row(.decimal))
    try insert("18446744073709551615", "7")
    var configuration = PostgresConfiguration()
    configuration.migrations = [
      Migration("unsigned") { $0.transform("size", of: "Row") { $0 } }
    ]

    try database.open(row(.uint64), configuration)

    #expect(try values() == ["7", "18446744073709551615"])
    try database.expectAsDeclared(row(.uint64))
  }

  /// The server's own conversion is the reference.
  @Test func theBinaryFormIsThatOfTheServer() throws {
    var values: [UInt64] = [0, UInt64(Int64.max), .max, .max - 1]
    var power: UInt64 = 1
    for _ in 0..<20 {
      values += [power - 1, power, power + 1, power &* 9]
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    var (texts, arguments) = (values.map { "\($0)" }, PostgresArguments())
    try arguments.append(texts)
    var numbers = PostgresArray(.uint64)
    for value in values { try numbers.append(.uint64(value)) }
    arguments.append(numbers)

    let result = try database.connection.query(
      "SELECT t, n::text, t::numeric(20,0) FROM unnest($1::text[], $2) AS u(t, n)", arguments)

    texts = []
    for row in result.rows {
      #expect(row.string(0) == row.string(1))
      texts.append("\(row.uint64(2) ?? 0)")
      #expect(result.type(ofColumn: 2) == .uint64)
    }
    #expect(texts == values.map { "\($0)" })
  }

  @Test(arguments: ["-1", "0.5", "18446744073709551616", "1e30", "'NaN'", "'Infinity'"])
  func aNumberThatIsNoUnsignedIntegerIsAnError(number: String) throws {
    let row = try #require(
      try database.connection.query("SELECT \(number)::numeric").first)

    #expect(row.uint64(0) == nil)
    #expect(throws: MappingError.self) { try row.content(0, as: .uint64) }
  }
}
