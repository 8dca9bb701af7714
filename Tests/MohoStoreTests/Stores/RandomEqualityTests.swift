import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Random models of values that are easily confused.
///
/// The oracle is a label of each value: two values are equal if they have the same
/// label. Labels of values with parts are made of those of their parts.
private struct LabeledSamples {
  typealias Labeled<Value> = (value: Value, label: String)

  var random: SeededGenerator

  private static let texts: [Labeled<String>] = [
    ("\u{E9}", "é1"), ("e\u{301}", "é2"), ("\u{212B}", "Å1"), ("\u{C5}", "Å2"), ("A\u{30A}", "Å3"),
    ("K", "K1"), ("\u{212A}", "K2"), ("", "empty"), ("-0", "-0"), ("\"-0,\\\"", "quoted"),
    ("\u{D55C}", "han1"), ("\u{1112}\u{1161}\u{11AB}", "han2"),
  ]

  private static let doubles: [Labeled<Double>] = [
    (0, "0"), (-0.0, "0"), (1, "1"), (0x1p53, "2^53"), (0x1p53 + 2, "2^53+2"), (-1.5, "-1.5"),
    (.leastNonzeroMagnitude, "least"), (1e300, "1e300"),
  ]

  private static let numbers: [Labeled<JSONValue>] = {
    var numbers: [Labeled<JSONValue>] = [
      (.integer(0), "0"), (.integer(1), "1"), (.integer(1 << 53), "2^53"),
      (.integer((1 << 53) + 1), "2^53+1"), (.integer((1 << 53) + 2), "2^53+2"),
    ]
    for (value, label) in doubles { numbers.append((.number(value), label)) }
    for (text, label) in exact {
      if let number = JSONNumber(text) { numbers.append((.exact(number), label)) }
    }
    return numbers
  }()

  private static let exact: [Labeled<String>] = [
    ("1.0", "1"), ("10e-1", "1"), ("0.000", "0"), ("-0e7", "0"), ("-1.50", "-1.5"),
    ("9007199254740993.0", "2^53+1"), ("0.90071992547409930e16", "2^53+1"),
    ("1e300", "1e300"), ("10E299", "1e300"), ("5e-324", "least"),
    ("18446744073709551615", "2^64-1"), ("1844674407370955161500e-2", "2^64-1"),
    ("0.10000000000000000001", "tenth"),
    ("1000000000000000000100E-22", "tenth"),
  ]

  private static let decimals: [Labeled<Decimal>] = [
    (1, "1"), (Decimal(sign: .plus, exponent: -3, significand: 1000), "1"), (0, "0"),
    (Decimal(sign: .minus, exponent: -1, significand: 15), "-1.5"),
    (Decimal(sign: .minus, exponent: -20, significand: 1) + 1, "1-"),
  ]

  mutating func json(_ depth: Int = 2) -> Labeled<JSONValue> {
    switch random.below(depth > 0 ? 6 : 4) {
    case 0:
      let text = random.one(of: Self.texts)
      return (.string(text.value), "s" + text.label)
    case 1: return random.oneIn(2) ? (.bool(true), "true") : (.bool(false), "false")
    case 2, 3:
      let number = random.one(of: Self.numbers)
      return (number.value, "n" + number.label)
    case 4:
      let parts = (0..<random.below(3)).map { _ in json(depth - 1) }
      let labels = parts.map(\.label).joined(separator: ",")
      return (.array(parts.map(\.value)), "[\(labels)]")
    default: return object(depth)
    }
  }

  mutating func object(_ depth: Int) -> Labeled<JSONValue> {
    let names: [String] = random.one(
      of: [
        [], ["a"], ["\u{E9}"], ["e\u{301}"], ["a", "b"], ["b", "a"], ["c", "\u{E9}", "b"],
        ["_moho_json"],
      ])
    let parts = names.map { name in (name: name, part: json(depth - 1)) }
    let members = parts.map { JSONValue.Member($0.name, $0.part.value) }
    let labels = parts.map { "\(Array($0.name.utf8)):\($0.part.label)" }
    return (.object(members), "{\(labels.joined(separator: ","))}")
  }

