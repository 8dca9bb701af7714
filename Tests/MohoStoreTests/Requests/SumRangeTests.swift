import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

/// Sums at the limits of their types.
@Suite(.allEngines) struct SumRangeTests {
  private struct Payment: MappedModel {
    var id: Int
    var amount: Decimal?
    var cents: Int64?
    var units: UInt64?

    static let mapping = Mapping(
      "Payment", Payment.init, .key("id", \.id, .unique), .key("amount", \.amount),
      .key("cents", \.cents), .key("units", \.units))
  }

  private func values(
    of payments: [Payment], _ aggregates: (ModelKeys<Payment>) -> [Aggregate]
  ) throws -> [FieldContent] {
    let store = try emptyStore(Payment.self)
    try store.write { try $0.save(payments) }
    return try store.fetchAggregates(ModelRequest<Payment>(), aggregates).values
  }

  private func cents(_ cents: [Int64]) -> [Payment] {
    cents.enumerated().map { Payment(id: $0, amount: nil, cents: $1, units: nil) }
  }

  private func amounts(_ amounts: [Decimal]) -> [Payment] {
    amounts.enumerated().map { Payment(id: $0, amount: $1, cents: nil, units: nil) }
  }

  private func error(
    _ payments: [Payment], _ aggregates: (ModelKeys<Payment>) -> [Aggregate]
  ) -> StoreError? {
    #expect(throws: StoreError.self) { try values(of: payments, aggregates) }
  }

  @Test(
    arguments: [
      [.max], [.min], [.max, .min], [.max, .max, .min], [.min, .min, .max, .max, 1],
      [.max - 3, 1, 2],
      [.min + 1, -1], [-1, -1], [4_294_967_295, 1], [-4_294_967_296, 4_294_967_295], [0],
    ] as [[Int64]])
  func `a sum of integers is exact`(integers: [Int64]) throws {
    let sum = integers.reduce(Int128(0)) { $0 + Int128($1) }

    let values = try values(of: cents(integers)) { [.sum($0.cents), .average($0.cents)] }

    #expect(values == [.int64(Int64(sum)), .double(Double(sum) / Double(integers.count))])
  }

