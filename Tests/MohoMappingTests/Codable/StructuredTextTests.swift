import Campaigns
import Foundation
import MohoTesting
import Testing

@testable import MohoMapping

/// Structured text is that of `JSONEncoder`, without signs of zeros.
@Suite struct StructuredTextTests {
  private func encoderText(_ tree: EncodableTree) throws -> String {
    let encoder = FieldRecorder.jsonEncoder()
    encoder.userInfo = PreservedJSON.userInfo
    return NegativeZeros.removed(from: try encoder.encode(tree))
  }

  private func text(_ tree: EncodableTree, asDictionary: Bool = false) throws -> String {
    try StructuredText.text(at: FieldPath([])) {
      try tree.write(to: $0, at: 0, asDictionary: asDictionary)
    }
  }

  @Test(arguments: [false, true])
  func randomValuesHaveTheTextOfTheEncoder(asDictionary: Bool) throws {
    for seed in UInt64(0)..<2_000 {
      var random = RandomTree(seed)
      let tree = random.tree(levels: 5)
      let expected = try encoderText(asDictionary ? tree.withStoredNames : tree)
      #expect(try text(tree, asDictionary: asDictionary) == expected, "seed \(seed)")
    }
  }

  @Test func deepValuesArePreservedAtTheSameLevels() throws {
    for levels in [60, 61, 62, 63, 64, 65, 66, 70, 120, 127, 128, 129, 130] {
      let value = (0..<levels).reduce(JSONValue.integer(1)) { value, level in
        level.isMultiple(of: 2) ? .array([value]) : ["a": value]
      }
      let tree = EncodableTree.array([
        .object([.init(name: AnyCodingKey("x"), value: .codable(value, depth: 1))])
      ])
      let expected = try? encoderText(tree)
      #expect((try? text(tree)) == expected, "\(levels) levels")
      #expect(expected != nil)
    }
  }

  @Test func valuesWithAConformanceOfTheirOwnAreThoseOfTheEncoder() throws {
    struct Leaf: Encodable {
      let b = -0.0
      let a = ["/": "\"", "-": "[-0]"]
      let date = Date(timeIntervalSinceReferenceDate: 0.5)
    }
    for levels in [0, 1, 100] {
      let tree = (0..<levels).reduce(EncodableTree.codable(Leaf(), depth: 1)) { value, _ in
        .array([value])
      }
      #expect(try text(tree) == encoderText(tree), "\(levels) levels")
    }
    #expect(try text(.codable(Leaf().date, depth: 1)) == "0.5")
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func numbersThatJSONLacksHaveAPath(number: Double) throws {
    let values = [
      ("a", EncodableTree.array([.null, .double(number)])), ("b", .int64(1)),
      ("c", .double(number)),
    ]
    let tree = EncodableTree.object(values.map { .init(name: AnyCodingKey($0), value: $1) })
    let error = #expect(throws: MappingError.self) { try text(tree) }
    #expect(error?.path?.description == "a[1]")
    #expect(error?.found == "number \(number)")
    // The writer is used again.
    #expect(try text(.array([.int64(1)])) == "[1]")
  }
}

/// Models whose structured text has special members.
@Suite struct StructuredTextMemberTests {
  private func text(_ value: some FieldValue) throws -> String {
    try StructuredText.text(at: FieldPath([])) { try value.encode(to: $0, at: 0) }
  }

  private func read<Value: FieldValue>(_ type: Value.Type, _ text: String) throws -> Value {
    let decoder = try #require(StructuredText.decoder(of: text, at: FieldPath([])))
    return try Value.decode(from: decoder, at: 0)
  }

  @Test func aStoreOnlyKeyCanHaveTheNameOfATransientProperty() throws {
    #expect(try text(Counted(count: 1, stored: 2)) == #"{"_moho_count":2}"#)
    #expect(
      try text(OpenCounted(count: 1, stored: 2, others: ["a": 3])) == #"{"_moho_count":2,"a":3}"#)
  }

  @Test func anUnknownMemberHasNotThePathOfADocumentOnlyKey() throws {
    let seen = Seen(seen: true, others: ["seen": 1])
    let error = #expect(throws: MappingError.self) { try text(seen) }
    #expect(error?.found == "member \"seen\"")
    #expect(try text(Seen(seen: true, others: ["other": 1])) == #"{"other":1}"#)
  }

  @Test func anUnknownMemberHasNotThePathOfADocumentOnlyKeyOfAnInlinedModel() throws {
    let error = #expect(throws: MappingError.self) {
      try text(Identified(token: Token(token: "a"), others: ["token": 1]))
    }
    #expect(error?.found == "member \"token\"")
    #expect(
      try text(Identified(token: Token(token: "a"), others: ["other": 1])) == #"{"other":1}"#)
  }

