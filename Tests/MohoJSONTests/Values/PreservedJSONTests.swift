import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Spot: MappedModel, Codable, Equatable {
  var id = 0
  var json: JSONValue = .null
  var list: [JSONValue] = []
  var named: [String: JSONValue] = [:]
  var box = Box(json: .null)
  var others: JSONValue = [:]

  /// A value that Foundation's coders encode.
  struct Box: Codable, Equatable, Sendable {
    var json: JSONValue
    var names: [String: [JSONValue]] = [:]
  }

  static let mapping = Mapping<Spot>(
    "Spot", Spot.init,
    .key("id", \.id), .key("json", \.json), .key("list", \.list), .key("named", \.named),
    .key("box", \.box, .codable), .unknown("others", \.others))
}

private struct Outer: MappedModel, Equatable {
  var spot: Spot
  static let mapping = Mapping("Outer", Outer.init, .key("spot", \.spot))
}

/// JSON inside the structured text of a store.
@Suite struct PreservedJSONTests {
  private func text<Value: FieldValue>(_ value: Value) throws -> String {
    try StructuredText.text(at: FieldPath([])) { try value.encode(to: $0, at: 0) }
  }

  private func read<Value: FieldValue>(_ type: Value.Type, _ text: String) throws -> Value {
    let decoder = try #require(StructuredText.decoder(of: text, at: FieldPath([])))
    return try Value.decode(from: decoder, at: 0)
  }

  private static func nested(_ levels: Int) -> JSONValue {
    (0..<levels).reduce(1) { value, level in
      level.isMultiple(of: 2) ? .array([value]) : ["a": value]
    }
  }

  private static func exact(_ text: String) -> JSONValue {
    JSONNumber(text).map { .exact($0) } ?? .null
  }

  private static let changed: [JSONValue] = [
    ["b": 1, "a": 2], ["x": ["b": [["d": nil, "c": [:]]], "a": "\"\\\n\u{0}é"]],
    ["b": 1, "a": ["z": 1, "y": 2]], [["b": 1, "a": 1], 2, ["a": 1, "b": 1]],
    ["\u{E9}": 1, "e\u{301}": 2], ["e\u{301}": 1, "\u{E9}": 2],
    ["_moho_json": "[1]"], ["_moho_json": ["_moho_json": "{\"b\":1}"]], ["_moho_x": 1, "a": 2],
    exact("0.1234567890123456789012345678901234567890123456"), [exact("1e-400"), exact("2e-400")],
    exact("123456789012345678901234567890123456789"), ["b": exact("1e-400"), "a": 1], nested(600),
    nested(2_000),
  ]

  @Test(arguments: changed)
  func valuesThatCodersChangeAreReadBack(value: JSONValue) throws {
    let others: JSONValue = ["z": value, "b": 1, "_moho_y": value, "c": value]
    let spot = Spot(
      json: value, list: [1, value], named: ["n": value, "_moho_json": "[]"],
      box: Spot.Box(json: value, names: ["b": [value]]), others: others)

    let written = try text(Outer(spot: spot))
    let again = try read(Outer.self, written)

    #expect(again.spot == spot)
    #expect(try text(again) == written)
    #expect(Outer.mapping.areEqual(Outer(spot: spot), again))
  }

