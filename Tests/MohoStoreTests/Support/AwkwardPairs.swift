import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// A model with a key of every kind of value that can be written in several ways.
struct Sample: MappedModel, Equatable {
  var id: Int
  var note: String?
  var text: String?
  var number: Double?
  var ratio: Float?
  var amount: Decimal?
  var moment: Date?
  var bytes: Data?
  var json: JSONValue?
  var list: [Double]?
  var shares: [String: Double]?
  var point: Point?
  var spot: Spot?
  var values: [JSONValue]?
  var named: [String: JSONValue]?
  var others: JSONValue = [:]

  struct Point: Codable, Equatable, Sendable {
    var x: Double
    var name: String
  }

  struct Spot: MappedModel, Equatable {
    var x: Double
    var json: JSONValue
    var others: JSONValue = [:]

    static let mapping = Mapping(
      "Spot", Spot.init, .key("x", \.x), .key("json", \.json), .unknown("others", \.others))
  }

  static let mapping = Mapping(
    "Sample", Sample.init,
    .key("id", \.id, .unique), .key("note", \.note), .key("text", \.text),
    .key("number", \.number), .key("ratio", \.ratio), .key("amount", \.amount),
    .key("moment", \.moment, .iso8601), .key("bytes", \.bytes), .key("json", \.json),
    .key("list", \.list), .key("shares", \.shares), .key("point", \.point, .codable),
    .key("spot", \.spot), .key("values", \.values), .key("named", \.named),
    .unknown("others", \.others))
}

/// Two values that are easily confused.
struct AwkwardPair: Sendable, CustomTestStringConvertible {
  enum Relation: Sendable {
    /// Both have the same stored form.
    case same
    case different
    /// Both have the same stored form in the columns of PostgreSQL.
    case sameOnPostgres
  }

  let name: String
  let key: String
  let one: Sample
  let other: Sample
  let relation: Relation
  /// The contents that conditions compare with, or nil for values that conditions
  /// cannot compare.
  let contents: (one: FieldContent, other: FieldContent)?

  var testDescription: String { name }

  /// Whether stores of the engine store both as the same value.
  var isSame: Bool {
    switch relation {
    case .same: true
    case .different: false
    case .sameOnPostgres: !TestedEngine.current.storesExactDates
    }
  }

  init<Value>(
    _ name: String, _ key: String, _ keyPath: WritableKeyPath<Sample, Value?>, _ one: Value,
    _ other: Value, _ relation: Relation
  ) {
    self.init(name, key, relation) { $0[keyPath: keyPath] = $1 ? one : other }
  }

  init(
    _ name: String, _ key: String, _ relation: Relation,
    _ set: (inout Sample, _ isOne: Bool) -> Void
  ) {
    self.name = name
    self.key = key
    self.relation = relation
    var (one, other) = (Sample(id: 1), Sample(id: 1))
    set(&one, true)
    set(&other, false)
    (self.one, self.other) = (one, other)
    let contents = (Self.content(of: one, at: key), Self.content(of: other, at: key))
    self.contents = if let left = contents.0, let right = contents.1 { (left, right) } else { nil }
  }

  private static func content(of sample: Sample, at key: String) -> FieldContent? {
    let recorder = FieldRecorder()
    let mapping = Sample.mapping
    let index = mapping.keys.firstIndex { $0.name == key } ?? 0
    try? withUnsafePointer(to: sample) { try mapping.writers.write($0, [index], to: recorder) }
    guard let content = recorder.contents.first, !content.hasStructure else { return nil }
    return key == "point" ? nil : content
  }
}

extension AwkwardPair {
  static let all: [AwkwardPair] =
    numbers + json + nested + texts + [
      AwkwardPair(
        "a date below a microsecond", "moment", \.moment,
        Date(timeIntervalSinceReferenceDate: 1.0000001),
        Date(timeIntervalSinceReferenceDate: 1.0000002), .sameOnPostgres),
      AwkwardPair(
        "a date of -0.0", "moment", \.moment, Date(timeIntervalSinceReferenceDate: 0),
        Date(timeIntervalSinceReferenceDate: -0.0), .same),
      AwkwardPair("empty data and nil", "bytes", .different) { $0.bytes = $1 ? Data() : nil },
      AwkwardPair("empty text and nil", "text", .different) { $0.text = $1 ? "" : nil },
      AwkwardPair("data and its slice", "bytes", \.bytes, Data([1]), Data([0, 1])[1...], .same),
    ]