  @Test func `random sums of integers are exact or errors`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let integers = (0...generator.below(6)).map { _ in
        Int64(truncatingIfNeeded: generator.next()) >> Int64(generator.below(64))
      }
      let sum = integers.reduce(Int128(0)) { $0 + Int128($1) }
      if let sum = Int64(exactly: sum) {
        #expect(
          try values(of: cents(integers)) { [.sum($0.cents)] } == [.int64(sum)], "seed \(seed)")
      } else {
        #expect(error(cents(integers)) { [.sum($0.cents)] }?.code == .limitExceeded, "seed \(seed)")
      }
      #expect(
        try values(of: cents(integers)) { [.average($0.cents)] }
          == [.double(Double(sum) / Double(integers.count))], "seed \(seed)")
    }
  }

  @Test(arguments: [[.max, 1], [.min, -1], [.max, .max], [.min, .min]] as [[Int64]])
  func `a sum of integers beyond 64 bits is an error`(integers: [Int64]) throws {
    let error = error(cents(integers)) { [.count, .sum($0.cents)] }

    #expect(error?.code == .limitExceeded)
    #expect(
      error?.reason == "sum(cents): the sum is outside of the range from \(Int64.min) to"
        + " \(Int64.max)")
    #expect(error?.suggestion == "calculate the sums of smaller groups")
  }

  @Test(.engine(.postgres)) func `a sum of unsigned integers is exact or an error`() throws {
    func units(_ units: [UInt64]) -> [Payment] {
      units.enumerated().map { Payment(id: $0, amount: nil, cents: nil, units: $1) }
    }

    #expect(try values(of: units([.max - 1, 1])) { [.sum($0.units)] } == [.uint64(.max)])
    let error = error(units([.max, 1])) { [.sum($0.units)] }

    #expect(error?.code == .limitExceeded)
    #expect(
      error?.reason == "sum(units): the sum is outside of the range from 0 to \(UInt64.max)")
  }

  @Test
  func `a sum of decimals with more than 38 digits is rounded, or an error if it is too large`()
    throws
  {
    let digits = try #require(Decimal(string: "99999999999999999999999999999999999999"))
    let rounded = try values(of: amounts([digits, 0.4, 0.4])) {
      [.sum($0.amount), .average($0.amount)]
    }
    let largest = Decimal(sign: .plus, exponent: 127, significand: digits)
    let nearly = try values(of: amounts([largest, 1])) { [.sum($0.amount)] }

    let sum = try #require(Decimal(string: "100000000000000000000000000000000000000"))
    let third = try #require(Decimal(string: "33333333333333333333333333333333333333"))
    #expect(rounded == [.decimal(sum), .decimal(third)])
    #expect(nearly == [.decimal(largest)])
    for aggregate in [Aggregate.Function.sum, .average] {
      let error = error(amounts([largest, largest])) {
        [aggregate == .sum ? .sum($0.amount) : .average($0.amount)]
      }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.reason
          == "\(aggregate.rawValue)(amount): the sum is outside of the range of `Decimal`")
    }
  }

  @Test func `the sum of no values is nil`() throws {
    let empty: [FieldContent] = [.null, .null, .null, .null, .null]

    for payments in [[], [Payment(id: 1, amount: nil, cents: nil, units: nil)]] {
      #expect(
        try values(of: payments) {
          [
            .sum($0.cents), .average($0.cents), .sum($0.amount), .average($0.amount),
            .sum($0.units),
          ]
        } == empty)
    }
  }

  private struct Weight: MappedModel {
    var id: Int
    var grams: Double?

    static let mapping = Mapping(
      "Weight", Weight.init, .key("id", \.id, .unique), .key("grams", \.grams))
  }

  private func sums(of numbers: [[Double]]) throws -> [[FieldContent]] {
    let store = try emptyStore(Weight.self)
    return try numbers.map { numbers in
      try store.write { writer in
        _ = try writer.delete(ModelRequest<Weight>())
        try writer.save(numbers.enumerated().map { Weight(id: $0, grams: $1) })
      }
      return try store.fetchAggregates(ModelRequest<Weight>()) {
        [.sum($0.grams), .average($0.grams)]
      }.values
    }
  }

  @Test func `a sum of doubles is rounded once`() throws {
    let tiny = Double.leastNonzeroMagnitude
    let large = Double.greatestFiniteMagnitude
    let cases: [([Double], Double)] = [
      ([0.1, 0.2, 0.3], 0.6), ([1e16, 1, -1e16], 1), ([1, 1e100, 1, -1e100], 2),
      ([large, large, -large], large), ([large, large], .infinity), ([-large, -large], -.infinity),
      ([tiny, tiny], tiny * 2), ([large, tiny, -large], tiny), ([-tiny * 3, 1], 1), ([-0.0], 0),
      ([.infinity, 1], .infinity), ([0x1p53, 1, 0x1p-60], 0x1p53 + 2), ([0x1p53, 1], 0x1p53),
      ([-0x1p53, -1, -0x1p-60], -0x1p53 - 2), ([12.34, 56.78], 69.12),
    ]

    let sums = try sums(of: cases.map(\.0))

    for ((numbers, sum), values) in zip(cases, sums) {
      #expect(values == [.double(sum), .double(sum / Double(numbers.count))], "\(numbers)")
    }
  }

  @Test func `random sums of doubles do not depend on their order`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let numbers = (0..<30).map { _ in
      (0...generator.below(8)).map { _ in
        let exponent = generator.oneIn(3) ? generator.below(2_046) : 1_000 + generator.below(60)
        return Double(
          sign: generator.oneIn(2) ? .plus : .minus, exponentBitPattern: UInt(exponent),
          significandBitPattern: generator.next() & (1 << 52 - 1))
      }
    }

    let sums = try sums(of: numbers + numbers.map { $0.reversed() })

    for (index, numbers) in numbers.enumerated() {
      #expect(sums[index] == sums[index + 30], "\(numbers), seed \(seed)")
      // Two numbers are rounded once.
      guard numbers.count <= 2 else { continue }
      #expect(sums[index][0] == .double(numbers.reduce(0, +)), "\(numbers), seed \(seed)")
    }
  }
}
