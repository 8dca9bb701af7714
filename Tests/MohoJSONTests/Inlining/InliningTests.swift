import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Span: MappedModel, Equatable {
  var location: Int
  var length: Int

  static let mapping = Mapping(
    "Span", Span.init, .key("location", \.location), .key("length", \.length))
}

private struct Multi: MappedModel, Equatable {
  var range: Span
  var nestedRange: Span

  static let mapping = Mapping(
    "Multi", Multi.init, .inlined("range", \.range),
    .key("nestedRange", \.nestedRange, json: "nested"))
}

private struct Loose: MappedModel, Equatable {
  var location: Int?
  var length: Int

  static let mapping = Mapping(
    "Loose", Loose.init, .key("location", \.location), .key("length", \.length))
}

private struct Chapter: MappedModel, Equatable {
  var title: String
  var range: Loose?
  var id: Int

  static let mapping = Mapping(
    "Chapter", Chapter.init, .key("title", \.title), .inlined("range", \.range),
    .key("id", \.id))
}

private struct Image: MappedModel, Equatable {
  var url: String
  var sizes: [Int]
  var note: String?

  static let mapping = Mapping(
    "Image", Image.init, .key("url", \.url, json: "meta.url"), .key("sizes", \.sizes),
    .key("note", \.note, json: "notes.image"))
}

private struct Card: MappedModel, Equatable {
  var title: String
  var image: Image
  var range: Span
  var chapters: [Chapter]

  static let mapping = Mapping(
    "Card", Card.init, .key("title", \.title, json: "meta.title"), .inlined("image", \.image),
    .inlined("range", \.range, default: Span(location: 0, length: 1)),
    .key("chapters", \.chapters))
}

private struct Deck: MappedModel, Equatable {
  var card: Card?
  var name: String

  static let mapping = Mapping(
    "Deck", Deck.init, .inlined("card", \.card), .key("name", \.name))
}

@Suite struct InliningTests {
  private let card = Card(
    title: "Cover", image: Image(url: "u", sizes: [1, 2], note: nil),
    range: Span(location: 3, length: 4),
    chapters: [Chapter(title: "One", range: Loose(location: nil, length: 2), id: 1)])

  @Test func keysOfAModelLieInTheSameObjectOrANestedOne() throws {
    let json = #"{"location":20,"length":12,"nested":{"location":10,"length":4}}"#

    let multi = try JSONAdapter<Multi>().model(from: Data(json.utf8))

    #expect(multi.range == Span(location: 20, length: 12))
    #expect(multi.nestedRange == Span(location: 10, length: 4))
  }

  @Test func inlinedKeysAreWrittenIntoTheSameObject() throws {
    let multi = Multi(
      range: Span(location: 20, length: 12), nestedRange: Span(location: 10, length: 4))

    #expect(
      try JSONAdapter<Multi>().data(from: multi).text
        == #"{"location":20,"length":12,"nested":{"location":10,"length":4}}"#)
  }

