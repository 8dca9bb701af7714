import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests that PostgreSQL calculates with decimals as the process does.
@Suite(.requiresPostgres)
struct DecimalFunctionTests {
  private static func decimal(_ generator: inout SeededGenerator) -> Decimal {
    if generator.oneIn(8) { return Decimal(generator.below(5) - 2) }
    if generator.oneIn(16) { return Decimal.greatestFiniteMagnitude }
    if generator.oneIn(16) { return Decimal.leastNonzeroMagnitude }
    let pools: [[UInt8]] = [[9], [0, 5], [4, 9], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]
    let pool = pools[generator.below(pools.count)]
    let digits = (0..<1 + generator.below(38)).map { _ in pool[generator.below(pool.count)] }
    let exponents = [0, -generator.below(40), generator.below(256) - 128]
    return Decimal(
      digits: digits, exponent: exponents[generator.below(3)], isNegative: generator.oneIn(2)) ?? 1
  }

  @Test func `SQL and memory calculate the same decimals`() throws {
    let store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), Schema([Entity("A", attributes: [])]))
    let sql = ["+", "-", "*", "/"].map { "\(PostgresFunctions.decimal)('\($0)', $1, $2)" }
      .joined(separator: ", ")
    try store.read { reader in
      let connection = try reader.postgres.connection
      for seed in 0..<1000 as Range<UInt64> {
        var generator = SeededGenerator(seed: seed)
        let (one, other) = (Self.decimal(&generator), Self.decimal(&generator))
        var arguments = PostgresArguments()
        try arguments.append(.decimal(one), as: .numeric)
        try arguments.append(.decimal(other), as: .numeric)

        let result = try connection.query("SELECT \(sql)", arguments)

        for (column, sign) in ["+", "-", "*", "/"].enumerated() {
          let operation = try #require(Arithmetic(rawValue: sign))
          let expected = operation.result(.decimal(one), .decimal(other))
          let found = try result[0].content(column, as: .numeric)
          #expect(found == expected, "seed \(seed): \(one) \(sign) \(other)")
        }
      }
    }
  }
}
