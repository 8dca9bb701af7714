import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct ArrayDecodingTests {
  private let adapter = JSONAdapter<TestModel>()
  private let episodes = JSONAdapter<Episode>()
  private let enveloped = JSONAdapter<Episode>(envelope: "episode")

  @Test func modelsAreReadInOrder() throws {
    let models = try adapter.models(from: Data(#"[{"username":"foo"},{"username":"bar"}]"#.utf8))

    #expect(models.map(\.name) == ["foo", "bar"])
    #expect(try adapter.models(from: Data("[]".utf8)) == [])
  }

  @Test func modelsOfOneKeyAreReadEachFromItsElement() throws {
    let data = Data(#"[{"value":1},{"value":2},{},{"value":4}]"#.utf8)

    #expect(try JSONAdapter<Field<Int?>>().models(from: data).map(\.value) == [1, 2, nil, 4])
  }

  @Test func everyElementThatIsNotAnObjectIsAnError() {
    #expect(
      messages { _ = try adapter.models(from: Data(#"["foo","bar"]"#.utf8)) } == [
        #"invalid type: string "foo", expected object - `TestModel` at /0"#,
        #"invalid type: string "bar", expected object - `TestModel` at /1"#,
      ])
  }

  @Test func aNullElementIsAnErrorAtItsIndex() {
    let objects = (0..<10).map { $0 == 2 ? "null" : #"{"count":"\#($0)"}"# }
    let text = "[\(objects.joined(separator: ","))]"

    #expect(
      messages { _ = try adapter.models(from: Data(text.utf8)) }
        == ["invalid type: null, expected object - `TestModel` at /2"])
  }

  @Test(arguments: [("{}", "object"), ("null", "null"), ("5", "number 5")])
  func errorsNameRootsThatAreNotArrays(text: String, found: String) {
    let message = "invalid type: \(found), expected array - `TestModel` at /"

    #expect(messages { _ = try adapter.models(from: Data(text.utf8)) } == [message])
    #expect(messages { _ = try adapter.lossyModels(from: Data(text.utf8)) } == [message])
  }

  @Test func anArrayIsReadAtAPath() throws {
    let document = try JSONDocument(parsing: #"{"feed":{"items":[{"username":"foo"}],"n":null}}"#)

    #expect(try adapter.models(from: document, at: "feed.items").map(\.name) == ["foo"])
    #expect(
      messages { _ = try adapter.models(from: document, at: "feed.entries") }
        == ["missing value for `TestModel` at /feed/entries"])
    #expect(
      messages { _ = try adapter.models(from: document, at: "feed.n") }
        == ["invalid type: null, expected array - `TestModel` at /feed/n"])
    #expect(
      messages { _ = try adapter.models(from: document, at: "feed.items.x") }
        == ["invalid type: array, expected object - `TestModel` at /feed/items"])
    #expect(
      messages { _ = try adapter.models(from: document, at: "feed[x]") }
        == ["invalid mapping: `TestModel` - the path `feed[x]` has a malformed index"])
  }

  @Test func errorsOfAllElementsAreReportedWithTheirPaths() {
    let text = #"""
      {"items":[
        {"episode":{"id":1,"title":"One","episode_type":"free"}},
        {"episode":{"id":2,"title":3,"episode_type":"gratis"}},
        {"episode":null},
        {"id":4},
        {"episode":{"id":5,"title":"Five","episode_type":null}}]}
      """#

    #expect(
      messages { _ = try enveloped.models(from: Data(text.utf8), at: "items") } == [
        "invalid type: number 3, expected string - `Episode.title` at /items/1/episode/title",
        #"invalid value: string "gratis", expected one of "free", "paid" - `Episode.kind` at /items/1/episode/episode_type"#,
        "invalid type: null, expected object - `Episode` at /items/2/episode",
        "missing value for `Episode` at /items/3/episode",
        "unexpected null: null, expected string - `Episode.kind` at /items/4/episode/episode_type",
      ])
  }

  @Test func aModelIsReadInItsEnvelope() throws {
    let text = #"{"episode":{"id":1,"title":"One","episode_type":"free"}}"#

    let episode = try enveloped.model(from: Data(text.utf8))
    let wrong = messages { _ = try enveloped.model(from: Data(#"{"episode":[]}"#.utf8)) }
    let bare = messages { _ = try enveloped.model(from: Data("[]".utf8)) }

    #expect(episode == Episode(id: 1, title: "One", kind: .free))
    #expect(wrong == ["invalid type: array, expected object - `Episode` at /episode"])
    #expect(bare == ["invalid type: array, expected object - `Episode` at /"])
  }

  @Test func aMalformedEnvelopeIsAnError() {
    let adapter = JSONAdapter<TestModel>(envelope: "a..b")

    #expect(
      messages { _ = try adapter.model(from: Data("{}".utf8)) }
        == ["invalid mapping: `TestModel` - the path `a..b` has an empty component"])
    #expect(messages { _ = try adapter.data(from: TestModel()) }.count == 1)
  }

  @Test func aNegativeIndexIsAnError() {
    let adapter = JSONAdapter<TestModel>(envelope: FieldPath([.key("a"), .index(-1)]))
    let message = "invalid mapping: `TestModel` - the path `a[-1]` has a negative index"

    #expect(messages { _ = try adapter.model(from: Data("{}".utf8)) } == [message])
    #expect(messages { _ = try adapter.data(from: TestModel()) } == [message])
  }

  @Test func lossyDecodingReportsInvalidElements() throws {
    let text = #"""
      [{"id":1,"title":"One","episode_type":"free"}, 7,
       {"id":"2","episode_type":"free"},
       {"id":4,"title":"Four","episode_type":"paid","duration":1e1}]
      """#

    let result = try episodes.lossyModels(from: Data(text.utf8))

    #expect(result.models.map(\.title) == ["One", "Four"])
    #expect(result.models.last?.duration == 10)
    #expect(result.indices == [0, 3])
    #expect(result.failures.map(\.index) == [1, 2])
    #expect(result.failures.map(\.error.errors.count) == [1, 2])
    #expect(
      result.failures.first?.description
        == "invalid type: number 7, expected object - `Episode` at /1, 1:48")
  }

  @Test func lossyReadingRefusesWhatIsNotJSON() {
    #expect(throws: JSONError.self) { try episodes.lossyModels(from: Data("[{}, x]".utf8)) }
  }

  @Test func noErrorIsDropped() {
    let text = "[" + Array(repeating: "1", count: 5000).joined(separator: ",") + "]"

    let found = messages { _ = try episodes.models(from: Data(text.utf8)) }

    #expect(found.count == 5000)
    #expect(found.last == "invalid type: number 1, expected object - `Episode` at /4999")
  }
}
