import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Merge patches of objects with members that no key is mapped to.
@Suite struct UnknownMemberPatchTests {
  private func sorted(_ data: Data) throws -> JSONValue? {
    try JSONDocument(parsing: data).value()?.sorted
  }

  @Test func partialModelsChangeUnknownMembersOneByOne() throws {
    let adapter = JSONAdapter<Unknown.OpenPart>()
    let part = Unknown.OpenPart(title: "t", others: ["x": 1, "meta.y": 2, "o": ["a": 1, "b": 2]])
    let json = #"{"x":null,"meta":{"z":3},"o":{"b":null,"c":{"d":4,"e":null}}}"#

    let partial = try adapter.partial(from: Data(json.utf8))

    let expected: [String: JSONValue] = [
      "meta.y": 2, "meta.z": 3, "o": ["a": 1, "c": ["d": 4]],
    ]
    #expect(partial.applied(to: part).others == expected)
    #expect(try sorted(adapter.data(from: partial)) == sorted(Data(json.utf8)))
    #expect(partial[\.others] == ["meta.z": 3, "o": ["c": ["d": 4]]])
    #expect(try adapter.partial(from: Data("{}".utf8)).isEmpty)
    #expect(
      try adapter.partial(from: Data(#"{"meta":{"title":"u"}}"#.utf8)).keys.map(\.name)
        == ["title"])
    let null = try adapter.partial(from: Data(#"{"meta":{"title":"u","y":null}}"#.utf8))
    #expect(null.applied(to: part).others == ["x": 1, "o": ["a": 1, "b": 2]])
  }

  @Test func nullForAnObjectOfKeysRemovesItsUnknownMembers() throws {
    let adapter = JSONAdapter<Unknown.Open>()
    let open = try adapter.model(
      from: Data(#"{"id":1,"image":{"url":"a","width":2},"tags":[1,2,3],"x":4}"#.utf8))

    let patch = try adapter.partial(from: Data(#"{"image":null,"tags":[5,6,7,8]}"#.utf8))

    let patched = patch.applied(to: open)
    #expect(patched.others == ["x": 4, "tags[0]": 5, "tags[2]": 7, "tags[3]": 8])
    #expect(patched.image == nil && patched.second == 6)
  }

  @Test func patchesHaveDifferencesOfUnknownMembers() throws {
    let adapter = JSONAdapter<Unknown.OpenPart>()
    let part = Unknown.OpenPart(title: "t", others: ["x": 1, "meta.y": 2, "o": ["a": 1, "b": 2]])
    var other = part
    other.others = ["x": 2, "o": ["a": 1, "c": [nil]]]

    let patch = try adapter.mergePatch(from: part, to: other)

    #expect(patch.text == #"{"meta":{"y":null},"o":{"b":null,"c":[null]},"x":2}"#)
    #expect(try adapter.partial(from: patch).applied(to: part) == other)
    #expect(Partial(from: part, to: other).applied(to: part) == other)
    var third = part
    third.others["w"] = 5
    #expect(Partial(from: part, to: other).applied(to: third).others["w"] == 5)
    other.others = [:]
    #expect(Partial(from: part, to: other).applied(to: part) == other)
    #expect(
      try adapter.mergePatch(from: part, to: other).text
        == #"{"meta":{"y":null},"o":null,"x":null}"#)
    for value in [nil, ["a": nil]] as [JSONValue] {
      other.others = ["z": value]
      #expect(Partial(from: part, to: other).applied(to: part) == other)
      #expect(
        messages { _ = try adapter.mergePatch(from: part, to: other) } == [
          "unsupported value: null or a replaced object,"
            + " expected members that a merge patch can assign - `OpenPart.others` at /"
        ])
    }
  }

  @Test func patchesOfUnknownMembersCompose() throws {
    let adapter = JSONAdapter<Unknown.OpenPart>()
    let part = Unknown.OpenPart(title: "t", others: ["x": 1, "o": ["a": 1, "b": 2]])
    func patch(_ json: String) throws -> Partial<Unknown.OpenPart> {
      try adapter.partial(from: Data(json.utf8))
    }

    let both = try patch(#"{"o":{"a":null,"c":3},"y":1}"#).merging(
      patch(#"{"o":{"a":4},"x":null}"#))

    #expect(both.applied(to: part).others == ["o": ["b": 2, "c": 3, "a": 4], "y": 1])
    #expect(try adapter.data(from: both).text == #"{"y":1,"o":{"a":4,"c":3},"x":null}"#)
    var value = Partial<Unknown.OpenPart>()
    value[\.others] = ["q": 1]
    #expect(try value.merging(patch(#"{"x":2}"#)).applied(to: part).others == ["q": 1, "x": 2])
    #expect(try patch(#"{"x":2}"#).merging(value).applied(to: part).others == ["q": 1])
    #expect(try patch(#"{"x":2}"#).removing(\.others).isEmpty)
  }

  @Test func inlinedModelsAndVariantsKeepTheirUnknownMembers() throws {
    let box = Unknown.Box(labels: Unknown.Labels(labels: ["x": "y", "z": "w"]), id: 1)
    let boxes = JSONAdapter<Unknown.Box>()
    let patch = try boxes.partial(from: Data(#"{"id":2,"x":null,"v":"u"}"#.utf8))
    #expect(
      patch.applied(to: box) == Unknown.Box(labels: .init(labels: ["z": "w", "v": "u"]), id: 2))
    #expect(try sorted(boxes.data(from: patch)) == ["id": 2, "v": "u", "x": nil])
    #expect(
      try sorted(boxes.mergePatch(from: box, to: patch.applied(to: box)))
        == ["id": 2, "v": "u", "x": nil])

    let figures = JSONAdapter<Unknown.Figure>()
    let figure = Unknown.Figure(
      id: 1, shape: .circle(Unknown.Circle(radius: 2, rest: ["a": 1, "b": 2])), note: nil)
    let larger = try figures.partial(
      from: Data(#"{"kind":"circle","radius":3,"b":null,"c":3}"#.utf8))
    #expect(
      larger.applied(to: figure).shape
        == .circle(Unknown.Circle(radius: 3, rest: ["a": 1, "c": 3])))
    #expect(
      try figures.data(from: larger).text == #"{"kind":"circle","radius":3,"b":null,"c":3}"#)
    let shapes = JSONAdapter<Unknown.Shape>()
    let shape = try shapes.partial(from: Data(#"{"kind":"circle","radius":3,"b":null}"#.utf8))
    #expect(
      shape.applied(to: .circle(Unknown.Circle(radius: 1, rest: ["a": 1, "b": 2])))
        == .circle(Unknown.Circle(radius: 3, rest: ["a": 1])))
  }

  @Test func nullRemovesMembersOfEveryType() throws {
    struct Counted: MappedModel, Equatable {
      var id: Int
      var counts: [String: [String: Int]]
      static let mapping = Mapping(
        "Counted", Counted.init, .key("id", \.id), .unknown("counts", \.counts))
    }
    let adapter = JSONAdapter<Counted>()
    let counted = Counted(id: 1, counts: ["a": ["x": 1, "y": 2], "b": ["z": 3]])

    let patch = try adapter.partial(from: Data(#"{"a":{"x":null,"w":4},"b":null}"#.utf8))

    #expect(patch.applied(to: counted).counts == ["a": ["y": 2, "w": 4]])
    #expect(try adapter.data(from: patch).text == #"{"a":{"w":4,"x":null},"b":null}"#)
    #expect(
      messages { _ = try adapter.partial(from: Data(#"{"a":{"x":"s"}}"#.utf8)) } == [
        #"invalid type: string "s", expected integer - `Counted.counts` at /a/x"#
      ])
  }

  @Test func optionalMembersAreMerged() throws {
    struct Optionals: MappedModel, Equatable {
      var id: Int
      var values: [String: JSONValue?]
      static let mapping = Mapping(
        "Optionals", Optionals.init, .key("id", \.id), .unknown("values", \.values))
    }
    let adapter = JSONAdapter<Optionals>()
    let old = Optionals(id: 1, values: ["o": ["a": 1, "b": 2], "n": nil])

    let patch = try adapter.partial(from: #"{"o":{"a":null,"c":3},"n":{"d":4},"x":null}"#)

    let new = Optionals(id: 1, values: ["o": ["b": 2, "c": 3], "n": ["d": 4]])
    #expect(patch.applied(to: old) == new)
    #expect(
      try adapter.mergePatch(from: old, to: new).text
        == #"{"n":{"d":4},"o":{"a":null,"c":3}}"#)
  }

  @Test func nilCannotBeAssigned() throws {
    struct Counts: MappedModel, Equatable {
      var id: Int
      var counts: [String: Int?]
      static let mapping = Mapping(
        "Counts", Counts.init, .key("id", \.id), .unknown("counts", \.counts))
    }
    struct Tables: MappedModel, Equatable {
      var id: Int
      var tables: [String: [String: Int?]]
      static let mapping = Mapping(
        "Tables", Tables.init, .key("id", \.id), .unknown("tables", \.tables))
    }
    let (counts, tables) = (JSONAdapter<Counts>(), JSONAdapter<Tables>())
    let count = Counts(id: 1, counts: ["a": 1, "b": nil])
    let table = Tables(id: 1, tables: ["t": ["a": 1, "b": nil]])

    let noCount = Counts(id: 1, counts: ["a": nil, "b": nil])
    let noTable = Tables(id: 1, tables: ["t": ["a": nil, "b": nil]])
    #expect(Partial(from: count, to: noCount).applied(to: count) == noCount)
    #expect(Partial(from: table, to: noTable).applied(to: table) == noTable)
    let error = #expect(throws: MappingError.self) {
      try counts.mergePatch(from: count, to: noCount)
    }
    let nested = #expect(throws: MappingError.self) {
      try tables.mergePatch(from: table, to: noTable)
    }
    #expect(error?.code == .unsupported && nested?.code == .unsupported)
    let two = Counts(id: 1, counts: ["a": 2, "b": nil])
    #expect(try counts.mergePatch(from: count, to: two).text == #"{"a":2}"#)
  }

  @Test func anArrayOfKeysIsAChangeOfUnknownMembers() throws {
    let patch = try JSONAdapter<Unknown.Open>().partial(from: #"{"tags":[null,"x"]}"#)

    #expect(patch.keys.map(\.name) == ["second", "others"])
    #expect(patch[\.others] == [:])
  }

  @Test func patchesOfAnyDepthAreMerged() throws {
    let adapter = JSONAdapter<Unknown.OpenPart>()
    func nested(_ levels: Int, _ value: String) -> String {
      String(repeating: #"{"a":"#, count: levels) + value
        + String(repeating: "}", count: levels)
    }
    let part = Unknown.OpenPart(
      title: "t",
      others: try ["o": JSONDocument(parsing: nested(2_000, #"{"b":1}"#)).value() ?? .null])

    let patch = try adapter.partial(from: Data(#"{"o":\#(nested(2_000, #"{"c":2}"#))}"#.utf8))
    let patched = patch.merging(patch).applied(to: part)

    let expected = try JSONDocument(parsing: nested(2_000, #"{"b":1,"c":2}"#)).value()
    #expect(patched.others == ["o": expected ?? .null])
    #expect(
      try adapter.partial(from: adapter.mergePatch(from: part, to: patched)).applied(to: part)
        == patched)
  }
}
