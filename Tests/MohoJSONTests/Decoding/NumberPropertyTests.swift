import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

/// Random numbers of 1 to 40 digits, decoded to keys of every type, compared with
/// arithmetic on their digits.
@Suite struct NumberPropertyTests {
  private static let numbers = (0..<UInt64(Campaign.count(short: 500, full: 1_500)))
    .map { (seed: $0, number: RandomNumber(seed: $0)) }

  @Test func integersAreWhatTheTextSpells() throws {
    try checkIntegers(Int8.self)
    try checkIntegers(Int16.self)
    try checkIntegers(Int32.self)
    try checkIntegers(Int64.self)
    try checkIntegers(Int.self)
    try checkIntegers(UInt8.self)
    try checkIntegers(UInt16.self)
    try checkIntegers(UInt32.self)
    try checkIntegers(UInt64.self)
    try checkIntegers(UInt.self)
  }

  @Test func doublesAreTheNearest() throws {
    try check(Double.self) { number in
      Double(number.text).map { .value($0.bitPattern == 0 ? 0 : $0) } ?? .error(.invalidValue)
    }
  }

  @Test(arguments: [
    "1e23", "9007199254740993.0", "9007199254740995.0", "9007199254740995e0",
    "18014398509481990.0", "18014398509481986.0", "9007199254740993000e-3",
    "90071992547409950000e-4", "-9007199254740993.0",
  ])
  func numbersBetweenTwoDoublesAreRoundedToEven(text: String) throws {
    struct Model: MappedModel {
      var value: Double
      static let mapping = Mapping("Model", Model.init, .key("value", \.value))
    }
    let model = try JSONAdapter<Model>().model(from: Data(#"{"value":\#(text)}"#.utf8))

    #expect(model.value == Double(text))
  }

  @Test func decimalsAreWhatTheTextSpells() throws {
    try check(Decimal.self) { number in
      guard number.isDecimal else { return .error(.invalidValue) }
      return Decimal(string: number.plain).map { .value($0) } ?? .error(.invalidValue)
    }
    // The oracle parses the digits correctly: it prints them again.
    for (seed, number) in Self.numbers {
      guard number.isDecimal else { continue }
      let sign = number.digits.isEmpty ? "" : number.sign
      #expect(Decimal(string: number.plain)?.description == sign + number.magnitude, "seed \(seed)")
    }
  }

  @Test func numbersAreNotStrings() throws {
    try check(String.self) { _ in .error(.invalidType) }
  }

  @Test func valuesKeepEveryNumber() throws {
    for (seed, number) in Self.numbers {
      let text = #"{"a":["1",\#(number.text)],"b\"-1":1e1}"#
      let document = try JSONDocument(parsing: text)
      let value = try #require(document.value(at: "a[1]"))

      switch value {
      case .integer(let integer):
        #expect(number.isPlain && "\(integer)" == number.integer, "seed \(seed)")
      case .number(let double):
        #expect(RandomNumber(double.description).isEqual(to: number), "seed \(seed)")
        #expect(number.integer(in: Int64.min..., Int64.max) == nil || !number.isPlain)
      case .exact(let exact):
        #expect(exact.text == number.text, "seed \(seed)")
        let nearest = try #require(Double(number.text))
        #expect(!RandomNumber(nearest.description).isEqual(to: number), "seed \(seed)")
      default: Issue.record("no number, seed \(seed)")
      }
      // Alone, nested, and after encoding.
      #expect(document.value() == ["a": ["1", value], "b\"-1": 10.0], "seed \(seed)")
      let written = try value.data()
      let read = try RandomNumber(#require(JSONDocument(parsing: written).value()).data().text)
      #expect(read.isEqual(to: number), "seed \(seed)")
    }
  }

  private func checkIntegers<Integer: FixedWidthInteger & FieldValue>(_: Integer.Type) throws {
    try check(Integer.self) { number in
      guard let integer = number.integer else { return .error(.invalidType) }
      return number.integer(in: Integer.min..., Integer.max) != nil
        ? Integer(integer).map { .value($0) } ?? .error(.invalidType) : .error(.invalidValue)
    }
  }

  /// Decodes each number in a document, in an array, as a line, and after encoding.
  private func check<Value: FieldValue & Equatable>(
    _: Value.Type, _ expected: (RandomNumber) -> Reading<Value>
  ) throws {
    let adapter = JSONAdapter<Field<Value>>()
    let lists = JSONAdapter<Field<[Value]>>()
    for (seed, number) in Self.numbers {
      let expected = expected(number)
      let object = Data(#"{"more":[\#(number.text),"\"-1e5"],"value":\#(number.text)}"#.utf8)

      let whole = Reading { try adapter.model(from: object).value }
      #expect(whole == expected, "\(Value.self), \(number.text), seed \(seed)")
      let walked = Reading {
        try adapter.models(from: Data("[{},".utf8) + object + [0x5D]).last?.value
      }
      #expect(expected.isValue || walked == expected, "\(Value.self), seed \(seed)")
      let element = Reading { try adapter.models(from: [0x5B] + object + [0x5D]).last?.value }
      #expect(element == expected, "\(Value.self), \(number.text), seed \(seed)")
      let part = Reading {
        try lists.model(from: Data(#"{"value":[\#(number.text)]}"#.utf8)).value.last
      }
      #expect(part == expected, "\(Value.self), \(number.text), seed \(seed)")
      if case .value(let value) = whole {
        let again = Reading { try adapter.model(from: adapter.data(from: Field(value))).value }
        #expect(again == expected, "\(Value.self), \(number.text), seed \(seed)")
      }
    }
  }
}

/// The result of decoding a number.
private enum Reading<Value: Equatable>: Equatable {
  case value(Value)
  case error(MappingError.Code)
  case other

  init(_ body: () throws -> Value?) {
    do {
      self = try body().map { .value($0) } ?? .other
    } catch let error as MappingError {
      self = error.errors.last.map { .error($0.code) } ?? .other
    } catch {
      self = .other
    }
  }

  var isValue: Bool { if case .value = self { true } else { false } }
}

/// The text of a number, and its value by arithmetic on its digits.
private struct RandomNumber {
  let text: String
  let sign: String
  /// The digits without zeros at either end.
  let digits: String
  /// The power of ten of the last digit.
  let exponent: Int
  let isPlain: Bool

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    // Numbers near the limits of types.
    let edges = [
      "127", "128", "255", "256", "32768", "65535", "2147483648", "4294967295",
      "9007199254740993", "9223372036854775807", "9223372036854775808", "9223372036854775809",
      "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999999999",
    ]
    var whole = String(
      (0..<(1 + below(40))).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
    if below(4) == 0 { whole = edges[below(edges.count)] }
    if below(6) == 0 { whole += String(repeating: "0", count: below(12)) }
    whole = String(whole.drop { $0 == "0" })
    if whole.isEmpty { whole = "0" }
    var text = (below(3) == 0 ? "-" : "") + whole
    switch below(4) {
    case 0: text += "." + String(repeating: "0", count: 1 + below(20))
    case 1:
      text +=
        "."
        + String(
          (0..<(1 + below(20))).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
    default: break
    }
    if below(3) == 0 { text += ["e", "E", "e+", "e-", "E-"][below(5)] + "\(below(30))" }
    if below(8) == 0 {
      // Exponents beyond integers, for zero or tiny numbers.
      let isZero = below(2) == 0
      if isZero { text = ["0", "-0", "0.000", "-0.0"][below(4)] }
      let mantissa = String(text.prefix { $0 != "e" && $0 != "E" })
      text = mantissa + (isZero ? ["e", "E+", "e-"][below(3)] : "E-")
      text += String(repeating: ["1", "9"][below(2)], count: 8 + below(120))
    }
    self.init(text)
  }

  /// Whether the number is an integer of 128 bits times a power of ten from -128 to
  /// 127.
  var isDecimal: Bool {
    guard -128...(127 + 39) ~= exponent else { return false }
    let zeros = String(repeating: "0", count: max(0, exponent - 127))
    return digits.isEmpty || UInt128(digits + zeros) != nil
  }

  init(_ text: String) {
    self.text = text
    sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.drop { $0 == "-" }.split { $0 == "e" || $0 == "E" }
    let mantissa = (parts.first ?? "").split(separator: ".")
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    isPlain = parts.count == 1 && mantissa.count == 1
    // No text is long enough to make up for a greater power.
    let power17 = parts.count > 1 ? parts[1].prefix(17) : "0"
    var power = (Int(power17) ?? 0) - fraction.count
    var digits = Substring((mantissa.first ?? "") + fraction)
    while digits.last == "0" {
      digits.removeLast()
      power += 1
    }
    self.digits = String(digits.drop { $0 == "0" })
    exponent = digits.isEmpty ? 0 : power
  }

  func isEqual(to other: RandomNumber) -> Bool {
    digits == other.digits && exponent == other.exponent && (digits.isEmpty || sign == other.sign)
  }

  /// The digits without sign and exponent.
  var magnitude: String {
    if digits.isEmpty { return "0" }
    if exponent >= 0 { return digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return padded.dropLast(-exponent) + "." + padded.suffix(-exponent)
  }

  /// The number without an exponent.
  var plain: String { sign + magnitude }

  /// The digits of the integer, or nil if the number is not an integer.
  var integer: String? {
    guard digits.isEmpty || exponent >= 0 else { return nil }
    return digits.isEmpty ? "0" : plain
  }

  /// The integer if it is in a range, compared digit by digit.
  func integer<Integer: FixedWidthInteger>(
    in least: PartialRangeFrom<Integer>, _ greatest: Integer
  ) -> String? {
    guard let integer else { return nil }
    let bound = sign == "-" && integer != "0" ? "\(least.lowerBound)" : "\(greatest)"
    if bound == "0" { return integer == "0" ? integer : nil }
    let (own, limit) = (integer.drop { $0 == "-" }, bound.drop { $0 == "-" })
    return own.count < limit.count || own.count == limit.count && own <= limit ? integer : nil
  }
}