  @Test func inlinedModelsWithoutKeysAreNilAndNotCreated() throws {
    let json = #"{"title":"One","id":1}"#

    #expect(
      try JSONAdapter<Chapter>().model(from: Data(json.utf8))
        == Chapter(title: "One", range: nil, id: 1))
  }

  @Test func anInlinedModelSeesNullAsPresent() throws {
    let adapter = JSONAdapter<Chapter>()

    let chapter = try adapter.model(
      from: Data(#"{"title":"One","location":null,"length":3,"id":1}"#.utf8))
    let messages = messages {
      _ = try adapter.model(from: Data(#"{"title":"One","location":null,"id":1}"#.utf8))
    }

    #expect(chapter.range == Loose(location: nil, length: 3))
    #expect(messages == ["missing value for `Loose.length` at /length"])
  }

  @Test func everyErrorOfInlinedKeysIsFound() {
    #expect(
      messages {
        _ = try JSONAdapter<Multi>().model(
          from: Data(#"{"location":"x","nested":{"location":1,"length":null}}"#.utf8))
      } == [
        #"invalid type: string "x", expected integer - `Span.location` at /location"#,
        "missing value for `Span.length` at /length",
        "unexpected null: null, expected integer - `Span.length` at /nested/length",
      ])
  }

  @Test func keysThatShareAParentAreWrittenIntoOneObject() throws {
    #expect(
      try JSONAdapter<Card>().data(from: card).text == """
        {"meta":{"title":"Cover","url":"u"},"sizes":[1,2],"location":3,"length":4,\
        "chapters":[{"title":"One","length":2,"id":1}]}
        """)
  }

  @Test func inlinedKeysAreIndentedAndSortedAmongTheOthers() throws {
    #expect(
      try JSONAdapter<Card>(envelope: "card")
        .data(from: [card], formatting: [.pretty, .sorted]).text == #"""
          [
            {
              "card": {
                "chapters": [
                  {
                    "id": 1,
                    "length": 2,
                    "title": "One"
                  }
                ],
                "length": 4,
                "location": 3,
                "meta": {
                  "title": "Cover",
                  "url": "u"
                },
                "sizes": [
                  1,
                  2
                ]
              }
            }
          ]
          """#)
  }

  @Test(arguments: [JSONFormatting.compact, .pretty, .sorted, [.pretty, .sorted]])
  func encodedModelsDecodeToEqualModels(formatting: JSONFormatting) throws {
    var other = card
    other.chapters.append(Chapter(title: "Two", range: nil, id: 2))
    let decks = [
      Deck(card: card, name: "a"), Deck(card: nil, name: "b"), Deck(card: other, name: "c"),
    ]
    for nulls in [NullPolicy.omit, .null] {
      for envelope in [nil, "a.b"] as [FieldPath?] {
        let adapter = JSONAdapter<Deck>(envelope: envelope, nullPolicy: nulls)
        let data = try adapter.data(from: decks, formatting: formatting)

        #expect(try adapter.models(from: data) == decks)
        #expect(try adapter.model(from: adapter.data(from: decks[0])) == decks[0])
      }
    }
  }

  @Test func nilInlinedModelsAreOmittedOrNullAtEachKey() throws {
    let chapter = Chapter(title: "One", range: nil, id: 1)
    let nulls = JSONAdapter<Chapter>(nullPolicy: .null)

    #expect(try JSONAdapter<Chapter>().data(from: chapter).text == #"{"title":"One","id":1}"#)
    #expect(
      try nulls.data(from: chapter).text
        == #"{"title":"One","location":null,"length":null,"id":1}"#)
    #expect(try nulls.model(from: nulls.data(from: chapter)) == chapter)
  }

  @Test func anAbsentInlinedModelHasItsDefault() throws {
    let json = #"{"meta":{"title":"Cover","url":"u"},"sizes":[],"chapters":[]}"#

    #expect(
      try JSONAdapter<Card>().model(from: Data(json.utf8)).range == Span(location: 0, length: 1))
  }

  @Test func patchesContainWholeInlinedModels() throws {
    let adapter = JSONAdapter<Chapter>()
    let old = Chapter(title: "One", range: Loose(location: 1, length: 2), id: 1)
    var new = old
    new.range = Loose(location: 1, length: 3)
    var without = old
    without.range = nil

    let patch = try adapter.mergePatch(from: old, to: new)
    let clearing = try adapter.mergePatch(from: old, to: without)

    #expect(patch.text == #"{"location":1,"length":3}"#)
    #expect(clearing.text == #"{"location":null,"length":null}"#)
    #expect(try adapter.partial(from: patch).applied(to: old) == new)
    #expect(try adapter.partial(from: clearing).applied(to: old) == without)
    #expect(try !adapter.partial(from: Data(#"{"id":2}"#.utf8)).contains(\.range))
  }

  @Test func valuesThatJSONCannotRepresentAreErrorsWithTheirPaths() {
    struct Point: MappedModel {
      var x: Double
      static let mapping = Mapping("Point", Point.init, .key("x", \.x, json: "at.x"))
    }
    struct Pin: MappedModel {
      var point: Point
      static let mapping = Mapping("Pin", Pin.init, .inlined("point", \.point))
    }

    #expect(
      messages { _ = try JSONAdapter<Pin>().data(from: [Pin(point: Point(x: .nan))]) } == [
        "invalid value: number nan, expected finite number - `Point.x` at /0/at/x"
      ])
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Card.self, samples: [card]) == [])
    #expect(
      MappingLaws.violations(
        of: Deck.self, samples: [Deck(card: card, name: "a"), Deck(card: nil, name: "b")]) == [])
  }
}
