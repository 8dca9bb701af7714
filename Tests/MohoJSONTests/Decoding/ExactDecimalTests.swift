import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Price: MappedModel, Equatable {
  var amount: Decimal
  var parts: [Decimal?]
  var byName: [String: Decimal]

  static let mapping = Mapping(
    "Price", Price.init,
    .key("amount", \.amount, json: "cost[1].amount"),
    .key("parts", \.parts, default: []),
    .key("byName", \.byName, default: [:]))
}

private struct Offer: MappedModel, Equatable {
  var prices: [Price]
  var best: Price?

  static let mapping = Mapping(
    "Offer", Offer.init, .key("prices", \.prices), .key("best", \.best))
}

@Suite struct ExactDecimalTests {
  private static let digits = "1234567890.1234567890123456789012345678"

  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  private func price(_ digits: String) -> String {
    #" {"x\"}" : [1.5, {"amount": 2.5}], "parts" : [ 0.1, null,\#(digits) ] , "#
      + #""cost":[{"amount":7.5},{"\u0061mount" :\#(digits)}],"byName":{"b": 1.25,"a":\#(digits) }}"#
  }

  private func expectExact(_ price: Price?, _ digits: String = digits) throws {
    let exact = try decimal(digits)
    #expect(price?.amount == exact)
    #expect(price?.parts == [try decimal("0.1"), nil, exact])
    #expect(price?.byName == ["a": exact, "b": 1.25])
  }

  @Test(arguments: [
    digits, "0.1000000000000000055", "-19.99", "1e22", "1.5E-2", "0.0", "-0.0", "3.0",
    "1000000000000000000.0000000000000000001",
  ])
  func decimalsAreWhatTheTextSpells(digits: String) throws {
    let text = price(digits)

    try expectExact(try JSONAdapter<Price>().model(from: Data(text.utf8)), digits)
    let written = try JSONAdapter<Price>().data(
      from: JSONAdapter<Price>().model(from: Data(text.utf8)))
    try expectExact(try JSONAdapter<Price>().model(from: written), digits)
  }

  @Test func decimalsOfEveryElementAreExact() throws {
    let adapter = JSONAdapter<Price>(envelope: "data.price")
    let element = #"{"data":{"other":[1.5],"price":\#(price(Self.digits))}}"#
    let text = "\u{FEFF}" + #"{"a":[0.5],"items": [ \#(element) , \#(element),\#(element)] }"#
    let data = Data(text.utf8)

    for price in try adapter.models(from: data, at: "items") { try expectExact(price) }
    for price in try adapter.models(from: JSONDocument(parsing: data), at: "items") {
      try expectExact(price)
    }
    #expect(try adapter.models(from: data, at: "items").count == 3)
  }

  @Test func decimalsInsideNestedModelsAreExact() throws {
    let price = price(Self.digits)
    let text = #"{"best":\#(price),"prices":[\#(price),\#(price)]}"#

    let offer = try JSONAdapter<Offer>().model(from: Data(text.utf8))

    try expectExact(offer.best)
    for price in offer.prices { try expectExact(price) }
    #expect(offer.prices.count == 2)
  }

  @Test func decimalsOfStreamsAreExact() async throws {
    let price = price(Self.digits)
    var count = 0

    for try await element in JSONAdapter<Price>().elements(
      from: ByteSequence(Data(("[" + price + "," + price + "]").utf8)))
    {
      try expectExact(try element.result.get())
      count += 1
    }
    for try await element in JSONAdapter<Price>().elements(
      from: ByteSequence(Data((price + "\n\n" + price + "\n").utf8)), as: .lines)
    {
      try expectExact(try element.result.get())
      count += 1
    }

    #expect(count == 4)
  }

  @Test func moreDigitsThanDecimalsHaveAreAnError() {
    let text = "0." + String(repeating: "1", count: 40)

    #expect(throws: Never.self) {
      try Field<Decimal>.decode(#"{"value":\#(text.dropLast())}"#)
    }
    #expect(
      messages { _ = try Field<Decimal>.decode(#"{"value":\#(text)}"#) } == [
        "invalid value: number \(text), expected decimal number - `Field.value`"
          + " at /value"
      ])
  }

  @Test func manyDecimalsAreDecodedInLinearTime() throws {
    let text = "[" + (0..<20_000).map { "\($0).25" }.joined(separator: ",") + "]"

    let values = try Field<[Decimal]>.decode(#"{"value":\#(text)}"#)

    #expect(values.count == 20_000)
    #expect(values.last == Decimal(string: "19999.25"))
  }

  /// Random decimals, and those at the limits of the significand and of the
  /// exponent.
  @Test func everyWrittenDecimalIsRead() throws {
    var random = SeededGenerator(seed: 9)
    var decimals = [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude]
    for exponent in [-128, -127, -38, -1, 0, 1, 38, 89, 90, 126, 127] {
      let digits = ["340282366920938463463374607431768211455", "34028236692093846346", "10", "1"]
      for text in digits + ["99999999999999999999999999999999999999"] {
        let significand = try decimal(text)
        decimals.append(Decimal(sign: .minus, exponent: exponent, significand: significand))
      }
    }
    for _ in 0..<500 { decimals.append(Self.anyDecimal(&random)) }
    let prices = decimals.filter { $0.isFinite }.map { value in
      Price(amount: value, parts: [value], byName: ["a": value])
    }
    let adapter = JSONAdapter<Price>()

    #expect(prices.count > 500)
    for price in prices {
      let json = try adapter.data(from: price)
      try #require(try adapter.model(from: json) == price, "\(price.amount)")
    }
  }

  /// A decimal with a significand of 128 random bits, or fewer.
  private static func anyDecimal(_ random: inout SeededGenerator) -> Decimal {
    var significand = Decimal(0)
    for _ in 0..<(1 + random.below(2)) {
      significand *= Decimal(4_294_967_296 as Int64) * Decimal(4_294_967_296 as Int64)
      significand += Decimal(random.next())
    }
    let sign: FloatingPointSign = random.below(2) == 0 ? .plus : .minus
    return Decimal(sign: sign, exponent: random.below(256) - 128, significand: significand)
  }
}
