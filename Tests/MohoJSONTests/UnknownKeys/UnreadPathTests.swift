import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Named: MappedModel, Codable, Equatable {
  var name: String?
  var id: Int
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Named", Named.init,
    .key("name", \.name, json: "name.full", alternatives: ["title", "meta.title", "name"]),
    .key("id", \.id, alternatives: ["list[1].id", "_id"], default: 0),
    .unknown("others", \.others))

  init(name: String?, id: Int = 0, others: [String: JSONValue]) {
    (self.name, self.id, self.others) = (name, id, others)
  }
}

/// Two keys without unknown members, for inlining.
private struct Span: MappedModel, Codable, Equatable {
  var start: Int
  var end: Int?
  static let mapping = Mapping(
    "Span", Span.init, .key("start", \.start, alternatives: ["begin"]),
    .key("end", \.end, alternatives: ["range.end"]))
}

private enum Shape: MappedModel, Codable, Equatable {
  case span(Span)
  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "type", alternatives: ["kind"],
    .variant("span", Shape.span) { if case .span(let span) = $0 { span } else { nil } })
}

private struct Drawing: MappedModel, Codable, Equatable {
  var span: Span?
  var shape: Shape?
  var others: [String: JSONValue]
  static let mapping = Mapping(
    "Drawing", Drawing.init, .key("span", \.span), .inlined("shape", \.shape),
    .unknown("others", \.others))
}

private struct Spanned: MappedModel, Codable, Equatable {
  var id: Int
  var span: Span?
  var others: [String: JSONValue]
  static let mapping = Mapping(
    "Spanned", Spanned.init, .key("id", \.id), .inlined("span", \.span),
    .unknown("others", \.others))
}

private struct Crew: MappedModel, Equatable {
  var names: [String]
  static let mapping = Mapping(
    "Crew", Crew.init, .key("names", \.names, json: "names", alternatives: ["users[*].name"]))
}

private struct Closed: MappedModel, Equatable {
  var name: String
  var span: Span?
  static let mapping = Mapping(
    "Closed", Closed.init, .key("name", \.name, alternatives: ["title", "meta.title"]),
    .inlined("span", \.span))
}

/// Documents that have several paths of a key.
@Suite struct UnreadPathTests {
  /// Reads a text with both coders, and writes the model with both, which must not change it.
  private func check<Model: MappedModel & Codable & Equatable>(
    _ json: String, _ expected: Model
  ) throws {
    let adapter = JSONAdapter<Model>(unknownKeyPolicy: .refuse)
    let model = try adapter.model(from: Data(json.utf8))

    #expect(model == expected, "\(json)")
    #expect(try JSONDecoder().decode(Model.self, from: Data(json.utf8)) == model, "\(json)")
    for nulls in [NullPolicy.omit, .null] {
      let data = try adapter.data(from: model, nullPolicy: nulls)
      #expect(try adapter.model(from: data) == model, "\(json) \(data.text)")
      #expect(try JSONDecoder().decode(Model.self, from: data) == model, "\(json) \(data.text)")
    }
    let coded = try JSONEncoder().encode(model)
    #expect(try adapter.model(from: coded) == model, "\(json) \(coded.text)")
  }

