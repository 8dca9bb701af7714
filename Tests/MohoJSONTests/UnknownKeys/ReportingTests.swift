import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct ReportingTests {
  private let reports = Reports()

  private func adapter<Model: MappedModel>(_ model: Model.Type) -> JSONAdapter<Model> {
    JSONAdapter(unknownKeyPolicy: reports.policy)
  }

  @Test func unknownMembersAreReportedAndTheModelIsRead() throws {
    let json = #"{"foobar":"foo","username":"buzz","nested":{"Name":5}}"#

    let model = try adapter(TestModel.self).model(from: Data(json.utf8))

    #expect(model == TestModel(name: "buzz"))
    #expect(
      reports.messages == [
        #"unknown key: string "foo" - `TestModel` at /foobar, 1:11"#,
        "unknown key: number 5 - `TestModel` at /nested/Name, 1:52; did you mean `name`?",
      ])
  }

  @Test func nestedModelsComeFirst() throws {
    let json = #"{"x":1,"id":1,"parts":[{"title":"t","y":2}],"named":{"a":{"title":"t","z":3}}}"#

    _ = try adapter(Unknown.Talk.self).model(from: Data(json.utf8))

    #expect(
      reports.messages == [
        "unknown key: number 2 - `Part` at /parts/0/y, 1:41",
        "unknown key: number 3 - `Part` at /named/a/z, 1:75",
        "unknown key: number 1 - `Talk` at /x, 1:6",
      ])
  }

  @Test func arraysAreReportedWithTheirElements() throws {
    let json = Data(#"[{"size":{"side":1},"x":1},{"size":{}},{"size":{"side":2},"y":2}]"#.utf8)
    let expected = [
      "unknown key: number 1 - `Square` at /0/x, 1:25",
      "unknown key: number 2 - `Square` at /2/y, 1:63",
    ]

    let lossy = try adapter(Unknown.Square.self).lossyModels(from: json)
    #expect(lossy.models.map(\.side) == [1, 2])
    #expect(reports.messages == expected)

    #expect(throws: MappingError.self) {
      try adapter(Unknown.Square.self).models(from: JSONDocument(parsing: json))
    }
    #expect(reports.messages == expected + expected)
  }

  @Test func invalidJSONReportsNoUnknownKeys() throws {
    // The elements are read before the mistake is found.
    let json = Data(#"{"items":[{"size":{"side":1},"x":1}],"items":1}"#.utf8)

    #expect(throws: JSONError.self) {
      try adapter(Unknown.Square.self).models(from: json, at: "items")
    }
    #expect(reports.messages == [])
  }

  @Test func unknownKeysOfAStreamedElementAreReportedBeforeTheElement() async throws {
    let text = #"{"a":[ {"size":{"side":1},"x":1},{"size":{"side":2},"y":2}]}"#
    var counts: [Int] = []

    let elements = adapter(Unknown.Square.self)
      .elements(from: ByteSequence(Array(text.utf8)), as: .array(at: "a"))
    for try await _ in elements { counts.append(reports.messages.count) }

    #expect(counts == [1, 2])
    #expect(
      reports.messages == [
        "unknown key: number 1 - `Square` at /a/0/x, 1:31",
        "unknown key: number 2 - `Square` at /a/1/y, 1:57",
      ])
  }

  @Test func aModelThatFailsIsReportedOnce() {
    struct Ruled: MappedModel {
      var square: Unknown.Square
      var other: Unknown.Square
      var id: Int
      static let mapping = Mapping<Ruled>(
        "Ruled", Ruled.init, .key("square", \.square), .key("other", \.other),
        .key("id", \.id)
      ).validating(\.square, "a square") { $0.side > 0 }
    }

    #expect(throws: MappingError.self) {
      try adapter(Ruled.self).model(
        from: Data(
          #"{"square":{"size":{"side":1},"x":1},"other":{"size":{"side":1},"z":3},"y":2}"#.utf8))
    }
    #expect(
      reports.messages == [
        "unknown key: number 1 - `Square` at /square/x, 1:34",
        "unknown key: number 3 - `Square` at /other/z, 1:68",
        "unknown key: number 2 - `Ruled` at /y, 1:75",
      ])
  }

  @Test func elementsAndMembersOfAModelThatFailsAreReportedOnce() {
    struct Ruled: MappedModel {
      var squares: [Unknown.Square]
      var named: [String: Unknown.Square]
      var id: Int
      static let mapping = Mapping<Ruled>(
        "Ruled", Ruled.init, .key("squares", \.squares), .key("named", \.named),
        .key("id", \.id)
      ).validating(\.squares, "squares") { !$0.isEmpty }
        .validating(\.named, "names") { !$0.isEmpty }
    }

    #expect(throws: MappingError.self) {
      try adapter(Ruled.self).model(
        from: Data(
          #"{"squares":[{"size":{"side":1},"x":1}],"named":{"a":{"size":{"side":2},"y":2}}}"#
            .utf8))
    }
    #expect(
      reports.messages == [
        "unknown key: number 1 - `Square` at /squares/0/x, 1:36",
        "unknown key: number 2 - `Square` at /named/a/y, 1:76",
      ])
  }

  @Test func nothingIsReportedOfTheFirstFormOfElementsAndMembers() throws {
    struct Shape: MappedModel {
      var side: Int
      var title: String?
      static let mapping = Mapping(
        "Shape", Shape.init, .key("side", \.side, default: 0), .key("title", \.title))
      static let untitled = Mapping<Shape>(
        "Shape", { Shape(side: $0) }, .key("side", \.side))
    }
    struct Drawing: MappedModel {
      var listed: [Shape]
      var named: [String: Shape]
      static let mapping = Mapping(
        "Drawing", Drawing.init,
        .key(
          "listed", \.listed,
          Transform<Shape>.nested(by: Shape.untitled).array.or(Transform<Shape>.standard.array)),
        .key(
          "named", \.named,
          Transform<Shape>.nested(by: Shape.untitled).dictionary
            .or(Transform<Shape>.standard.dictionary)))
    }
    // The first form knows no titles, and fails at the last shapes.
    let json = #"""
      {"listed":[{"side":1,"title":"t"},{"side":2,"title":"t"},{"title":"t"}],
       "named":{"a":{"side":1,"title":"t"},"b":{"side":2,"title":"t"},"c":{"title":"t"}}}
      """#

    let drawing = try adapter(Drawing.self).model(from: Data(json.utf8))

    #expect(drawing.listed.map(\.title) == ["t", "t", "t"])
    #expect(drawing.named.mapValues(\.side) == ["a": 1, "b": 2, "c": 0])
    #expect(reports.messages == [])
  }

  @Test func partialModelsAreReported() throws {
    let partial = try adapter(Unknown.Talk.self).partial(from: Data(#"{"id":1,"x":2}"#.utf8))

    #expect(partial[\.id] == 1)
    #expect(reports.messages == ["unknown key: number 2 - `Talk` at /x, 1:13"])
  }
}
