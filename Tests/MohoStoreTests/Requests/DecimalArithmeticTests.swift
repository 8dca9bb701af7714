import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

/// Tests calculations with decimals in requests.
@Suite(.allEngines) struct DecimalArithmeticTests {
  private static func decimal(_ text: String) -> FieldContent {
    Decimal(string: text).map { .decimal($0) } ?? .null
  }

  static let calculations: [(String, String, String, String?)] = [
    ("1", "+", "2", "3"), ("1.5", "-", "1.5", "0"), ("-1", "*", "0.1", "-0.1"),
    ("1", "/", "0", nil),
    ("1", "/", "3", "0.33333333333333333333333333333333333333"),
    ("2", "/", "3", "0.66666666666666666666666666666666666667"),
    ("-2", "/", "3", "-0.66666666666666666666666666666666666667"),
    ("1", "/", "8", "0.125"), ("100", "/", "0.001", "100000"),
    (
      "99999999999999999999999999999999999999", "+", "0.4", "99999999999999999999999999999999999999"
    ),
    (
      "99999999999999999999999999999999999999", "+", "0.5",
      "100000000000000000000000000000000000000"
    ),
    (
      "-99999999999999999999999999999999999999", "-", "0.5",
      "-100000000000000000000000000000000000000"
    ),
    (
      "10000000000000000000000000000000000000", "-", "0.05",
      "10000000000000000000000000000000000000"
    ),
    ("1e120", "+", "1e-120", "1e120"), ("1e-70", "*", "1e-70", "0"),
    ("5e-64", "*", "1e-65", "1e-128"),
    ("4e-64", "*", "1e-65", "0"), ("1e100", "*", "1e65", "1e165"), ("1e100", "*", "1e66", nil),
    ("1e-128", "/", "1e127", "0"), ("1e127", "/", "1e-128", nil),
  ]

  @Test(arguments: calculations)
  func `the exact result is rounded once`(
    left: String, sign: String, right: String, expected: String?
  ) throws {
    let operation = try #require(Arithmetic(rawValue: sign))

    let result = operation.result(Self.decimal(left), Self.decimal(right))

    #expect(result == expected.map { Self.decimal($0) } ?? .null)
  }

  @Test func `results with few digits are those of Foundation`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let numbers = (0..<2).map { _ in
        Decimal(
          sign: generator.oneIn(2) ? .minus : .plus, exponent: generator.below(20) - 10,
          significand: Decimal(generator.below(1_000_000_000)))
      }
      let (one, other) = (numbers[0], numbers[1])
      #expect(Arithmetic.add.result(.decimal(one), .decimal(other)) == .decimal(one + other))
      #expect(Arithmetic.subtract.result(.decimal(one), .decimal(other)) == .decimal(one - other))
      #expect(Arithmetic.multiply.result(.decimal(one), .decimal(other)) == .decimal(one * other))
      guard !other.isZero else { continue }
      let product = one * other
      #expect(Arithmetic.divide.result(.decimal(product), .decimal(other)) == .decimal(one))
    }
  }

  struct Payment: MappedModel {
    var id: Int
    var amount: Decimal

    static let mapping = Mapping(
      "Payment", Payment.init, .key("id", \.id, .unique), .key("amount", \.amount))
  }

  @Test func `a sum is rounded once`() throws {
    let store = try emptyStore(Payment.self)
    let amounts = ["0.4", "99999999999999999999999999999999999998", "0.4", "0.4", "0.4"]
    try store.write { writer in
      try writer.save(
        amounts.enumerated().map { Payment(id: $0, amount: Decimal(string: $1) ?? 0) })
    }

    let row = try store.fetchAggregates(ModelRequest<Payment>()) {
      [.sum($0.amount), .average($0.amount)]
    }

    #expect(
      row.values == [
        Self.decimal("100000000000000000000000000000000000000"), Self.decimal("2e37"),
      ])
  }
}