  private static let numbers = [
    AwkwardPair("zero", "number", \.number, 0.0, -0.0, .same),
    AwkwardPair("zero of a float", "ratio", \.ratio, 0.0, -0.0, .same),
    AwkwardPair("zero in an array", "list", \.list, [1, 0], [1, -0.0], .same),
    AwkwardPair("zero in a dictionary", "shares", \.shares, ["-0": 0], ["-0": -0.0], .same),
    AwkwardPair(
      "zero in a Codable value", "point", \.point, Sample.Point(x: 0, name: "\"-0,"),
      Sample.Point(x: -0.0, name: "\"-0,"), .same),
    AwkwardPair(
      "zero in a model", "spot", \.spot, Sample.Spot(x: 0, json: 1),
      Sample.Spot(x: -0.0, json: 1.0), .same),
    AwkwardPair("neighbors", "number", \.number, 0x1p53, 0x1p53 + 2, .different),
    AwkwardPair("the least number", "number", \.number, 0, .leastNonzeroMagnitude, .different),
    AwkwardPair(
      "decimals", "amount", \.amount, Decimal(1),
      Decimal(sign: .plus, exponent: -2, significand: 100), .same),
    AwkwardPair("zero as a decimal", "amount", \.amount, Decimal(0), -Decimal(0), .same),
    AwkwardPair(
      "long decimals", "amount", \.amount, Decimal(sign: .plus, exponent: -34, significand: 1) + 1,
      1, .different),
  ]

  private static let json = [
    AwkwardPair("numbers", "json", \.json, 1, 1.0, .same),
    AwkwardPair("numbers in an array", "json", \.json, [[1, 2]], [[1.0, 2.0]], .same),
    AwkwardPair(
      "numbers in an object", "json", \.json, ["a": ["b": 100]], ["a": ["b": 1e2]], .same),
    AwkwardPair("zero in JSON", "json", \.json, [0, 0.0], [-0.0, -0.0], .same),
    AwkwardPair("large numbers", "json", \.json, .integer(1 << 53), .number(0x1p53), .same),
    AwkwardPair(
      "numbers after 2^53", "json", \.json, .integer((1 << 53) + 1), .number(0x1p53), .different),
    AwkwardPair("1e17", "json", \.json, .integer(100_000_000_000_000_000), 1e17, .same),
    AwkwardPair(
      "the shortest text", "json", \.json, .integer(70_817_189_376_348_300), 7.08171893763483e+16,
      .same),
    AwkwardPair(
      "other digits", "json", \.json, .integer(70_817_189_376_348_304), 7.08171893763483e+16,
      .different),
    AwkwardPair("1e20", "json", \.json, exact("100000000000000000000"), 1e20, .same),
    AwkwardPair("exact numbers", "json", \.json, exact("1.50"), 1.5, .same),
    AwkwardPair("exact integers", "json", \.json, exact("7.0e1"), 70, .same),
    AwkwardPair(
      "digits", "json", \.json, exact("0.10000000000000000001"),
      exact("1000000000000000000100e-22"), .same),
    AwkwardPair(
      "more digits", "json", \.json, exact("0.10000000000000000001"), 0.1, .different),
    AwkwardPair("a number and a string", "json", \.json, 1, "1", .different),
    AwkwardPair("null and false", "json", \.json, [.null], [false], .different),
    AwkwardPair(
      "the order of members", "json", \.json, ["a": 1, "b": 2], ["b": 2, "a": 1], .different),
    AwkwardPair("a composed string", "json", \.json, "\u{E9}", "e\u{301}", .different),
    AwkwardPair("a composed name", "json", \.json, ["\u{E9}": 1], ["e\u{301}": 1], .different),
    AwkwardPair("unknown members", "others", .same) {
      $0.others = $1 ? ["a": 1, "b": 0] : ["a": 1.0, "b": -0.0]
    },
    AwkwardPair("names of unknown members", "others", .different) {
      $0.others = $1 ? ["\u{E9}": 1] : ["e\u{301}": 1]
    },
    AwkwardPair("the order of unknown members", "others", .different) {
      $0.others = $1 ? ["a": 1, "b": 2] : ["b": 2, "a": 1]
    },
  ]

