import MohoMapping
import MohoTesting
import Testing

@Suite struct NumberTextTests {
  @Test(
    arguments: [
      ("1", "1"), ("1.0", "1"), ("1.50", "1.5"), ("-1.20e1", "-12"), ("100", "100"),
      ("1e2", "100"), ("1E+2", "100"), ("12e-1", "1.2"), ("0.5", "0.5"), ("5e-1", "0.5"),
      ("0.012", "0.012"), ("1.2e-2", "0.012"), ("0", "0"), ("-0", "0"), ("-0.00e7", "0"),
      ("1e40", "1" + String(repeating: "0", count: 40)), ("1e41", "1e41"), ("10e40", "1e41"),
      ("1e-41", "0." + String(repeating: "0", count: 40) + "1"), ("1e-42", "1e-42"),
      ("-0.1e-41", "-1e-42"), ("123e-43", "0." + String(repeating: "0", count: 40) + "123"),
      ("1e99999999999999999", "1e99999999999999999"),
      ("1.0e999999999999999999", "1.0e999999999999999999"),
    ])
  func canonicalTextsHaveNoRedundantDigits(text: String, expected: String) throws {
    let number = try #require(NumberText(text))

    #expect(number.normalizedText == expected)
    #expect(NumberText(expected)?.normalizedText == expected)
  }

  @Test func equalNumbersHaveTheSameText() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      // Few digits and powers, so that many numbers are equal.
      let numbers = try (0..<2).map { _ in
        let digits = String(random.below(3) * 10) + String(repeating: "0", count: random.below(3))
        let power = [random.below(4) - 2, 38 + random.below(4), -38 - random.below(6)][
          random.below(3)]
        let sign = random.oneIn(3) ? "-" : ""
        let text =
          random.oneIn(2) ? "\(sign)\(digits)e\(power)" : "\(sign)0.0\(digits)e\(power + 1)"
        return try #require(NumberText(text.replacingLeadingZeros))
      }

      let areEqual = numbers[0].isEqual(to: numbers[1])

      #expect(
        (numbers[0].normalizedText == numbers[1].normalizedText) == areEqual,
        "seed \(seed): \(numbers[0].text), \(numbers[1].text)")
      let again = try #require(NumberText(numbers[0].normalizedText))
      #expect(again.isEqual(to: numbers[0]), "seed \(seed): \(numbers[0].text)")
    }
  }
}

extension String {
  /// The number without zeros that JSON does not permit.
  fileprivate var replacingLeadingZeros: String {
    let sign = hasPrefix("-") ? "-" : ""
    let digits = dropFirst(sign.count)
    guard digits.hasPrefix("00") else { return self }
    return sign + "0" + digits.drop { $0 == "0" }
  }
}
