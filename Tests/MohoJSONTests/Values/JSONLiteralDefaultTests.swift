import MohoJSON
import MohoMapping
import Testing

@Suite struct JSONLiteralDefaultTests {
  private struct Settings: MappedModel {
    var members: JSONValue
    var list: JSONValue
    var number: JSONValue
    var half: JSONValue
    var nested: JSONValue

    static let mapping = Mapping(
      "Settings", Settings.init,
      .key("members", \.members, default: ["b": 1, "a": 2]),
      .key("list", \.list, default: ["x", "y"]), .key("number", \.number, default: 3),
      .key("half", \.half, default: 0.5),
      .key("nested", \.nested, json: "in.nested", default: ["a": [1, 2]], .nilAsNull))
  }

  @Test func literalsAreJSON() throws {
    #expect(Settings.mapping.issues == [])
    let settings = try JSONAdapter<Settings>().model(from: "{}")

    #expect(settings.members == ["a": 2, "b": 1])
    #expect(settings.list == ["x", "y"])
    #expect(settings.number == 3)
    #expect(settings.half == 0.5)
    #expect(settings.nested == ["a": [1, 2]])
  }
}