  @Test func valuesAtOtherPathsAreUnknownMembers() throws {
    let documents: [(String, String?, [String: JSONValue])] = [
      (#"{"name":{"full":"a"},"title":"b"}"#, "a", ["title": "b"]),
      (#"{"name":{"full":"a"},"title":null}"#, "a", ["title": nil]),
      (#"{"name":{"full":"a"},"meta":{"title":"b"}}"#, "a", ["meta.title": "b"]),
      (
        #"{"name":{"full":"a"},"meta":{"title":"b","x":1}}"#, "a", ["meta.title": "b", "meta.x": 1]
      ),
      (#"{"title":"a","name":{"last":1}}"#, "a", ["name.last": 1]),
      (#"{"title":"a","meta":{"title":[1]}}"#, "a", ["meta.title": [1]]),
      (#"{"meta":{"title":"a"},"name":{"last":1}}"#, "a", ["name.last": 1]),
      // Null is a value, and is written as null.
      (#"{"name":{"full":null},"title":"b"}"#, nil, ["title": "b"]),
      (#"{"name":{"full":null,"last":1}}"#, nil, ["name.last": 1]),
      (#"{"name":null,"title":{"x":1}}"#, nil, ["title": ["x": 1]]),
      (#"{"title":null,"meta":{"title":"b"}}"#, nil, ["meta.title": "b"]),
      // Values that block a path are members, too.
      (#"{"name":{"full":"a"},"meta":5}"#, "a", ["meta": 5]),
      (#"{"name":{"full":"a"},"meta":null}"#, "a", ["meta": nil]),
      (#"{"meta":5}"#, nil, ["meta": 5]),
    ]
    for (json, name, others) in documents {
      try check(json, Named(name: name, others: others))
    }
  }

  @Test func elementsAtOtherPathsAreUnknownMembers() throws {
    try check(
      #"{"id":1,"_id":2,"list":[{"id":3},{"id":4,"x":5}]}"#,
      Named(
        name: nil, id: 1,
        others: [
          "_id": 2, "list[0]": ["id": 3], "list[1].id": 4,
          "list[1].x": 5,
        ]))
    try check(
      #"{"_id":2,"list":[7,8]}"#, Named(name: nil, id: 2, others: ["list[0]": 7, "list[1]": 8]))
    try check(
      #"{"_id":2,"list":[{},{"id":4}]}"#,
      Named(name: nil, id: 4, others: ["_id": 2, "list[0]": [:]]))
  }

  @Test func inlinedModelsAndClustersHaveTheSameRule() throws {
    try check(
      #"{"id":1,"start":2,"begin":3,"range":{"end":4},"end":5}"#,
      Spanned(id: 1, span: Span(start: 2, end: 5), others: ["begin": 3, "range.end": 4]))
    // A nil model is written as null.
    try check(
      #"{"id":1,"start":null,"end":null,"begin":3}"#,
      Spanned(id: 1, span: nil, others: ["begin": 3]))
    let span = Span(start: 1, end: nil)
    try check(
      #"{"type":"span","kind":"x","start":1,"begin":"y"}"#,
      Drawing(span: nil, shape: .span(span), others: ["kind": "x", "begin": "y"]))
    try check(
      #"{"kind":"span","begin":1}"#, Drawing(span: nil, shape: .span(span), others: [:]))
    try check(
      #"{"type":null,"kind":"x"}"#, Drawing(span: nil, shape: nil, others: ["kind": "x"]))
  }

  @Test func unknownKeysAreReportedAndRefused() throws {
    let adapter = JSONAdapter<Closed>(unknownKeyPolicy: .refuse)
    func lines(_ json: String) -> [String] {
      MohoJSONTests.lines { _ = try adapter.model(from: Data(json.utf8)) }
    }

    #expect(
      lines(#"{"title":"b","name":"a","meta":{"title":1},"begin":2,"start":3}"#) == [
        #"unknown key: string "b" - `Closed` at /title, 1:10"#,
        "unknown key: number 1 - `Closed` at /meta/title, 1:41",
        "unknown key: number 2 - `Closed` at /begin, 1:52",
      ])
    #expect(
      lines(#"{"name":"a","meta":[]}"#) == ["unknown key: array - `Closed` at /meta, 1:20"])
    #expect(lines(#"{"meta":{"title":"a"},"begin":1}"#) == [])
    #expect(
      MohoJSONTests.lines {
        _ = try JSONAdapter<Crew>(unknownKeyPolicy: .refuse).models(
          from: Data(#"[{"names":["a"],"users":[{"name":"b"}]},{"users":[{"name":"b"}]}]"#.utf8))
      } == ["unknown key: array - `Crew` at /0/users, 1:25"])
    let reports = Reports()
    let reporting = JSONAdapter<Closed>(unknownKeyPolicy: reports.policy)
    #expect(try reporting.model(from: Data(#"{"title":"b","name":"a"}"#.utf8)).name == "a")
    #expect(reports.messages == [#"unknown key: string "b" - `Closed` at /title, 1:10"#])
    // Unknown keys are ignored by the fast path.
    let ignoring = JSONAdapter<Closed>()
    let json = Data(#"{"title":"b","name":"a","begin":2,"start":3}"#.utf8)
    #expect(ignoring.isScanned(json))
    #expect(try ignoring.model(from: json) == Closed(name: "a", span: Span(start: 3, end: nil)))
  }

  @Test func nestedModelsInAStoreAreReadBack() throws {
    let drawing = Drawing(
      span: Span(start: 1, end: nil), shape: nil, others: ["kind": ["a": 1]])
    let named = Named(name: nil, id: 1, others: ["title": 1, "meta.title": nil, "_id": "x"])

    for value in [drawing, Drawing(span: nil, shape: nil, others: [:])] {
      let text = try StructuredText.text(at: FieldPath([])) { try value.encode(to: $0, at: 0) }
      let decoder = try #require(StructuredText.decoder(of: text, at: FieldPath([])))
      #expect(try Drawing.decode(from: decoder, at: 0) == value, "\(text)")
    }
    let text = try StructuredText.text(at: FieldPath([])) { try named.encode(to: $0, at: 0) }
    let decoder = try #require(StructuredText.decoder(of: text, at: FieldPath([])))
    #expect(try Named.decode(from: decoder, at: 0) == named, "\(text)")
  }

  @Test func aMemberOnThePathOfAKeyCannotBeWritten() throws {
    let adapter = JSONAdapter<Named>()
    let named = try adapter.model(from: Data(#"{"title":"a","name":5}"#.utf8))

    #expect(named == Named(name: "a", others: ["name": 5]))
    #expect(
      messages { _ = try adapter.data(from: named) } == [
        #"invalid value: member "name", expected member whose path no key or other member has"#
          + " - `Named.others` at /name"
      ])
    #expect(throws: MappingError.self) { try JSONEncoder().encode(named) }
  }

  @Test func mergePatchesHaveTheSameRule() throws {
    let adapter = JSONAdapter<Named>()
    let named = Named(name: "a", id: 1, others: ["title": 1, "x": 2])
    func patch(_ json: String) throws -> Partial<Named> {
      try adapter.partial(from: Data(json.utf8))
    }

    let both = try patch(#"{"name":{"full":"b"},"title":3}"#)
    #expect(both.applied(to: named) == Named(name: "b", id: 1, others: ["title": 3, "x": 2]))
    #expect(try adapter.data(from: both).text == #"{"name":{"full":"b"},"title":3}"#)
    let removal = try patch(#"{"name":{"full":"b"},"title":null}"#)
    #expect(removal.applied(to: named) == Named(name: "b", id: 1, others: ["x": 2]))
    // A single path is that of the key.
    #expect(try patch(#"{"title":"c"}"#).applied(to: named).name == "c")
    let blocked = try patch(#"{"name":{"full":"b"},"meta":null}"#)
    #expect(
      blocked.applied(to: Named(name: "a", others: ["meta.title": 1, "meta.x": 2]))
        == Named(name: "b", others: [:]))

    var changed = named
    changed.others["title"] = 4
    let difference = Partial(from: named, to: changed)
    #expect(difference.applied(to: named) == changed)
    // Without the key, the member would be read as the key.
    #expect(throws: MappingError.self) { try adapter.data(from: difference) }
    let whole = Partial(from: named, to: changed, including: \.name)
    #expect(try adapter.data(from: whole).text == #"{"name":{"full":"a"},"title":4}"#)
    #expect(try adapter.partial(from: adapter.data(from: whole)).applied(to: named) == changed)
  }

  @Test func theLawsHold() {
    let samples = [
      Named(name: nil, others: ["title": 1]), Named(name: "a", others: ["meta": 5, "name.x": nil]),
    ]
    #expect(MappingLaws.violations(of: Named.self, samples: samples) == [])
  }
}
