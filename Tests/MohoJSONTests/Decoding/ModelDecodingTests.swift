import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Deep: MappedModel, Equatable {
  var value: String?

  static let mapping = Mapping("Deep", Deep.init, .key("value", \.value, json: "a.b.c"))
}

private struct Dotted: MappedModel, Equatable {
  var name: String

  static let mapping = Mapping(
    "Dotted", Dotted.init, .key("name", \.name, json: #"optional\.detail.name"#))
}

private struct Attached: MappedModel, Equatable {
  var url: URL
  var second: Int?

  static let mapping = Mapping(
    "Attached", Attached.init,
    .key("url", \.url, json: "attachments[0].url"),
    .key("second", \.second, json: "attachments[1].size"))
}

private struct Defaulted: MappedModel, Equatable {
  var name: String?
  var flag: Bool
  var row: Int?
  var isOpen = false

  static let mapping = Mapping(
    "Defaulted", Defaulted.init,
    .key("name", \.name, default: "x"),
    .key("flag", \.flag, default: true),
    .key("row", \.row, .storeOnly),
    .transient(\.isOpen, default: false))
}

private struct Thrown: Error, CustomStringConvertible { let description = "no luck" }

private struct Custom: MappedModel {
  var first: Int
  var second: Int

  static let mapping = Mapping(
    "Custom", Custom.init, .key("first", \.first, failing), .key("second", \.second))

  private static let failing = Transform<Int>(
    .integer, read: { _, _ in throw Thrown() }, write: { _, _, _ in throw Thrown() })
}

@Suite struct ModelDecodingTests {
  private let adapter = JSONAdapter<TestModel>()

  private func decode(_ text: String) throws -> TestModel {
    try adapter.model(from: Data(text.utf8))
  }

  @Test func keysAreReadAtTheirPaths() throws {
    let model = try decode(#"{"username":"foo","nested":{"name":"bar"},"count":"0"}"#)

    #expect(model == TestModel(name: "foo", count: 0, nestedName: "bar"))
  }

  @Test func unknownKeysAreIgnoredAtEveryLevel() throws {
    let model = try decode(
      #"""
      {"foobar":"foo","count":"2","_":null,"username":"buzz",
       "nested":{"name":"bar","stuffToIgnore":5,"moreNonsense":null}}
      """#)

    #expect(model == TestModel(name: "buzz", count: 2, nestedName: "bar"))
  }

  @Test func anIntermediateOfAnotherTypeIsAnErrorAtIt() {
    let found = messages { _ = try decode(#"{"username":"foo","nested":"bar","count":"0"}"#) }

    #expect(
      found == [
        #"invalid type: string "bar", expected object - `TestModel.nestedName` at /nested"#
      ])
  }

  @Test func absentInputIsAnError() {
    #expect(throws: JSONError.self) { try adapter.model(from: Data()) }
  }

  @Test(arguments: [
    ("[]", "array"), ("5", "number 5"), ("true", "true"), ("null", "null"),
    (#""a""#, #"string "a""#),
  ])
  func errorsNameRootsThatAreNotObjects(text: String, found: String) {
    #expect(
      messages { _ = try decode(text) }
        == ["invalid type: \(found), expected object - `TestModel` at /"])
  }

  @Test func absentKeysHaveTheDefaultAndNullIsNull() throws {
    let adapter = JSONAdapter<Defaulted>()

    let absent = try adapter.model(from: Data("{}".utf8))
    let null = try adapter.model(from: Data(#"{"name":null}"#.utf8))

    #expect(absent == Defaulted(name: "x", flag: true, row: nil))
    #expect(null == Defaulted(name: nil, flag: true, row: nil))
  }

  @Test func nullIsAnErrorForRequiredKeys() {
    let found = messages {
      _ = try JSONAdapter<Defaulted>().model(from: Data(#"{"flag":null}"#.utf8))
    }

    #expect(found == ["unexpected null: null, expected boolean - `Defaulted.flag` at /flag"])
  }

  @Test func storeOnlyKeysAndTransientPropertiesAreNotRead() throws {
    let text = #"{"row":"no integer","isOpen":true,"":3}"#

    let model = try JSONAdapter<Defaulted>().model(from: Data(text.utf8))

    #expect(model == Defaulted(name: "x", flag: true, row: nil))
  }

  @Test func aKeyMissingInItsParentIsNil() throws {
    #expect(try decode(#"{"nested":{}}"#) == TestModel())
  }

  @Test(arguments: [
    #"{"a":{"b":null}}"#, #"{"a":null}"#, #"{"a":{}}"#, "{}", #"{"a":{"b":{"c":null}}}"#,
  ])
  func nullOrNothingOnTheWayIsNil(text: String) throws {
    #expect(try JSONAdapter<Deep>().model(from: Data(text.utf8)) == Deep(value: nil))
  }

  @Test(arguments: [
    (#"{"a":{"b":3}}"#, "number 3", "/a/b"), (#"{"a":[]}"#, "array", "/a"),
    (#"{"a":false}"#, "false", "/a"),
  ])
  func otherTypesOnAPathAreErrors(text: String, found: String, pointer: String) {
    #expect(
      messages { _ = try JSONAdapter<Deep>().model(from: Data(text.utf8)) }
        == ["invalid type: \(found), expected object - `Deep.value` at \(pointer)"])
  }

  @Test func anEscapedDotIsPartOfAKey() throws {
    let text = #"{"optional.detail":{"name":"Test"}}"#

    #expect(try JSONAdapter<Dotted>().model(from: Data(text.utf8)).name == "Test")
  }

  @Test func indexesLeadIntoArrays() throws {
    let adapter = JSONAdapter<Attached>()
    let text = #"{"attachments":[{"url":"https://a.example/1"},{"size":2}]}"#

    let model = try adapter.model(from: Data(text.utf8))
    let missing = messages { _ = try adapter.model(from: Data(#"{"attachments":[]}"#.utf8)) }
    let wrong = messages { _ = try adapter.model(from: Data(#"{"attachments":{}}"#.utf8)) }

    #expect(model == Attached(url: try #require(URL(string: "https://a.example/1")), second: 2))
    #expect(missing == ["missing value for `Attached.url` at /attachments/0/url"])
    #expect(
      wrong == [
        "invalid type: object, expected array - `Attached.url` at /attachments",
        "invalid type: object, expected array - `Attached.second` at /attachments",
      ])
  }

  @Test func allErrorsOfAModelAreReportedInDeclarationOrder() {
    let text = #"{"duration":"long","episode_type":"gratis","id":"12a"}"#

    #expect(
      messages { _ = try JSONAdapter<Episode>().model(from: Data(text.utf8)) } == [
        #"invalid type: string "12a", expected integer - `Episode.id` at /id"#,
        "missing value for `Episode.title` at /title",
        #"invalid value: string "gratis", expected one of "free", "paid" - `Episode.kind` at /episode_type"#,
        #"invalid type: string "long", expected number - `Episode.duration` at /duration"#,
      ])
  }

  @Test(arguments: [
    (#"{"optional.detail":{"Name":1}}"#, "; did you mean `Name`?"),
    (#"{"Optional-Detail":{"name":1}}"#, "; did you mean `Optional-Detail`?"),
    (#"{"OPTIONAL_.DETAIL":{"name":1}}"#, "; did you mean `OPTIONAL_.DETAIL`?"),
    (#"{"optional.detail":{"nmae":1,"names":1}}"#, "; did you mean `nmae`?"),
    (#"{"optional.detail":{"nam":1}}"#, "; did you mean `nam`?"),
    (#"{"optional.detail":{"nope":1,"n":1}}"#, ""),
    (#"{"optional.detail":{}}"#, ""),
  ])
  func aMissingKeyThatIsSpelledAnotherWayIsSuggested(text: String, suggestion: String) {
    #expect(
      messages { _ = try JSONAdapter<Dotted>().model(from: Data(text.utf8)) }
        == ["missing value for `Dotted.name` at /optional.detail/name\(suggestion)"])
  }

  @Test func errorsOfATransformAreReportedWithTheOthers() {
    let text = #"{"first":1}"#

    #expect(
      messages { _ = try JSONAdapter<Custom>().model(from: Data(text.utf8)) } == [
        "invalid value: number 1 - `Custom.first` at /first: no luck",
        "missing value for `Custom.second` at /second",
      ])
  }

  @Test func invalidMappingsDecodeAndEncodeNothing() {
    let mapping = Mapping(
      "Broken", { Deep(value: $0) }, .key("value", \.value, json: "a..b"))
    let adapter = JSONAdapter(mapping)
    let message = "invalid mapping: `Broken` - `value`: the path `a..b` has an empty component"

    #expect(messages { _ = try adapter.model(from: Data("{}".utf8)) } == [message])
    #expect(messages { _ = try adapter.models(from: Data("[]".utf8)) } == [message])
    #expect(messages { _ = try adapter.data(from: Deep()) } == [message])
    #expect(messages { _ = try adapter.data(from: []) } == [message])
  }
}