  @Test func errorsAreInDeclarationOrderAlthoughMembersAreSorted() throws {
    let error = #expect(throws: MappingError.self) { try text(Span(start: .nan, end: .infinity)) }

    #expect(error?.errors.map(\.key) == ["start", "end"])
    #expect(try text(Span(start: 1, end: 2)) == #"{"end":2,"start":1}"#)
  }

  /// The variants share the keys of their unknown members.
  @Test func onlyVariantsThatPreserveTheOrderHaveOne() throws {
    let known = Event.known(.init(others: ["user\\.name": 2, "userId": 1]))
    let other = Event.other("x", .init(others: ["userId": 1, "user\\.name": 2]))
    let texts = [
      #"{"type":"known","user.name":2,"userId":1}"#,
      #"{"_moho_order":["userId","user\\.name"],"type":"x","user.name":2,"userId":1}"#,
    ]
    for order in [[known, other], [other, known]] {
      let text = try text(order)
      #expect(try read([Event].self, text) == order)
      #expect(texts.allSatisfy { text.contains($0.dropFirst().dropLast()) }, "\(text)")
    }
  }

  @Test func membersKeepTheirOrderWhateverTheSpellingOfTheirPaths() throws {
    let open = Open(others: ["z": 1, "a\\b": 2, "a": 3])
    let text = try text(open)
    #expect(text == #"{"_moho_order":["z","ab","a"],"a":3,"ab":2,"z":1}"#)
    #expect(try read(Open.self, text).others == ["z": 1, "ab": 2, "a": 3])
  }

  /// The text would contain a part of the first value.
  @Test func aValueThatFailedIsNotReplacedByAnother() throws {
    let error = #expect(throws: MappingError.self) { try text([LenientDate(), LenientDate()]) }
    #expect(error?.code == .invalidValue)
    #expect(throws: MappingError.self) { try text([LenientObject()]) }
    #expect(try text([1]) == "[1]")
  }
}

private struct Counted: MappedModel {
  var count: Int
  var stored: Int

  static let mapping = Mapping(
    "Counted", Counted.init, .transient(\.count, default: 0),
    .key("count", \.stored, .storeOnly))
}

private struct OpenCounted: MappedModel {
  var count: Int
  var stored: Int
  var others: JSONValue

  static let mapping = Mapping(
    "OpenCounted", OpenCounted.init, .transient(\.count, default: 0),
    .key("count", \.stored, .storeOnly), .unknown("others", \.others))
}

private struct Seen: MappedModel {
  var seen: Bool
  var others: JSONValue

  static let mapping = Mapping(
    "Seen", Seen.init, .key("seen", \.seen, default: false, .documentOnly),
    .unknown("others", \.others))
}

private struct Span: MappedModel {
  var start: Double
  var end: Double

  static let mapping = Mapping(
    "Span", Span.init, .key("start", \.start), .key("end", \.end))
}

private struct Token: MappedModel {
  var token: String?

  static let mapping = Mapping("Token", Token.init, .key("token", \.token, .documentOnly))
}

private struct Identified: MappedModel {
  var token: Token
  var others: JSONValue

  static let mapping = Mapping(
    "Identified", Identified.init, .inlined("token", \.token), .unknown("others", \.others))
}

private struct Open: MappedModel, Equatable {
  var others: JSONValue

  static let mapping = Mapping("Open", Open.init, .unknown("others", \.others))
}

private enum Event: MappedModel, Equatable {
  struct Known: MappedModel, Equatable {
    var others: [String: Int]

    static let mapping = Mapping("Known", Known.init, .unknown("others", \.others))
  }

  case known(Known)
  case other(String, Open)

  static let mapping = Mapping<Event>(
    "Event", discriminator: "type",
    .variant("known", Event.known) { if case .known(let known) = $0 { known } else { nil } },
    .unknown(Event.other) {
      if case .other(let type, let open) = $0 { (type, open) } else { nil }
    })
}

/// Writes a text in place of a date that JSON cannot represent.
private struct LenientDate: FieldValue {
  static var fieldType: FieldType { .string }

  init() {}
  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self { Self() }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    do {
      try encoder.encode(Date(timeIntervalSince1970: 1e15), .iso8601, at: index)
    } catch {
      try encoder.encode("never", at: index)
    }
  }
}

/// Writes null in place of an object with an invalid member.
private struct LenientObject: FieldValue {
  static var fieldType: FieldType { .object }

  init() {}
  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self { Self() }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    do {
      try encoder.encodeDictionary(at: index, names: ["a", "b"]) { encoder in
        try encoder.encode(true, at: 0)
        try encoder.encode(Double.nan, at: 1)
      }
    } catch {
      try encoder.encodeNull(at: index)
    }
  }
}

