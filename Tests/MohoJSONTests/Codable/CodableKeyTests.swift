import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Color: Codable, Hashable {
  var red: Double
  var green: Double
}

/// An enum with associated values and a synthesized conformance.
private enum Source: Codable, Hashable {
  case feed(URL)
  case upload
}

private struct Show: MappedModel, Codable, Equatable {
  var color: Color
  var source: Source?
  var palette: [Color]

  static let mapping = Mapping(
    "Show", Show.init,
    .key("color", \.color, json: "style.color", .codable),
    .key("source", \.source, .codable),
    .key("palette", \.palette, .codable, default: []))
}

@Suite struct CodableKeyTests {
  private static let shows = [
    Show(
      color: Color(red: 0.5, green: 1),
      source: URL(string: "https://example.com/feed").map { .feed($0) },
      palette: [Color(red: 0, green: 0)]),
    Show(color: Color(red: 1, green: 0), source: .upload, palette: []),
    Show(color: Color(red: 1, green: 0), source: nil, palette: []),
  ]

  @Test func keysOfOptionalPropertiesAreOptional() {
    #expect(Show.mapping.issues == [])
    #expect(Show.mapping.keys.map(\.isOptional) == [false, true, false])
    #expect(Show.mapping.keys.map(\.type) == [.string, .string, .string])
  }

  @Test func jsonHasTheStructure() throws {
    #expect(
      try JSONAdapter<Show>().data(from: Self.shows[0]).text == """
        {"style":{"color":{"green":1,"red":0.5}},\
        "source":{"feed":{"_0":"https://example.com/feed"}},"palette":[{"green":0,"red":0}]}
        """)
  }

  @Test(arguments: shows)
  private func aModelReadsBackEqualFromEveryFormat(show: Show) throws {
    let adapter = JSONAdapter<Show>()
    let recorder = FieldRecorder()
    try Show.mapping.encode(show, to: recorder)

    #expect(try adapter.model(from: adapter.data(from: show)) == show)
    #expect(
      try adapter.model(from: adapter.data(from: show, formatting: .pretty)) == show)
    #expect(try Show.mapping.model(from: ContentDecoder(recorder.contents)) == show)
    #expect(
      try JSONDecoder().decode(Show.self, from: adapter.data(from: show)) == show)
    #expect(try adapter.model(from: JSONEncoder().encode(show)) == show)
    let list = try PropertyListEncoder().encode(show)
    #expect(try PropertyListDecoder().decode(Show.self, from: list) == show)
  }

  @Test func flatFormatsContainJSONText() throws {
    let recorder = FieldRecorder()
    try Show.mapping.encode(Self.shows[1], to: recorder)

    #expect(
      recorder.contents == [
        .string(#"{"green":0,"red":1}"#), .string(#"{"upload":{}}"#), .string("[]"),
      ])
  }

  @Test func nilIsNull() throws {
    let recorder = FieldRecorder()
    try Show.mapping.encode(Self.shows[2], to: recorder)

    #expect(recorder.contents[1] == .null)
    #expect(!(try JSONAdapter<Show>().data(from: Self.shows[2])).text.contains("source"))
  }

  @Test func absenceIsNilOrTheDefaultOrAnError() throws {
    let adapter = JSONAdapter<Show>()
    let show = try adapter.model(from: Data(#"{"style":{"color":{"red":1,"green":0}}}"#.utf8))

    #expect(show == Self.shows[2])
    #expect(
      messages { _ = try adapter.model(from: Data(#"{"source":null,"palette":null}"#.utf8)) } == [
        "missing value for `Show.color` at /style/color",
        "unexpected null: null, expected Array<Color> - `Show.palette` at /palette",
      ])
  }

  @Test func aValueThatIsNotOfTheTypeIsAnErrorWithItsReason() throws {
    let data = Data(#"{"style":{"color":{"red":"x","green":0}},"source":7}"#.utf8)
    let texts: [FieldContent?] = [.string(#"{"red":"x","green":0}"#), .string("7"), nil]

    let errors = [
      #expect(throws: MappingError.self) { try JSONAdapter<Show>().model(from: data) },
      #expect(throws: MappingError.self) { try JSONDecoder().decode(Show.self, from: data) },
      #expect(throws: MappingError.self) { try Show.mapping.model(from: ContentDecoder(texts)) },
    ]

    for error in errors {
      #expect(error?.errors.map(\.key) == ["color", "source"])
      #expect(error?.errors.map(\.code) == [.invalidValue, .invalidValue])
      #expect(error?.errors.map(\.expected) == ["Color", "Optional<Source>"])
      #expect(error?.errors.allSatisfy { $0.underlying is DecodingError } == true)
    }
  }

  @Test func valuesThatJSONCannotRepresentFailTheirKey() {
    let show = Show(color: Color(red: .nan, green: 0), source: nil, palette: [])

    let error = #expect(throws: MappingError.self) { try JSONAdapter<Show>().data(from: show) }

    #expect(error?.code == .invalidValue)
    #expect(error?.key == "color")
  }
}
