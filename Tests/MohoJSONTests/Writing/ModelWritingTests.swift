import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Nested: MappedModel, Equatable {
  var first: Int?
  var title: String?
  var second: Int?
  var deep: Int?
  var row: Int?
  var isOpen = false

  static let mapping = Mapping(
    "Nested", Nested.init,
    .key("first", \.first, json: "a.first"),
    .key("title", \.title),
    .key("second", \.second, json: "a.second"),
    .key("deep", \.deep, json: "a.b.deep"),
    .key("row", \.row, .storeOnly),
    .transient(\.isOpen, default: false))
}

private struct Slots: MappedModel, Equatable {
  var third: String?
  var first: String?
  var size: Int?

  static let mapping = Mapping(
    "Slots", Slots.init,
    .key("third", \.third, json: "list[3].url"),
    .key("first", \.first, json: "list[1].url"),
    .key("size", \.size, json: "list[1].size"))
}

private struct Escaped: MappedModel, Equatable {
  var value: Int

  static let mapping = Mapping(
    "Escaped", Escaped.init, .key("value", \.value, json: "a \"quoted\"\n.é\\.b"))
}

private struct Defaulted: MappedModel, Equatable {
  var name: String?

  static let mapping = Mapping(
    "Defaulted", Defaulted.init, .key("name", \.name, default: "x"))
}

@Suite struct ModelWritingTests {

  @Test func nilIsWrittenByThePolicy() throws {
    let model = TestModel(name: nil, count: 5, nestedName: nil)

    let omitted = try JSONAdapter<TestModel>().data(from: model)
    let explicit = try JSONAdapter<TestModel>(nullPolicy: .null).data(from: model)

    #expect(omitted.text == #"{"count":"5"}"#)
    #expect(explicit.text == #"{"username":null,"count":"5","nested":{"name":null}}"#)
  }

  @Test func aNilThatHasADefaultIsWrittenAsNull() throws {
    let adapter = JSONAdapter<Defaulted>()

    let data = try adapter.data(from: Defaulted(name: nil))

    #expect(data.text == #"{"name":null}"#)
    #expect(try adapter.model(from: data) == Defaulted(name: nil))
  }

  @Test func modelsAreWrittenInOrder() throws {
    let adapter = JSONAdapter<TestModel>()

    #expect(
      try adapter.data(from: [TestModel(name: "foo"), TestModel(name: "bar")]).text
        == #"[{"username":"foo","count":"1"},{"username":"bar","count":"1"}]"#)
    #expect(try adapter.data(from: []).text == "[]")
  }

  @Test func keysThatShareAParentAreWrittenInOneObject() throws {
    let adapter = JSONAdapter<Nested>()
    let model = Nested(first: 1, title: "t", second: 2, deep: 3, row: 4, isOpen: true)

    #expect(
      try adapter.data(from: model).text
        == #"{"a":{"first":1,"second":2,"b":{"deep":3}},"title":"t"}"#)
    #expect(
      try adapter.data(from: Nested(title: "t", deep: 3)).text
        == #"{"a":{"b":{"deep":3}},"title":"t"}"#)
    #expect(try adapter.data(from: Nested(second: 2)).text == #"{"a":{"second":2}}"#)
    #expect(try adapter.data(from: Nested()).text == "{}")
  }

  @Test func gapsOfArraysAreNull() throws {
    let adapter = JSONAdapter<Slots>()
    let models = [
      (
        Slots(third: "c", first: "a", size: 1),
        #"{"list":[null,{"url":"a","size":1},null,{"url":"c"}]}"#
      ),
      (Slots(third: "c"), #"{"list":[null,null,null,{"url":"c"}]}"#),
      (Slots(size: 1), #"{"list":[null,{"size":1}]}"#),
      (Slots(), "{}"),
    ]

    for (model, text) in models {
      let data = try adapter.data(from: model)
      #expect(data.text == text)
      #expect(try adapter.model(from: data) == model)
    }
    #expect(
      try JSONAdapter<Slots>(nullPolicy: .null).data(from: Slots()).text
        == #"{"list":[null,{"url":null,"size":null},null,{"url":null}]}"#)
  }

  @Test func keysAreEscaped() throws {
    let adapter = JSONAdapter<Escaped>()

    let data = try adapter.data(from: Escaped(value: 1))

    #expect(data.text == #"{"a \"quoted\"\n":{"é.b":1}}"#)
    #expect(try adapter.model(from: data) == Escaped(value: 1))
  }

  @Test func modelsAreWrittenInTheirEnvelope() throws {
    let adapter = JSONAdapter<Nested>(envelope: "data[0].attributes")
    let models = [Nested(title: "t"), Nested()]

    let data = try adapter.data(from: models)

    #expect(
      data.text == #"[{"data":[{"attributes":{"title":"t"}}]},{"data":[{"attributes":{}}]}]"#)
    #expect(try adapter.models(from: data) == models)
  }

  @Test func prettyTextHasALineForEachMember() throws {
    let adapter = JSONAdapter<Nested>()
    let models = [Nested(first: 1, title: "a\nb", deep: 3), Nested(first: nil, title: "c")]

    let text = try adapter.data(from: models, formatting: .pretty).text

    #expect(
      text == """
        [
          {
            "a": {
              "first": 1,
              "b": {
                "deep": 3
              }
            },
            "title": "a\\nb"
          },
          {
            "title": "c"
          }
        ]
        """)
    #expect(try adapter.data(from: [], formatting: .pretty).text == "[]")
    #expect(try adapter.data(from: Nested(), formatting: .pretty).text == "{}")
    #expect(
      try JSONAdapter<Slots>().data(from: Slots(first: "a"), formatting: .pretty).text == """
        {
          "list": [
            null,
            {
              "url": "a"
            }
          ]
        }
        """)
  }
}