extension EncodableTree {
  /// Writes the tree as a mapping writes its values.
  fileprivate func write(
    to encoder: any FieldEncoder, at index: Int, asDictionary: Bool
  ) throws {
    switch self {
    case .null: try encoder.encodeNull(at: index)
    case .bool(let value): try encoder.encode(value, at: index)
    case .int64(let value): try encoder.encode(value, at: index)
    case .uint64(let value): try encoder.encode(value, at: index)
    case .double(let value): try encoder.encode(value, at: index)
    case .decimal(let value): try encoder.encode(value, at: index)
    case .string(let value): try encoder.encode(value, at: index)
    case .codable(let value, _): try encoder.encode(codable: value, at: index)
    case .array(let elements):
      try encoder.encodeArray(at: index, count: elements.count) { encoder in
        for (index, element) in elements.enumerated() {
          try element.write(to: encoder, at: index, asDictionary: asDictionary)
        }
      }
    case .object(let members):
      func write(to encoder: any FieldEncoder) throws {
        for (index, member) in members.enumerated() {
          try member.value.write(to: encoder, at: index, asDictionary: asDictionary)
        }
      }
      let names = members.map(\.name.stringValue)
      if asDictionary {
        return try encoder.encodeDictionary(at: index, names: names, write)
      }
      let keys = FieldKeys(unknown: names.map { ($0, FieldPath([.key($0)])) }, of: "")
      try encoder.encodeObject(at: index, keys: keys, write)
    }
  }

  /// The tree with the names that structured text has for those of dictionaries.
  fileprivate var withStoredNames: EncodableTree {
    switch self {
    case .array(let elements): .array(elements.map(\.withStoredNames))
    case .object(let members):
      .object(
        members.map {
          Member(
            name: AnyCodingKey(StoredMemberName.stored($0.name.stringValue)),
            value: $0.value.withStoredNames)
        })
    default: self
    }
  }
}

/// Random trees with values and names that encoders write in special ways.
private struct RandomTree {
  private var random: SeededGenerator

  init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[random.below(values.count)]
  }

  private mutating func string() -> String {
    let parts = [
      "", "a", "b", "B", "é", "e\u{301}", "/", "\"", "\\", "\u{0}", "\u{8}\u{C}\n\r\t\u{1F}",
      "\u{7F}",
      "\u{2028}", "😀", "語", "_moho_json", "_moho_member _moho_", "long text without any escapes",
    ]
    return (0...random.below(3)).map { _ in pick(parts) }.joined()
  }

  private mutating func number() -> Double {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1e-4, 9.9e-5, 1e-7, .leastNonzeroMagnitude, 1e15, 999_999_999_999_999,
      1e16,
      123_456_789.125,
      9_007_199_254_740_992, 1.7976931348623157e308, 1.0 / 3, 100.5,
    ]
    return random.oneIn(2) ? pick(numbers) : Double(bitPattern: random.next()).finite
  }

  mutating func tree(levels: Int) -> EncodableTree {
    switch random.below(levels > 0 ? 11 : 8) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .int64(pick([0, 1, -1, .min, .max]))
    case 3: return .uint64(pick([0, .max]))
    case 4: return .double(number())
    case 5:
      return .decimal(
        pick([0, 1.5, Decimal(string: "1e30") ?? 0, Decimal(string: "-0.000001") ?? 0]))
    case 6: return .string(string())
    case 7: return .codable(json(levels: min(levels, 3)), depth: 1)
    case 8, 9: return .array((0..<random.below(4)).map { _ in tree(levels: levels - 1) })
    default:
      var tree = EncodableTree.object([])
      for _ in 0..<random.below(5) {
        let name = string()
        // Encoders keep one of two names with equal characters.
        if case .object(let members) = tree,
          members.contains(where: { $0.name.stringValue == name })
        {
          continue
        }
        tree.insert(self.tree(levels: levels - 1), at: [.key(name)])
      }
      return tree
    }
  }

  private mutating func json(levels: Int) -> JSONValue {
    switch random.below(levels > 0 ? 8 : 5) {
    case 0: return .null
    case 1: return .number(number())
    case 2: return .integer(Int64(random.below(100)))
    case 3: return .string(string())
    case 4:
      let texts = ["18446744073709551616", "0.1234567890123456789", "1e-400", "1.0"]
      return JSONNumber(pick(texts)).map { .exact($0) } ?? .null
    case 5:
      return .array(JSONValue.Elements((0..<random.below(4)).map { _ in json(levels: levels - 1) }))
    default:
      var members = JSONValue.Members()
      for _ in 0..<random.below(4) {
        let name = string()
        if members.contains(where: { $0.key.hasSameBytes(as: name) }) { continue }
        members.append(JSONValue.Member(name, json(levels: levels - 1)))
      }
      return .object(members)
    }
  }
}

extension Double {
  /// The number, or 1 if it is not finite.
  fileprivate var finite: Double { isFinite ? self : 1 }
}
