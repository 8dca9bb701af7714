import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct Team: MappedModel, Codable, Equatable {
  var names: [String]
  var nicknames: [String?]?
  var scores: [[Int]]
  var years: LossyArray<Int>
  var tags: Set<String>
  var days: [Date]
  var prices: [Decimal]

  init(
    names: [String] = [], nicknames: [String?]? = nil, scores: [[Int]] = [],
    years: LossyArray<Int> = LossyArray(), tags: Set<String> = [], days: [Date] = [],
    prices: [Decimal] = []
  ) {
    (self.names, self.nicknames, self.scores, self.years) = (names, nicknames, scores, years)
    (self.tags, self.days, self.prices) = (tags, days, prices)
  }

  static let mapping = Mapping(
    "Team", Team.init(names:nicknames:scores:years:tags:days:prices:),
    .key("names", \.names, json: "users[*].name"),
    .key("nicknames", \.nicknames, json: "meta.nick[*].names[1]"),
    .key("scores", \.scores, json: "games[*].rounds[*].score", default: [[Int]]()),
    .key("years", \.years, json: "meta.years[*].year", default: LossyArray<Int>()),
    .key("tags", \.tags, json: "tags[*].label", alternatives: ["tags"], default: Set<String>()),
    .key("days", \.days, json: "days[*]", Transform<Date>.iso8601.array, default: [Date]()),
    .key("prices", \.prices, json: "offers[*].price", default: [Decimal]()))
}

private let full = Team(
  names: ["a", "b"], nicknames: ["x", nil], scores: [[1, 2], [], [3]],
  years: LossyArray([1999]), tags: ["t"], days: [Date(timeIntervalSince1970: 0)],
  prices: [Decimal(sign: .plus, exponent: -1, significand: 1)])

private func read(_ text: String) throws -> Team {
  let data = Data(text.utf8)
  let team = try JSONAdapter<Team>().model(from: data)
  #expect(try JSONDecoder().decode(Team.self, from: data) == team)
  return team
}