  /// Returns a sample with the labels of its keys.
  mutating func sample() -> Labeled<Sample> {
    var sample = Sample(id: 1)
    var labels: [String] = []
    func set<Value>(_ keyPath: WritableKeyPath<Sample, Value?>, _ labeled: Labeled<Value>) {
      sample[keyPath: keyPath] = labeled.value
      labels.append(labeled.label)
    }
    set(\.text, random.one(of: Self.texts))
    set(\.number, random.one(of: Self.doubles))
    set(\.amount, random.one(of: Self.decimals))
    set(\.json, json())
    let list = (0..<random.below(3)).map { _ in random.one(of: Self.doubles) }
    set(\.list, (list.map(\.value), "\(list.map(\.label))"))
    let (name, share) = (random.one(of: Self.texts), random.one(of: Self.doubles))
    set(\.shares, ([name.value: share.value], name.label + ":" + share.label))
    set(\.point, (Sample.Point(x: share.value, name: name.value), name.label + ":" + share.label))
    let (inner, rest) = (json(), object(1))
    let spot = Sample.Spot(x: share.value, json: inner.value, others: rest.value)
    set(\.spot, (spot, share.label + ":" + inner.label + ":" + rest.label))
    let values = (0..<random.below(3)).map { _ in json() }
    set(\.values, (values.map(\.value), "\(values.map(\.label))"))
    let named = json()
    set(\.named, ([name.value: named.value], name.label + ":" + named.label))
    let others = object(1)
    sample.others = others.value
    labels.append(others.label)
    return (sample, labels.joined(separator: "|"))
  }

  static let keys = [
    "text", "number", "amount", "json", "list", "shares", "point", "spot", "values", "named",
    "others",
  ]

  /// Returns a sample, and another one that differs from it in few keys.
  mutating func pair() -> (one: Labeled<Sample>, other: Labeled<Sample>) {
    let (one, other) = (sample(), sample())
    var (mixed, labels) = (one.value, one.label.split(separator: "|"))
    let otherLabels = other.label.split(separator: "|")
    for (index, key) in Self.keys.enumerated() where random.oneIn(6) {
      mixed.take(key, from: other.value)
      labels[index] = otherLabels[index]
    }
    return (one, (mixed, labels.joined(separator: "|")))
  }
}

extension Sample {
  fileprivate mutating func take(_ key: String, from other: Sample) {
    switch key {
    case "text": text = other.text
    case "number": number = other.number
    case "amount": amount = other.amount
    case "json": json = other.json
    case "list": list = other.list
    case "shares": shares = other.shares
    case "point": point = other.point
    case "spot": spot = other.spot
    case "values": values = other.values
    case "named": named = other.named
    default: others = other.others
    }
  }
}

@Suite(.allEngines) struct RandomEqualityTests {
  /// Models are equal for all parts of the store if their labels are equal.
  @Test(arguments: 0..<Campaign.count(short: 1, full: 100))
  func allPartsAgreeOnEquality(seed: Int) throws {
    var samples = LabeledSamples(random: SeededGenerator(seed: UInt64(seed)))
    let store = try emptyStore(Sample.self)
    let adapter = JSONAdapter<Sample>()
    var (equal, different) = (0, 0)

    for number in 0..<60 {
      let (one, other) = samples.pair()
      let name: Comment = "seed \(seed), case \(number): \(one.value) \(other.value)"
      let isEqual = one.label == other.label
      if isEqual { equal += 1 } else { different += 1 }
      let labels = zip(one.label.split(separator: "|"), other.label.split(separator: "|"))
      let changed = zip(LabeledSamples.keys, labels).filter { $1.0 != $1.1 }.map(\.0)

      #expect(Sample.mapping.changedKeys(from: one.value, to: other.value) == changed, name)
      try store.write { try $0.save(one.value) }
      #expect(try store.plan(saving: [other.value]).isEmpty == isEqual, name)
      let report = try store.write { try $0.save(other.value) }
      #expect(report == (isEqual ? SaveReport(unchanged: 1) : SaveReport(updated: 1)), name)
      let fetched = try store.fetch(ModelRequest<Sample>())
      #expect(fetched == [other.value], name)
      for models in [fetched, [other.value]] {
        #expect(try store.write { try $0.save(models) } == SaveReport(unchanged: 1), name)
        let data = try adapter.data(from: models)
        let again = try store.write { try $0.save(decoding: adapter.fields(from: data)) }
        #expect(again == SaveReport(unchanged: 1), name)
      }
    }
    #expect(different > 20)
    #expect(seed > 0 || equal > 2)
  }
}
