import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

@Suite struct JSONValueEqualityTests {
  private func parsed(_ text: String) throws -> JSONValue {
    try #require(try JSONDocument(parsing: text).value())
  }

  @Test(arguments: [
    ("1.0", "1.0"), ("1e2", "100.0"), ("-0.0", "-0.0"), ("-0", "0"), ("0.0", "0.0"), ("1", "1"),
    ("1e15", "1000000000000000.0"), ("999999999999999.0", "999999999999999.0"), ("1e17", "1e+17"),
    ("1.50", "1.5"), ("9007199254740993.0", "9007199254740993.0"), ("1e22", "1e+22"),
    ("100000000000000000000.0", "1e+20"), ("0e999", "0.0"), ("-123.0", "-123.0"),
  ])
  func aNumberStaysAnIntegerOrAFraction(text: String, written: String) throws {
    let value = try parsed(text)

    let data = try value.data()
    #expect(data.text == written)
    #expect(try parsed(data.text) == value)
    #expect(try parsed(data.text).kind == value.kind)
    let field = try JSONAdapter<Field<JSONValue>>().data(from: Field(value))
    #expect(field.text == #"{"value":\#(written)}"#)
  }

  @Test(arguments: [
    ["1", "1.0", "1e0", "10e-1", "1.00000000000000000000000000"],
    ["0", "-0", "0.0", "-0.0", "0e5", "-0.0e-999999999999999999999999"],
    ["9007199254740993", "9007199254740993.0", "9007199254740993000e-3"],
    ["9223372036854775807", "9223372036854775807.0"],
    ["18446744073709551616", "18446744073709551616.0", "184467440737095516160e-1"],
    ["1e23", "1E+23", "100000000000000000000000"], ["-2.5", "-25e-1"],
    ["1e-400", "10e-401", "0.1e-399"],
    ["1e-11111111111111111111", "1E-0011111111111111111111"],
  ])
  func oneNumberIsEqualInEverySpelling(texts: [String]) throws {
    for one in texts {
      for other in texts {
        #expect(try parsed(one) == parsed(other), "\(one) and \(other)")
        #expect(try parsed(one).hashValue == parsed(other).hashValue, "\(one) and \(other)")
        let (exact, number) = (try #require(JSONNumber(one)), try #require(JSONNumber(other)))
        #expect(exact == number && exact.hashValue == number.hashValue)
        #expect(try JSONValue.exact(exact) == parsed(other))
        #expect(try JSONValue.exact(exact).hashValue == parsed(other).hashValue)
      }
    }
  }

  @Test(arguments: [
    ("1", "-1"), ("1", "1.0000000000000000000001"), ("9007199254740993", "9007199254740992.0"),
    ("9223372036854775807", "9223372036854775808"), ("1e-400", "0"), ("1e-400", "1e-401"),
    ("1e-11111111111111111111", "1e-11111111111111111112"), ("0.1", "0.10000000000000001"),
    ("1", "true"), ("0", "null"), ("\"1\"", "1"), ("[1]", "1"), ("[1]", "[1,1]"),
    ("{\"a\":1}", "{\"b\":1}"), ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"), ("[]", "{}"),
    ("[[1],[2]]", "[[1],[3]]"),
  ])
  func otherValuesDiffer(one: String, other: String) throws {
    #expect(try parsed(one) != parsed(other))
    #expect(try parsed(other) != parsed(one))
  }

  @Test func valuesThatAreNotNumbersEqualNoNumber() {
    #expect(JSONValue.number(.nan) != .number(.nan))
    #expect(JSONValue.number(.infinity) == .number(.infinity))
    #expect(JSONValue.number(.infinity) != 1)
  }

  @Test func anyValueReadsBackEqualAndInEveryFormat() throws {
    let adapter = JSONAdapter<Field<JSONValue>>()
    let adapters = [adapter, adapter.withoutFastPath]
    for seed in UInt64(0)..<4_000 {
      var random = RandomValue(seed: seed)
      let value = random.value(depth: 4)

      for formatting in [JSONFormatting.compact, .pretty] {
        let again = try parsed(value.data(formatting: formatting).text)
        #expect(again == value, "seed \(seed): \(value)")
        #expect(again.hashValue == value.hashValue, "seed \(seed): \(value)")
        #expect(try again.data() == parsed(again.data().text).data(), "seed \(seed): \(value)")
      }
      #expect(
        try parsed(value.data(formatting: .sorted).text).sorted == value.sorted,
        "seed \(seed): \(value)")
      #expect(try parsed(value.description) == value, "seed \(seed): \(value)")
      for adapter in adapters {
        #expect(
          try adapter.model(from: adapter.data(from: Field(value))).value == value,
          "seed \(seed): \(value)")
      }
    }
  }

  @Test func codersOfOtherFormatsPreserveIt() throws {
    for seed in UInt64(0)..<1_000 {
      var random = RandomValue(seed: seed)
      random.hasExactNumbers = false
      let value = random.value(depth: 3)

      let coded = try JSONDecoder().decode([JSONValue].self, from: JSONEncoder().encode([value]))
      #expect(coded.map(\.sorted) == [value.sorted], "seed \(seed): \(value)")
    }
  }

  @Test func partsAreCollectionsOfValues() throws {
    var elements: JSONValue.Elements = [1, 2]
    let copy = elements
    elements.append(3)
    elements[0] = "a"
    elements.remove(at: 1)

    #expect(elements == ["a", 3])
    #expect(copy == [1, 2])
    #expect(JSONValue.array(elements) == ["a", 3])
    #expect(JSONValue.array([1, 2]).description == "[1,2]")
    guard case .object(var members) = JSONValue.object([.init("b", 1), .init("a", 2)]) else {
      Issue.record("not an object")
      return
    }
    members.sort { $0.key < $1.key }
    #expect(JSONValue.object(members) == ["a": 2, "b": 1])
  }
}

/// Random values, in every case that a program can build.
private struct RandomValue {
  var hasExactNumbers = true
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func value(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 9 : 7) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .integer(integer())
    case 3: return .number(double())
    case 4: return .number(Double(integer() >> Int64(below(64))))
    case 5: return hasExactNumbers ? exact() : .number(double())
    case 6: return .string(string())
    case 7: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    default:
      var keys = Set<String>()
      return .object(
        (0..<below(5)).compactMap { _ in
          let key = string()
          return keys.insert(key).inserted ? JSONValue.Member(key, value(depth: depth - 1)) : nil
        })
    }
  }

  private mutating func integer() -> Int64 {
    Int64(bitPattern: generator.next()) >> Int64(below(64))
  }

  private mutating func double() -> Double {
    let double = Double(bitPattern: generator.next())
    return double.isFinite && below(2) == 0 ? double : Double(integer()) / 1000
  }

  private mutating func exact() -> JSONValue {
    let text =
      (below(2) == 0 ? "-" : "") + (below(3) == 0 ? "0" : "7" + digits())
      + (below(2) == 0 ? "" : ".0" + digits()) + (below(2) == 0 ? "" : "e-" + "\(below(500))")
    return JSONNumber(text).map { .exact($0) } ?? .null
  }

  private mutating func digits() -> String {
    String((0..<below(60)).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
  }

  private mutating func string() -> String {
    let parts = ["a", "", "\0", "\u{1}", "é", "👩‍👧", "\"", "\\", "\n", "\u{7F}", "b"]
    return (0..<below(5)).map { _ in parts[below(parts.count)] }.joined()
  }

  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
}