@Suite struct CollectingTests {
  @Test(
    arguments: [
      (#"{"users":[]}"#, Team()),
      (#"{"users":[{"name":"a"},{"x":1,"name":"b"}]}"#, Team(names: ["a", "b"])),
      (#"{"users":[],"meta":{"nick":null}}"#, Team()),
      (#"{"users":[],"meta":{"nick":[]}}"#, Team(nicknames: [])),
      (
        #"{"users":[],"meta":{"nick":[{"names":[0,"x"]},null,{},{"names":[]},{"names":[0,null]}]}}"#,
        Team(nicknames: ["x", nil, nil, nil, nil])
      ),
      (
        #"{"users":[],"games":[{"rounds":[{"score":1},{"score":2}]},{"rounds":[]}]}"#,
        Team(scores: [[1, 2], []])
      ),
      (#"{"users":[],"tags":[{"label":"s"},{"label":"t"}]}"#, Team(tags: ["s", "t"])),
      (#"{"users":[],"tags":["s","t"]}"#, Team(tags: ["s", "t"])),
      (#"{"users":[],"days":["1970-01-01T00:00:00Z"]}"#, Team(days: full.days)),
    ])
  private func theRestOfThePathIsReadInEachElement(text: String, team: Team) throws {
    #expect(try read(text) == team)
  }

  @Test(
    arguments: [
      ("{}", ["missing value for `Team.names` at /users"]),
      (#"{"users":null}"#, ["unexpected null: null, expected array - `Team.names` at /users"]),
      (
        #"{"users":{"name":"a"}}"#,
        ["invalid type: object, expected array - `Team.names` at /users"]
      ),
      (
        #"{"users":[{"name":"a"},{},{"name":"c"},{"name":4},5,null]}"#,
        [
          "missing value for `Team.names` at /users/1/name",
          "invalid type: number 4, expected string - `Team.names` at /users/3/name",
          "invalid type: number 5, expected object - `Team.names` at /users/4",
          "unexpected null: null, expected string - `Team.names` at /users/5/name",
        ]
      ),
      (
        #"{"users":[],"meta":{"nick":[{"names":{}},{"names":[0,1]}]}}"#,
        [
          "invalid type: object, expected array - `Team.nicknames` at /meta/nick/0/names",
          "invalid type: number 1, expected string - `Team.nicknames` at /meta/nick/1/names/1",
        ]
      ),
      (
        #"{"users":[],"games":[{},{"rounds":5},{"rounds":[{"score":1},{"score":"x"}]}]}"#,
        [
          "missing value for `Team.scores` at /games/0/rounds",
          "invalid type: number 5, expected array - `Team.scores` at /games/1/rounds",
          #"invalid type: string "x", expected integer - `Team.scores` at /games/2/rounds/1/score"#,
        ]
      ),
      (
        #"{"users":[],"tags":["s",{"label":"t"}]}"#,
        [#"invalid type: string "s", expected object - `Team.tags` at /tags/0"#]
      ),
      (
        #"{"users":[],"days":[1]}"#,
        ["invalid type: number 1, expected ISO 8601 date and time - `Team.days` at /days/0"]
      ),
    ])
  func errorsNameTheElement(text: String, expected: [String]) {
    let data = Data(text.utf8)

    #expect(messages { _ = try JSONAdapter<Team>().model(from: data) } == expected)
    #expect(messages { _ = try JSONDecoder().decode(Team.self, from: data) } == expected)
  }

  @Test func errorsHaveThePathsOfTheElements() {
    let text = "{\"users\":[\n {\"name\":\"a\"},\n {\"Name\":\"b\"}],\n \"games\":[{\"rounds\":7}]}"

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Team>().model(from: Data(text.utf8))
    }

    #expect(
      error?.description == """
        missing value for `Team.names` at /users/1/name, 3:2; did you mean `Name`?
        invalid type: number 7, expected array - `Team.scores` at /games/0/rounds, 4:21
        """)
  }

  @Test func lossyArraysDropElementsAndReportThem() throws {
    let team = try read(
      #"{"users":[],"meta":{"years":[{"year":1},{"year":"x"},{},null,7,{"year":2}]}}"#)

    #expect(team.years.elements == [1, 2])
    #expect(
      team.years.dropped.map { $0.path?.pointer } == [
        "/meta/years/1/year", "/meta/years/2/year", "/meta/years/3/year", "/meta/years/4",
      ])
  }

  @Test func decimalsAreExactInElements() throws {
    let text =
      #"{"users":[],"offers":[{"price":1},{"x":[2.5],"price":0.12345678901234567890123},{"price":7.5}]}"#

    let team = try JSONAdapter<Team>().model(from: Data(text.utf8))

    #expect(
      team.prices == ["1", "0.12345678901234567890123", "7.5"].compactMap { Decimal(string: $0) })
  }

  @Test func eachElementIsWrittenInItsOwnObject() throws {
    let text = try JSONAdapter<Team>().data(from: full).text

    #expect(
      text == """
        {"users":[{"name":"a"},{"name":"b"}],\
        "meta":{"nick":[{"names":[null,"x"]},{"names":[null,null]}],"years":[{"year":1999}]},\
        "games":[{"rounds":[{"score":1},{"score":2}]},{"rounds":[]},{"rounds":[{"score":3}]}],\
        "tags":[{"label":"t"}],"days":["1970-01-01T00:00:00Z"],"offers":[{"price":0.1}]}
        """)
    let coded = try JSONDocument(parsing: JSONEncoder().encode(full)).value()
    let adapted = try JSONDocument(parsing: text).value()
    #expect(coded.map(sorted) == adapted.map(sorted))
  }

  @Test func linesAreIndented() throws {
    let team = Team(names: ["a", "b"], nicknames: ["x"], scores: [[1], []])

    #expect(
      try JSONAdapter<Team>(envelope: "team").data(from: [team], formatting: [.pretty, .sorted])
        .text == """
          [
            {
              "team": {
                "days": [],
                "games": [
                  {
                    "rounds": [
                      {
                        "score": 1
                      }
                    ]
                  },
                  {
                    "rounds": []
                  }
                ],
                "meta": {
                  "nick": [
                    {
                      "names": [
                        null,
                        "x"
                      ]
                    }
                  ],
                  "years": []
                },
                "offers": [],
                "tags": [],
                "users": [
                  {
                    "name": "a"
                  },
                  {
                    "name": "b"
                  }
                ]
              }
            }
          ]
          """)
  }

  @Test func nilIsWrittenByThePolicyAtTheArray() throws {
    let team = Team()

    #expect(
      try JSONAdapter<Team>().data(from: team).text
        == #"{"users":[],"meta":{"years":[]},"games":[],"tags":[],"days":[],"offers":[]}"#)
    #expect(
      try JSONAdapter<Team>(nullPolicy: .null).data(from: team).text == """
        {"users":[],"meta":{"nick":null,"years":[]},"games":[],"tags":[],"days":[],"offers":[]}
        """)
  }

  @Test(arguments: [JSONFormatting.compact, .pretty, .sorted, [.pretty, .sorted]])
  func encodedModelsDecodeToEqualModels(formatting: JSONFormatting) throws {
    let teams = [full, Team(), Team(names: ["", "é"], nicknames: [nil], scores: [[]]), full]
    for adapter in [JSONAdapter<Team>(), JSONAdapter<Team>(envelope: "a[1].b", nullPolicy: .null)] {
      let data = try adapter.data(from: teams, formatting: formatting)
      #expect(try adapter.models(from: data) == teams)
      #expect(
        try JSONDocument(parsing: data).value()?
          .data(formatting: formatting.subtracting(.sorted)).text
          == data.text)
    }
  }

  @Test func valuesThatJSONCannotRepresentAreErrorsWithTheirPaths() throws {
    struct Track: MappedModel {
      var points: [[Double]]
      static let mapping = Mapping(
        "Track", Track.init, .key("points", \.points, json: "a.b[*].c.d[*][1]"))
    }

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Track>(envelope: "track").data(from: [Track(points: [[1], [2, .nan]])])
    }

    #expect(error?.path?.pointer == "/0/track/a/b/1/c/d/1/1")
  }

  @Test func modelsCanBeCollected() throws {
    struct Feed: MappedModel, Codable, Equatable {
      var teams: [Team]
      var grid: [[Int]]
      static let mapping = Mapping(
        "Feed", Feed.init, .key("teams", \.teams, json: "groups[*].team"),
        .key("grid", \.grid, json: "rows[*][*].cell"))
    }
    let feed = Feed(teams: [full, Team(), full], grid: [[1, 2], [], [3]])

    let data = try JSONAdapter<Feed>().data(from: feed, formatting: .pretty)

    #expect(try JSONAdapter<Feed>().model(from: data) == feed)
    #expect(try JSONDecoder().decode(Feed.self, from: data) == feed)
    #expect(try JSONDecoder().decode(Feed.self, from: JSONEncoder().encode(feed)) == feed)
    #expect(
      try JSONDocument(parsing: data).value(at: "rows")?.data().text
        == #"[[{"cell":1},{"cell":2}],[],[{"cell":3}]]"#)
  }

  @Test func inlinedModelsCollect() throws {
    struct Names: MappedModel, Equatable {
      var first: [String]
      var last: [String]?
      static let mapping = Mapping(
        "Names", Names.init, .key("first", \.first, json: "a.first[*].name"),
        .key("last", \.last, json: "last[*].name", alternatives: ["b[*].name"]))
    }
    struct Page: MappedModel, Codable, Equatable {
      var id: Int
      var names: Names?
      static let mapping = Mapping(
        "Page", Page.init, .key("id", \.id, json: "a.id"), .inlined("names", \.names))
    }
    let pages = [Page(id: 1, names: Names(first: ["a"], last: ["b", "c"])), Page(id: 2)]

    let adapter = JSONAdapter<Page>(nullPolicy: .null)
    let data = try adapter.data(from: pages, formatting: .pretty)

    #expect(try adapter.models(from: data) == pages)
    #expect(try JSONDecoder().decode([Page].self, from: data) == pages)
    #expect(
      try JSONAdapter<Page>().data(from: pages).text == """
        [{"a":{"id":1,"first":[{"name":"a"}]},"last":[{"name":"b"},{"name":"c"}]},\
        {"a":{"id":2}}]
        """)
    #expect(try JSONDocument(parsing: data).value()?.data(formatting: .pretty) == data)
    #expect(
      try adapter.model(from: Data(#"{"a":{"id":1,"first":[]},"b":[{"name":"x"}]}"#.utf8))
        == Page(id: 1, names: Names(first: [], last: ["x"])))
  }

  @Test func patchesReplaceTheArray() throws {
    let adapter = JSONAdapter<Team>()
    var new = full
    (new.names, new.nicknames) = (["z"], nil)

    let patch = try adapter.mergePatch(from: full, to: new)

    #expect(patch.text == #"{"users":[{"name":"z"}],"meta":{"nick":null}}"#)
    #expect(try adapter.partial(from: patch).applied(to: full) == new)
    #expect(
      try adapter.partial(from: Data(#"{"meta":{"years":[]}}"#.utf8)).keys.map(\.name) == ["years"])
  }

  @Test(arguments: ["a[*]", "a[*].b"] as [FieldPath])
  func pathsOfModelsLeadToOneValue(path: FieldPath) throws {
    let expected =
      "invalid mapping: `Team` - the path `\(path)` has a `[*]`, and must lead to one value:"
      + " only keys collect"
    let data = Data(#"{"a":[{"b":[]}]}"#.utf8)
    let enveloped = JSONAdapter<Team>(envelope: path)

    #expect(messages { _ = try enveloped.model(from: data) } == [expected])
    #expect(messages { _ = try enveloped.data(from: full) } == [expected])
    #expect(messages { _ = try JSONAdapter<Team>().models(from: data, at: path) } == [expected])
    #expect(try JSONDocument(parsing: data).value(at: path) == nil)
    #expect(try JSONDocument(parsing: data).kind(at: path) == nil)
  }

  @Test func streamsHaveOneArray() async {
    await #expect(throws: MappingError.self) {
      for try await _ in JSONAdapter<Team>().elements(
        from: ByteSequence(Array("{}".utf8)), as: .array(at: "a[*].b"))
      {}
    }
  }

  @Test func aCodableArrayIsNotCollected() throws {
    struct Odd: MappedModel, Codable {
      var values: [Int]
      static let mapping = Mapping(
        "Odd", Odd.init,
        .key(
          "values", \.values, json: "a[*].b",
          Transform(.array) {
            try $0.codable([Int].self, at: $1)
          } write: {
            try $1.encode(codable: $0, at: $2)
          }))
    }
    let data = Data(#"{"a":[1]}"#.utf8)
    let expected = ["unsupported value: `Codable` value, expected array - `Odd.values` at /a"]

    #expect(messages { _ = try JSONAdapter<Odd>().model(from: data) } == expected)
    #expect(messages { _ = try JSONAdapter<Odd>().data(from: Odd(values: [])) } == expected)
    #expect(messages { _ = try JSONDecoder().decode(Odd.self, from: data) } == expected)
    #expect(messages { _ = try JSONEncoder().encode(Odd(values: [])) } == expected)
  }

  @Test func anEmptyArrayIsReadInsteadOfAnAlternative() throws {
    struct Crew: MappedModel, Codable {
      var names: [String]
      static let mapping = Mapping(
        "Crew", Crew.init, .key("names", \.names, json: "people[*].name", alternatives: ["names"]))
    }
    let data = Data(#"{"people":[],"names":["a"]}"#.utf8)

    for adapter in [JSONAdapter<Crew>(), JSONAdapter<Crew>().withoutFastPath] {
      #expect(try adapter.model(from: data).names == [])
    }
    #expect(try JSONDecoder().decode(Crew.self, from: data).names == [])
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Team.self, samples: [full, Team()]) == [])
  }
}

private func sorted(_ value: JSONValue) -> JSONValue {
  switch value {
  case .array(let elements): .array(elements.map(sorted))
  case .object(let members):
    .object(
      members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, sorted($0.value)) })
  default: value
  }
}
