import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

@Suite struct UnknownMemberTests {
  private let json = #"""
    {"z":1,"id":2,"image":{"url":"u","size":{"width":3}},"tags":[4,null,5],"a":null,
     "parts":[{"meta":{"title":"t","x":6},"y":[]}],"a.b":7}
    """#

  @Test func unknownMembersAreStoredByTheirPathsInOrder() throws {
    let open = try JSONAdapter<Unknown.Open>().model(from: Data(json.utf8))

    #expect(
      open.others == [
        "z": 1, "image.size": ["width": 3], "tags[0]": 4, "tags[2]": 5, "a": nil, #"a\.b"#: 7,
      ])
    #expect(open.parts.map(\.others) == [["meta.x": 6, "y": []]])
  }

  @Test func theyAreWrittenBackAfterTheKeys() throws {
    let adapter = JSONAdapter<Unknown.Open>()
    let open = try adapter.model(from: Data(json.utf8))

    let data = try adapter.data(from: open)

    #expect(
      data.text == """
        {"id":2,"image":{"url":"u","size":{"width":3}},"tags":[4,null,5],\
        "parts":[{"meta":{"title":"t","x":6},"y":[]}],"z":1,"a":null,"a.b":7}
        """)
    // Those of one object keep their order, behind those in objects of keys.
    let again = try adapter.model(from: data)
    #expect(again.others.sorted == open.others.sorted)
    #expect(try adapter.data(from: again) == data)
  }

  @Test(arguments: [JSONFormatting.compact, .pretty, .sorted, [.pretty, .sorted]])
  func encodedModelsDecodeToEqualModels(formatting: JSONFormatting) throws {
    let open = try JSONAdapter<Unknown.Open>().model(from: Data(json.utf8))
    let bare = Unknown.Open(id: 1, image: nil, second: nil, parts: [], others: [:], span: nil)
    let inlined = Unknown.Open(
      id: 1, image: nil, second: .bool(true), parts: [], others: ["size.x": 1, "tags[2]": 2],
      span: Unknown.Span(location: 1, length: 2))
    for nulls in [NullPolicy.omit, .null] {
      for envelope in [nil, "a.b"] as [FieldPath?] {
        let adapter = JSONAdapter<Unknown.Open>(
          envelope: envelope, nullPolicy: nulls, unknownKeyPolicy: .refuse)
        for model in [open, bare, inlined] {
          let data = try adapter.data(from: model, formatting: formatting)
          let again = try adapter.model(from: data)
          // Of sorted text, the order is not that of the document.
          #expect(again.others.sorted == model.others.sorted)
          #expect(again.parts == model.parts)
          #expect(again.span == model.span)
        }
        let models = [open, bare, inlined, open]
        let data = try adapter.data(from: models, formatting: formatting)
        let again = try adapter.models(from: data).map(\.others.sorted)
        #expect(again == models.map(\.others.sorted))
      }
    }
  }

  @Test func linesAreIndentedInEveryObject() throws {
    let open = Unknown.Open(
      id: 1, image: "u", second: nil, parts: [],
      others: ["image.size": ["width": 3], "a": [1]], span: nil)

    #expect(
      try JSONAdapter<Unknown.Open>().data(from: open, formatting: .pretty).text == """
        {
          "id": 1,
          "image": {
            "url": "u",
            "size": {
              "width": 3
            }
          },
          "parts": [],
          "a": [
            1
          ]
        }
        """)
  }

  @Test func modelsThatStoreUnknownMembersHaveNoUnknownKeys() throws {
    let adapter = JSONAdapter<Unknown.OpenPart>(unknownKeyPolicy: .refuse)

    #expect(
      try adapter.model(from: Data(#"{"meta":{"title":"t"},"x":1}"#.utf8)).others == ["x": 1])
    #expect(
      messages { _ = try adapter.model(from: Data(#"{"x":1}"#.utf8)) }
        == ["missing value for `OpenPart.title` at /meta/title"])
  }

  @Test func theMembersAreOfOneType() throws {
    let adapter = JSONAdapter<Unknown.Box>()

    #expect(
      try adapter.model(from: Data(#"{"a":"x","id":1}"#.utf8)).labels.labels == ["a": "x"])
    #expect(
      lines { _ = try adapter.model(from: Data(#"{"a":"x","b":5,"c":null}"#.utf8)) } == [
        "invalid type: number 5, expected string - `Labels.labels` at /b, 1:14",
        "unexpected null: null, expected string - `Labels.labels` at /c, 1:20",
        "missing value for `Box.id` at /id, 1:1",
      ])
  }

  @Test func nullIsWrittenOfMembersWhateverThePolicy() throws {
    struct Counts: MappedModel, Equatable {
      var counts: [String: Int?]
      static let mapping = Mapping("Counts", Counts.init, .unknown("counts", \.counts))
    }
    let adapter = JSONAdapter<Counts>()

    #expect(
      try adapter.data(from: Counts(counts: ["a": nil, "b": 1])).text == #"{"a":null,"b":1}"#)
    #expect(try adapter.data(from: Counts(counts: [:])).text == "{}")
  }

  @Test func decimalsOfMembersAreExact() throws {
    struct Prices: MappedModel, Equatable {
      var id: Decimal
      var prices: [String: Decimal]
      static let mapping = Mapping(
        "Prices", Prices.init, .key("id", \.id, json: "p.id"), .unknown("prices", \.prices))
    }
    let json = #"{"p":{"id":0.1,"x":0.12345678901234567890},"y":12345678901234567.25}"#

    let prices = try JSONAdapter<Prices>().model(from: Data(json.utf8)).prices

    #expect(
      prices
        == [
          "p.x": Decimal(string: "0.12345678901234567890"),
          "y": Decimal(string: "12345678901234567.25"),
        ].compactMapValues { $0 })
  }

  @Test(
    arguments: [
      ("id", "id"), ("image", "image"), ("image.url", "image.url"), ("image.url.x", "image.url.x"),
      ("image[0]", "image[0]"), ("tags", "tags"), ("tags[1]", "tags[1]"), ("tags.x", "tags.x"),
      ("parts[0]", "parts[0]"), ("location", "location"), (#"i\d"#, "id"),
    ])
  func unknownMembersMustNotConflictWithKeys(name: String, path: String) throws {
    for span in [nil, Unknown.Span(location: 1, length: nil)] {
      var open = Unknown.Open(
        id: 1, image: nil, second: nil, parts: [], others: [:], span: span)
      open.others[name] = 1
      let pointer = FieldPath(stringLiteral: path).pointer
      let expected = [
        #"invalid value: member "\#(path)", expected member whose path no key or other member has"#
          + " - `Open.others` at \(pointer)"
      ]

      #expect(messages { _ = try JSONAdapter<Unknown.Open>().data(from: open) } == expected)
      #expect(messages { _ = try JSONEncoder().encode(open) } == expected)
    }
  }

  @Test func unknownMembersMustNotConflictWithEachOther() {
    for names in [["a", "a.b"], ["a.b", "a"], ["a", #"\a"#], ["a.b", "a[0]"]] {
      let others = JSONValue.object(names.map { JSONValue.Member($0, 1) })
      let open = Unknown.Open(
        id: 1, image: nil, second: nil, parts: [], others: others, span: nil)

      #expect(throws: MappingError.self) { try JSONAdapter<Unknown.Open>().data(from: open) }
      #expect(throws: MappingError.self) { try JSONEncoder().encode(open) }
    }
  }

  @Test(arguments: ["a[x]", "a[-1]", "a[0", "a[0]b"])
  func namesThatAreNotPathsAreErrors(name: String) {
    var open = Unknown.Open(id: 1, image: nil, second: nil, parts: [], others: [:], span: nil)
    open.others[name] = 1

    #expect(
      messages { _ = try JSONAdapter<Unknown.Open>().data(from: open) } == [
        #"invalid value: member "\#(name)", expected path of a member - `Open.others` at /"#
      ])
  }

  @Test func valuesThatAreNotObjectsAreErrors() {
    let open = Unknown.Open(id: 1, image: nil, second: nil, parts: [], others: [1], span: nil)

    #expect(
      messages { _ = try JSONAdapter<Unknown.Open>().data(from: open) }
        == ["invalid value: array, expected object - `Open.others` at /"])
  }

  @Test(
    arguments: [
      #"{"id":1,"":2}"#, #"{"id":1,"image":{"":2}}"#, #"{"id":1,"":{"":2},"x":{"y.z":[1]}}"#,
      "{\"id\":1,\"image\":{\"\u{301}x\":2},\"tags\":[\"y\",{\"\u{301}\":1}]}",
      #"{"id":1,"a[0]":2,"a\\b":3,"[":4,".":5}"#,
      "{\"id\":1,\"e\u{301}\":2,\"\u{E9}\":3}",
    ])
  func namesOfAnyCharactersRoundTrip(json: String) throws {
    let adapter = JSONAdapter<Unknown.Open>()

    let data = try adapter.data(from: adapter.model(from: Data(json.utf8)))

    let expected = json.replacing(/}$/, with: #","parts":[]}"#)
    #expect(
      try JSONDocument(parsing: data).value()?.sorted
        == JSONDocument(parsing: expected).value()?.sorted)
  }

  @Test func namesOfEqualCharactersAreNotLostInADictionary() {
    #expect(
      messages {
        _ = try JSONAdapter<Unknown.Labels>().model(
          from: Data("{\"e\u{301}\":\"1\",\"\u{E9}\":\"2\"}".utf8))
      }.count == 1)
  }

  @Test func variantsStoreUnknownMembers() throws {
    let adapter = JSONAdapter<Unknown.Figure>()
    let json = #"{"id":1,"kind":"circle","radius":2,"note":"n","side":3,"size":{"side":4}}"#

    let figure = try adapter.model(from: Data(json.utf8))

    #expect(
      figure.shape == .circle(Unknown.Circle(radius: 2, rest: ["side": 3, "size": ["side": 4]])))
    #expect(try adapter.data(from: figure).text == json)
    var other = figure
    other.shape = .circle(Unknown.Circle(radius: 2, rest: ["note": 1]))
    #expect(throws: MappingError.self) { try adapter.data(from: other) }
    other.shape = .circle(Unknown.Circle(radius: 2, rest: ["kind": 1]))
    #expect(throws: MappingError.self) { try adapter.data(from: other) }
  }

  @Test func unknownMembersDoNotCreateAnOptionalModel() throws {
    struct Preserved: MappedModel, Equatable {
      var id: Int
      var circle: Unknown.Circle?
      var labels: JSONValue?
      static let mapping = Mapping(
        "Preserved", Preserved.init, .key("id", \.id), .inlined("circle", \.circle),
        .key("labels", \.labels))
    }
    let json = Data(#"{"id":1,"x":2}"#.utf8)

    #expect(try JSONAdapter<Preserved>().model(from: json) == Preserved(id: 1))
    #expect(
      messages { _ = try JSONAdapter<Preserved>(unknownKeyPolicy: .refuse).model(from: json) }
        == ["unknown key: number 2 - `Preserved` at /x"])
    for nulls in [NullPolicy.omit, .null] {
      let adapter = JSONAdapter<Preserved>(nullPolicy: nulls)
      for kept in [
        Preserved(id: 1), Preserved(id: 1, circle: Unknown.Circle(radius: 1, rest: ["y": nil])),
      ] {
        #expect(try adapter.model(from: adapter.data(from: kept)) == kept)
      }
    }
  }

  @Test func otherCodersPreserveThem() throws {
    let open = try JSONAdapter<Unknown.Open>().model(from: Data(json.utf8))
    let figure = Unknown.Figure(
      id: 1, shape: .circle(Unknown.Circle(radius: 2, rest: ["a": [1], "b": nil])), note: nil)
    let box = Unknown.Box(labels: Unknown.Labels(labels: ["x": "y"]), id: 1)

    let coded = try JSONDecoder().decode(Unknown.Open.self, from: JSONEncoder().encode(open))
    #expect(coded.others.sorted == open.others.sorted)
    #expect(coded.parts == open.parts)
    #expect(
      try JSONDocument(parsing: JSONEncoder().encode(open)).value()?.sorted
        == JSONDocument(parsing: JSONAdapter<Unknown.Open>().data(from: open)).value()?.sorted)
    #expect(
      try JSONDecoder().decode(Unknown.Figure.self, from: JSONEncoder().encode(figure)) == figure)
    #expect(try JSONDecoder().decode(Unknown.Box.self, from: JSONEncoder().encode(box)) == box)
    let list = try PropertyListEncoder().encode(box)
    #expect(try PropertyListDecoder().decode(Unknown.Box.self, from: list) == box)
  }

  @Test func twoKeysOfOneObjectAreAnIssue() {
    struct Both: MappedModel {
      var box: Unknown.Box
      var rest: JSONValue
      static let mapping = Mapping(
        "Both", Both.init, .inlined("box", \.box), .unknown("rest", \.rest))
    }

    #expect(
      Both.mapping.issues.map(\.description)
        == ["`Labels.labels` and `rest` both receive the unknown members of the object"])
    #expect(throws: MappingError.self) {
      try JSONAdapter<Both>().model(from: Data("{}".utf8))
    }
  }

  @Test func theLawsHold() throws {
    #expect(Unknown.Open.mapping.keys.map(\.receivesUnknownMembers).firstIndex(of: true) == 4)
    #expect(
      MappingLaws.violations(
        of: Unknown.Open.self, samples: [try JSONAdapter().model(from: Data(json.utf8))]) == [])
    #expect(MappingLaws.violations(of: Unknown.OpenPart.self) == [])
    #expect(
      MappingLaws.violations(
        of: Unknown.Box.self,
        samples: [
          Unknown.Box(labels: Unknown.Labels(labels: ["x": "y"]), id: 1),
          Unknown.Box(labels: Unknown.Labels(labels: [:]), id: 2),
        ]) == [])
    #expect(
      MappingLaws.violations(
        of: Unknown.Shape.self,
        samples: [
          .circle(Unknown.Circle(radius: 1, rest: ["x": 1])),
          .circle(Unknown.Circle(radius: 1, rest: [:])), .other("x"),
        ]) == [])
  }

  @Test func unknownMembersAreSortedAmongTheKeys() throws {
    let titled = Titled(
      id: 7, title: "x", names: ["e\u{301}": 1, "z": 2], others: ["zone": [1], "mood": 1])

    let pretty = try JSONAdapter<Titled>().data(from: titled, formatting: [.pretty, .sorted])
    let compact = try JSONAdapter<Titled>().data(from: titled, formatting: .sorted)
    let nested = try JSONAdapter<Titled>(envelope: "item")
      .data(from: [titled], formatting: .sorted)

    #expect(
      String(decoding: pretty, as: UTF8.self) == """
        {
          "id": 7,
          "mood": 1,
          "names": {
            "e\u{301}": 1,
            "z": 2
          },
          "title": "x",
          "zone": [
            1
          ]
        }
        """)
    let text = #"{"id":7,"mood":1,"names":{"e\#u{301}":1,"z":2},"title":"x","zone":[1]}"#
    #expect(String(decoding: compact, as: UTF8.self) == text)
    #expect(String(decoding: nested, as: UTF8.self) == "[{\"item\":\(text)}]")
  }
}

private struct Titled: MappedModel {
  var id: Int
  var title: String
  var names: [String: Int]
  var others: JSONValue

  static let mapping = Mapping(
    "Titled", Titled.init, .key("id", \.id), .key("title", \.title), .key("names", \.names),
    .unknown("others", \.others))
}