  @Test func sortedValuesAreStoredAsTheyAre() throws {
    let spot = Spot(
      id: 1, json: ["a": 1, "b": ["c": nil, "d": [1.5, "x"]]], list: [["a": 1], true],
      named: ["n": ["a": 1, "b": 2]], box: Spot.Box(json: ["a": [], "é": 0]),
      others: ["x": 1, "y": ["a": 0]])

    #expect(
      try text(spot) == #"""
        {"box":{"json":{"a":[],"é":0},"names":{}},"id":1,"json":{"a":1,"b":{"c":null,"d":[1.5,"x"]}},\#
        "list":[{"a":1},true],"named":{"n":{"a":1,"b":2}},"x":1,"y":{"a":0}}
        """#)
    #expect(try read(Spot.self, text(spot)) == spot)
  }

  @Test func onlyUnsortedObjectsAreStoredAsText() throws {
    let spot = Spot(json: ["a": ["z": 1, "b": [2]], "b": 3], others: ["z": 1, "y": 2])

    #expect(
      try text(spot) == #"""
        {"_moho_order":["z","y"],"box":{"json":null,"names":{}},"id":0,\#
        "json":{"a":{"_moho_json":"{\"z\":1,\"b\":[2]}"},"b":3},"list":[],"named":{},"y":2,"z":1}
        """#)
  }

  @Test func textOfOlderVersionsIsRead() throws {
    let old = #"{"box":{"json":null,"names":{}},"id":1,"json":{"a":1,"b":2},"list":[],"named":{}}"#
    #expect(try read(Spot.self, old) == Spot(id: 1, json: ["a": 1, "b": 2]))

    for json in [#"{"_moho_json":5}"#, #"{"_moho_json":"{"}"#, #"{"_moho_json":"1","a":2}"#] {
      let old = #"{"box":{"json":\#(json),"names":{}},"id":1,"json":\#(json),"list":[],"named":{}}"#
      let value = try JSONDocument(parsing: json).value()
      #expect(try read(Spot.self, old).json == value)
      #expect(try read(Spot.self, old).box.json == value)
    }
  }

  @Test func documentsHaveNoOtherForm() throws {
    let spot = Spot(
      json: ["b": 1, "a": ["_moho_json": "[1]"]], box: Spot.Box(json: ["_moho_json": "[1]"]),
      others: ["z": 1, "y": 2, "_moho_x": 3])
    let json = #"""
      {"id":0,"json":{"b":1,"a":{"_moho_json":"[1]"}},"list":[],"named":{},\#
      "box":{"json":{"_moho_json":"[1]"},"names":{}},"z":1,"y":2,"_moho_x":3}
      """#

    let adapter = JSONAdapter<Spot>()
    #expect(try adapter.data(from: spot).text == json)
    #expect(try adapter.model(from: Data(json.utf8)) == spot)
    let coded = try JSONDecoder().decode(Spot.self, from: JSONEncoder().encode(spot))
    #expect(coded.json == ["a": ["_moho_json": "[1]"], "b": 1])
    #expect(coded.box == spot.box)
    #expect(coded.others == ["_moho_x": 3, "y": 2, "z": 1])
  }

  @Test func valuesOfOtherTypesReadPreservedJSON() throws {
    struct Pair: MappedModel, Equatable {
      var a: Int
      var b: [Double]
      static let mapping = Mapping("Pair", Pair.init, .key("a", \.a), .key("b", \.b))
    }
    struct Coded: Codable, Equatable {
      var a: Int?
    }
    struct Typed: MappedModel, Equatable {
      var pair: Pair
      var coded: Coded
      var names: [String: [Double]]
      var first: Double?
      var others: [String: JSONValue]
      static let mapping = Mapping(
        "Typed", Typed.init, .key("pair", \.pair), .key("coded", \.coded, .codable),
        .key("names", \.names), .key("first", \.first, json: "path.b[0]"),
        .unknown("others", \.others))
    }
    struct Untyped: MappedModel, Equatable {
      var pair: JSONValue
      var coded: JSONValue
      var names: JSONValue
      var path: JSONValue
      static let mapping = Mapping(
        "Untyped", Untyped.init, .key("pair", \.pair), .key("coded", \.coded),
        .key("names", \.names), .key("path", \.path))
    }
    let stored = try text(
      Untyped(
        pair: ["b": [1], "a": 2], coded: ["b": nil, "a": 3], names: ["d": [4], "c": []],
        path: ["b": [5], "a": 6]))

    #expect(
      try read(Typed.self, stored)
        == Typed(
          pair: Pair(a: 2, b: [1]), coded: Coded(a: 3), names: ["c": [], "d": [4]], first: 5,
          others: ["path.a": 6]))
  }

  @Test func theOrderOfUnknownMembersIsThatOfTheirNames() throws {
    struct Open: MappedModel, Equatable {
      var title: String?
      var others: JSONValue
      static let mapping = Mapping(
        "Open", Open.init, .key("title", \.title, json: "meta.title"), .unknown("others", \.others))
    }
    let orders: [JSONValue] = [
      [:], ["a": 1], ["a": 1, "b": 2], ["b": 2, "a": 1], ["meta.y": 1, "meta.x": 2, "a": 3],
      ["z": ["b": 1, "a": 2], "meta.x": 1, #"a\.b"#: 4],
    ]
    for others in orders {
      let open = Open(title: "t", others: others)
      let written = try text(open)
      #expect(try read(Open.self, written) == open, "\(written)")
    }
    #expect(
      try text(Open(title: nil, others: ["a": 1, "meta.x": 2, "z": 3]))
        == #"{"a":1,"meta":{"x":2},"z":3}"#)
    let (one, other) = (Open(others: ["a": 1, "b": 2]), Open(others: ["b": 2, "a": 1]))
    #expect(Open.mapping.changedKeys(from: one, to: other) == ["others"])
    #expect(Partial(from: one, to: other).applied(to: one) == other)
    #expect(one != other)
  }

  @Test func numbersThatAreNotFiniteAreErrorsWithTheirPath() {
    let spot = Spot(json: ["b": [.number(.nan)], "a": 1])

    let error = #expect(throws: MappingError.self) { try text(Outer(spot: spot)) }

    #expect(error?.path?.description == "spot.json.b[0]")
  }

  /// Readers refuse the text, or ignore one of the members.
  @Test(arguments: [["b": 1, "b": 3], ["b": 1, "c": 2, "b": 3]] as [JSONValue])
  func anObjectWithTwoMembersOfOneNameIsAnError(object: JSONValue) {
    let value: JSONValue = ["a": [1, object]]

    let error = #expect(throws: MappingError.self) { try value.data() }
    let nested = #expect(throws: MappingError.self) { try text(Outer(spot: Spot(json: value))) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
    #expect(throws: MappingError.self) { try text(value) }

    #expect(error?.path?.description == "a[1]")
    #expect(error?.found == "two members \"b\"")
    #expect(nested?.path?.description == "spot.json.a[1]")
    #expect(nested?.found == error?.found)
  }
}