  /// JSON in structured columns.
  private static let nested = [
    spot("the order of members in a model", ["a": 1, "b": 2], ["b": 2, "a": 1]),
    spot("the order of members inside", ["x": [["a": 1, "b": 2]]], ["x": [["b": 2, "a": 1]]]),
    spot("equal names in a model", ["e\u{301}": 1, "\u{E9}": 2], ["\u{E9}": 2, "e\u{301}": 1]),
    spot("a name and two equal names", ["\u{E9}": 2], ["e\u{301}": 1, "\u{E9}": 2]),
    spot("a reserved name", ["_moho_json": "{}"], [:]),
    spot("a reserved name inside", ["a": ["_moho_x": 1]], ["a": [:]]),
    AwkwardPair(
      "a reserved name in a dictionary", "named", \.named, ["_moho_json": "{}"],
      ["_moho_json": "[]"], .different),
    AwkwardPair("a reserved unknown member", "spot", .different) {
      $0.spot = Sample.Spot(x: 0, json: 0, others: $1 ? ["_moho_json": "1"] : [:])
    },
    spot(
      "digits of a long number", exact("0.1234567890123456789012345678901234567890123"),
      exact("0.1234567890123456789012345678901234567890124")),
    AwkwardPair("numbers of unsorted members", "spot", .same) {
      $0.spot = Sample.Spot(x: 0, json: $1 ? ["b": 1, "a": 0] : ["b": 1.0, "a": -0.0])
    },
    AwkwardPair("the order of unknown members in a model", "spot", .different) {
      $0.spot = Sample.Spot(
        x: 0, json: 0, others: $1 ? ["c": 1, "b": 2, "d": 3] : ["c": 1, "d": 3, "b": 2])
    },
    AwkwardPair("unknown members in a model", "spot", .different) {
      $0.spot = Sample.Spot(
        x: 0, json: 0, others: $1 ? ["b": ["y": 1, "x": 2]] : ["b": ["x": 2, "y": 1]])
    },
    AwkwardPair(
      "the order of members in an array", "values", \.values, [1, ["b": 1, "a": [:]]],
      [1, ["a": [:], "b": 1]], .different),
    AwkwardPair(
      "the order of members in a dictionary", "named", \.named, ["n": ["b": 1, "a": 2]],
      ["n": ["a": 2, "b": 1]], .different),
  ]

  private static func spot(_ name: String, _ one: JSONValue, _ other: JSONValue) -> AwkwardPair {
    AwkwardPair(name, "spot", .different) { $0.spot = Sample.Spot(x: 0, json: $1 ? one : other) }
  }

  private static let texts = [
    AwkwardPair("é", "text", \.text, "\u{E9}", "e\u{301}", .different),
    AwkwardPair("Å", "text", \.text, "\u{212B}", "\u{C5}", .different),
    AwkwardPair("K", "text", \.text, "K", "\u{212A}", .different),
    AwkwardPair(
      "the order of accents", "text", \.text, "a\u{301}\u{323}", "a\u{323}\u{301}", .different),
    AwkwardPair("한", "text", \.text, "\u{D55C}", "\u{1112}\u{1161}\u{11AB}", .different),
    AwkwardPair("letter case", "text", \.text, "a", "A", .different),
    AwkwardPair("a name", "shares", \.shares, ["\u{E9}": 1], ["e\u{301}": 1], .different),
    AwkwardPair(
      "a Codable text", "point", \.point, Sample.Point(x: 0, name: "\u{E9}"),
      Sample.Point(x: 0, name: "e\u{301}"), .different),
  ]

  private static func exact(_ text: String) -> JSONValue {
    JSONNumber(text).map { .exact($0) } ?? .null
  }
}
