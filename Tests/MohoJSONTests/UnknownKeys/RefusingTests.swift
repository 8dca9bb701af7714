import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct RefusingTests {
  private func lines<Model: MappedModel>(_ model: Model.Type, _ json: String) -> [String] {
    MohoJSONTests.lines {
      _ = try JSONAdapter<Model>(unknownKeyPolicy: .refuse).model(from: Data(json.utf8))
    }
  }

  @Test func unknownMembersAreRefusedAtEveryLevel() {
    let json = #"""
      {"foobar":"foo","count":"2","_":null,"username":"buzz",
       "nested":{"name":"bar","stuffToIgnore":5,"moreNonsense":null}}
      """#

    #expect(
      lines(TestModel.self, json) == [
        #"unknown key: string "foo" - `TestModel` at /foobar, 1:11"#,
        "unknown key: null - `TestModel` at /_, 1:33",
        "unknown key: number 5 - `TestModel` at /nested/stuffToIgnore, 2:41",
        "unknown key: null - `TestModel` at /nested/moreNonsense, 2:58",
      ])
  }

  @Test func mappedKeysAreDecodedAsBefore() throws {
    let json = #"""
      {"id":1,"image":{"url":"u"},"tags":[null,"b"],"location":2,"size":{"length":3},
       "parts":[{"title":"t","at":{"start":1}}],"named":{"any":{"title":"t"}}}
      """#

    #expect(
      try JSONAdapter<Unknown.Talk>(unknownKeyPolicy: .refuse).model(from: Data(json.utf8))
        == JSONAdapter<Unknown.Talk>().model(from: Data(json.utf8)))
  }

  @Test func encodedModelsHaveNoUnknownKeys() throws {
    let talk = Unknown.Talk(
      id: 1, image: nil, second: "b", parts: [Unknown.Part(title: "t", start: 1)], named: [:],
      span: Unknown.Span(location: 1, length: nil))
    for nulls in [NullPolicy.omit, .null] {
      for model in [talk, Unknown.Talk(id: 2, parts: [], named: [:])] {
        let adapter = JSONAdapter<Unknown.Talk>(nullPolicy: nulls, unknownKeyPolicy: .refuse)
        #expect(try adapter.model(from: adapter.data(from: model)) == model)
      }
    }
  }

  @Test func unknownKeysOfElementsAndNestedAndInlinedModelsAreFound() {
    let json = #"""
      {"id": 1, "image": {"url": "u", "width": 2}, "tags": [9, "b", null, 8, null],
       "parts": [{"title": "t", "x": 1, "at": {"y": {}}}, {"title": "t"}],
       "named": {"one": {"title": "t", "z": []}}, "location": 1, "size": {"height": 2}}
      """#

    #expect(
      lines(Unknown.Talk.self, json) == [
        "unknown key: number 1 - `Part` at /parts/0/x, 2:32",
        "unknown key: object - `Part` at /parts/0/at/y, 2:47",
        "unknown key: array - `Part` at /named/one/z, 3:39",
        "unknown key: number 2 - `Talk` at /image/width, 1:42",
        "unknown key: number 9 - `Talk` at /tags/0, 1:55",
        "unknown key: number 8 - `Talk` at /tags/3, 1:69",
        "unknown key: null - `Talk` at /tags/4, 1:72",
        "unknown key: number 2 - `Talk` at /size/height, 3:79",
      ])
  }

  @Test func unknownKeysFollowTheErrorsOfTheirObject() {
    #expect(
      lines(Unknown.Talk.self, #"{"x":0,"ID":1,"parts":[{"y":1},{"title":5,"z":2}],"span":3}"#)
        == [
          "missing value for `Talk.id` at /id, 1:1; did you mean `ID`?",
          "missing value for `Part.title` at /parts/0/title, 1:24",
          "unknown key: number 1 - `Part` at /parts/0/y, 1:29",
          "invalid type: number 5, expected string - `Part.title` at /parts/1/title, 1:41",
          "unknown key: number 2 - `Part` at /parts/1/z, 1:47",
          "unknown key: number 0 - `Talk` at /x, 1:6",
          "unknown key: number 1 - `Talk` at /ID, 1:13; did you mean `id`?",
          "unknown key: number 3 - `Talk` at /span, 1:58",
        ])
  }

  @Test func validationsComeFirst() {
    let mapping = Mapping<Case.Number>("Number", Case.Number.init, .key("n", \.n))
      .validating("a small number") { $0.n < 5 }
    let adapter = JSONAdapter(mapping, unknownKeyPolicy: .refuse)

    #expect(
      MohoJSONTests.lines { _ = try adapter.model(from: Data(#"{"m":1,"n":7}"#.utf8)) } == [
        "failed validation: nothing, expected a small number - `Number` at /, 1:1",
        "unknown key: number 1 - `Number` at /m, 1:6",
      ])
  }

  @Test func onlyAKeyThatIsMissingIsSuggested() {
    #expect(
      lines(Unknown.Talk.self, #"{"id":1,"Id":2,"image":{"URL":"u"}}"#) == [
        "unknown key: number 2 - `Talk` at /Id, 1:14",
        #"unknown key: string "u" - `Talk` at /image/URL, 1:31; did you mean `url`?"#,
      ])
  }

  @Test func onlyTheKeysOfTheChosenVariantAreKnown() {
    #expect(
      lines(Unknown.Shape.self, #"{"kind":"square","size":{"side":1,"x":2},"radius":3}"#) == [
        "unknown key: number 2 - `Shape` at /size/x, 1:39",
        "unknown key: number 3 - `Shape` at /radius, 1:51",
      ])
    #expect(
      lines(Unknown.Figure.self, #"{"id":1,"kind":"square","size":{"side":1},"note":"n","r":3}"#)
        == ["unknown key: number 3 - `Figure` at /r, 1:58"])
    #expect(
      lines(Unknown.Shape.self, #"{"kind":"star","points":5}"#)
        == ["unknown key: number 5 - `Shape` at /points, 1:25"])
    #expect(
      lines(Unknown.Figure.self, #"{"id":1,"x":2}"#)
        == ["unknown key: number 2 - `Figure` at /x, 1:13"])
  }

  @Test func describingAFieldDoesNotMakeItKnown() {
    enum Looked: MappedModel {
      case square(Unknown.Square)
      static let mapping = Mapping<Looked>(
        "Looked",
        choosing: .variant(when: { $0.has("v2") }, Looked.square) {
          if case .square(let model) = $0 { model } else { nil }
        })
    }

    #expect(
      lines(Looked.self, #"{"v2":true,"size":{"side":1}}"#)
        == ["unknown key: true - `Looked` at /v2, 1:7"])
  }

  @Test func membersNextToAnEnvelopeAreNotUnknownKeys() {
    let adapter = JSONAdapter<Unknown.Square>(envelope: "a.b", unknownKeyPolicy: .refuse)
    let json = #"[{"x":1,"a":{"y":2,"b":{"size":{"side":1},"z":3}}}]"#

    #expect(
      MohoJSONTests.lines { _ = try adapter.models(from: Data(json.utf8)) }
        == ["unknown key: number 3 - `Square` at /0/a/b/z, 1:47"])
  }

  @Test func unknownKeysOfEveryElementAreFound() throws {
    let adapter = JSONAdapter<Unknown.Square>(unknownKeyPolicy: .refuse)
    let json = Data(#"[{"size":{"side":1},"x":1}, {"size":{"side":2}}, {"size":{},"y":2}]"#.utf8)
    let expected = [
      "unknown key: number 1 - `Square` at /0/x, 1:25",
      "missing value for `Square.side` at /2/size/side, 1:58",
      "unknown key: number 2 - `Square` at /2/y, 1:65",
    ]

    #expect(MohoJSONTests.lines { _ = try adapter.models(from: json) } == expected)
    #expect(
      MohoJSONTests.lines { _ = try adapter.models(from: JSONDocument(parsing: json)) } == expected)
    let lossy = try adapter.lossyModels(from: json)
    #expect(lossy.models.map(\.side) == [2])
    #expect(lossy.failures.map(\.index) == [0, 2])
    let first = JSONAdapter<Unknown.Square>(errorPolicy: .first, unknownKeyPolicy: .refuse)
    #expect(
      MohoJSONTests.lines { _ = try first.models(from: json) } == Array(expected.prefix(1)))
  }

  @Test func unknownKeysOfStreamedElementsAreFound() async throws {
    let adapter = JSONAdapter<Unknown.Square>(unknownKeyPolicy: .refuse)
    let text = "{\"size\":{\"side\":1}}\n{\"size\":{\"side\":1},\"x\":[]}\n"

    var messages: [String] = []
    for try await element in adapter.elements(from: ByteSequence(Array(text.utf8)), as: .lines) {
      messages += MohoJSONTests.lines { _ = try element.model }
    }

    #expect(messages == ["unknown key: array - `Square` at /1/x, 2:24"])
  }

  @Test func unknownKeysOfPartialModelsAreFound() throws {
    let talks = JSONAdapter<Unknown.Talk>(unknownKeyPolicy: .refuse)
    let shapes = JSONAdapter<Unknown.Shape>(unknownKeyPolicy: .refuse)

    #expect(
      MohoJSONTests.lines {
        _ = try talks.partial(from: Data(#"{"x":1,"parts":5,"image":{"y":2}}"#.utf8))
      } == [
        "invalid type: number 5, expected array - `Talk.parts` at /parts, 1:16",
        "unknown key: number 1 - `Talk` at /x, 1:6",
        "unknown key: number 2 - `Talk` at /image/y, 1:31",
      ])
    #expect(try talks.partial(from: Data(#"{"id":1}"#.utf8))[\.id] == 1)
    for json in [#"{"x":1}"#, #"{"kind":"square","size":{"side":1},"x":1}"#] {
      #expect(
        MohoJSONTests.messages { _ = try shapes.partial(from: Data(json.utf8)) }
          == ["unknown key: number 1 - `Shape` at /x"])
    }
  }

  @Test func aLossyArrayDropsElementsWithUnknownKeys() throws {
    struct List: MappedModel {
      var parts: LossyArray<Unknown.Part>
      static let mapping = Mapping("List", List.init, .key("parts", \.parts))
    }

    let list = try JSONAdapter<List>(unknownKeyPolicy: .refuse)
      .model(from: Data(#"{"parts":[{"title":"a","x":1},{"title":"b"}]}"#.utf8))

    #expect(list.parts.elements.map(\.title) == ["b"])
    #expect(
      list.parts.dropped.map(\.description) == ["unknown key: number 1 - `Part` at /parts/0/x"])
  }

  @Test func aFormThatFailsIsFollowedByTheNextForm() throws {
    struct Either: MappedModel, Equatable {
      var title: String
      static let mapping = Mapping(
        "Either", Either.init,
        .key(
          "title", \.title,
          Transform<Unknown.Square>.standard.map(
            to: { "\($0.side)" }, from: { Unknown.Square(side: Int($0) ?? 0) }
          ).or(
            Transform<Unknown.Part>.standard.map(
              to: { $0.title }, from: { Unknown.Part(title: $0) }))))
    }
    let json = #"{"title":{"title":"t","at":{"start":1}}}"#
    let both = #"{"title":{"size":{"side":1},"title":"t"}}"#
    let reports = Reports()

    let adapter = JSONAdapter<Either>(unknownKeyPolicy: .refuse)
    #expect(try adapter.model(from: Data(json.utf8)).title == "t")
    #expect(
      MohoJSONTests.messages { _ = try adapter.model(from: Data(both.utf8)) }
        == [#"unknown key: string "t" - `Square` at /title/title"#])
    // What the form says that gave way is not reported.
    _ = try JSONAdapter<Either>(unknownKeyPolicy: reports.policy).model(from: Data(json.utf8))
    #expect(reports.messages == [])
  }
}
