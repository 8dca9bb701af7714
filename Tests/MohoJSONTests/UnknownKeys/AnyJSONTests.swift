import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

@Suite struct AnyJSONTests {
  private let texts = [
    #"{"b":[1,{"z":null,"a":[]}],"a":{}}"#, #"[[],{"x":true}]"#, "5", "-2.5", "true", #""x""#,
  ]

  @Test func anyJSONIsStoredAndWrittenBack() throws {
    let adapter = JSONAdapter<Unknown.Payload>()
    let optional = JSONAdapter<Unknown.OptionalPayload>()
    for text in texts {
      let json = #"{"payload":\#(text)}"#
      #expect(try adapter.data(from: adapter.model(from: Data(json.utf8))).text == json)
      #expect(try optional.data(from: optional.model(from: Data(json.utf8))).text == json)
    }
  }

  @Test func nullIsAValueOrNilAndAbsenceIsMissing() throws {
    let null = Data(#"{"payload":null}"#.utf8)
    let adapter = JSONAdapter<Unknown.Payload>()

    #expect(try adapter.model(from: null).payload == .null)
    #expect(try adapter.data(from: Unknown.Payload(payload: .null)) == null)
    #expect(try JSONAdapter<Unknown.OptionalPayload>().model(from: null).payload == nil)
    #expect(try JSONAdapter<Unknown.OptionalPayload>().model(from: Data("{}".utf8)).payload == nil)
    #expect(
      messages { _ = try adapter.model(from: Data("{}".utf8)) }
        == ["missing value for `Payload.payload` at /payload"])
  }

  @Test func nullOnTheWayIsNullAndAnObstacleIsAnError() throws {
    let mapping = Mapping(
      "Deep", Unknown.Payload.init, .key("payload", \.payload, json: "a.b"))
    let adapter = JSONAdapter(mapping)

    #expect(try adapter.model(from: Data(#"{"a":null}"#.utf8)).payload == .null)
    #expect(
      messages { _ = try adapter.model(from: Data(#"{"a":1}"#.utf8)) }
        == ["invalid type: number 1, expected object - `Deep.payload` at /a"])
  }

  @Test func valuesHaveTheLayoutOfTheDocument() throws {
    struct Page: MappedModel {
      var payloads: [JSONValue]
      var named: [String: JSONValue]
      static let mapping = Mapping(
        "Page", Page.init, .key("payloads", \.payloads, json: "z.list"), .key("named", \.named))
    }
    let page = Page(payloads: [["b": 1, "a": [.null]]], named: ["x": .null])

    #expect(
      try JSONAdapter<Page>().data(from: page, formatting: [.pretty, .sorted]).text == #"""
        {
          "named": {
            "x": null
          },
          "z": {
            "list": [
              {
                "a": [
                  null
                ],
                "b": 1
              }
            ]
          }
        }
        """#)
  }

  @Test func numbersThatAreNotFiniteAreErrorsWithTheirPaths() {
    let payload = Unknown.Payload(payload: ["a": [1, .number(.nan)]])

    #expect(
      messages { _ = try JSONAdapter<Unknown.Payload>().data(from: [payload]) } == [
        "invalid value: number nan, expected finite number - `Payload.payload` at /0/payload/a/1"
      ])
  }

  @Test func otherCodersPreserveIt() throws {
    for text in texts + ["null"] {
      let json = Data(#"{"payload":\#(text)}"#.utf8)
      let model = try JSONAdapter<Unknown.Payload>().model(from: json)

      let again = try JSONDecoder().decode(
        Unknown.Payload.self, from: JSONEncoder().encode(model))

      #expect(again.payload.sorted == model.payload.sorted)
    }
    let value: JSONValue = ["a": [1, 2.5, "x", true], "b": [:]]
    let list = try PropertyListEncoder().encode(["value": value])
    #expect(
      try PropertyListDecoder().decode([String: JSONValue].self, from: list)["value"] == value)
  }

  @Test func formatsWithoutStructureContainOrderedText() throws {
    let value: JSONValue = ["b": 1, "a": .null]
    let recorder = FieldRecorder()
    try value.encode(to: recorder, at: 0)

    #expect(recorder.contents == [.string(#"{"b":1,"a":null}"#)])
    #expect(try JSONValue.decode(from: ContentDecoder([recorder.contents[0]]), at: 0) == value)
    let error = #expect(throws: MappingError.self) {
      try JSONValue.decode(from: ContentDecoder([.string("{")]), at: 0)
    }
    #expect(error?.code == .invalidValue)
    #expect(throws: MappingError.self) {
      try JSONValue.decode(from: ContentDecoder([.null]), at: 0)
    }
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Unknown.Payload.self) == [])
    #expect(MappingLaws.violations(of: Unknown.OptionalPayload.self) == [])
  }

  @Test func anOutputIsCustomizedAsAValue() throws {
    let json = Data(#"{"username":"foo","count":"5","nested":{"name":null}}"#.utf8)
    let adapter = JSONAdapter<TestModel>(nullPolicy: .null)

    var output = try JSONDocument(parsing: adapter.data(from: adapter.model(from: json))).value()
    output?["test"] = true

    #expect(
      try output?.data().text
        == #"{"username":"foo","count":"5","nested":{"name":null},"test":true}"#)
  }
}
