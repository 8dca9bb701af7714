import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

private struct User: MappedModel, Equatable {
  var name: String?
  var groups: [Group]

  static let mapping = Mapping(
    "User", User.init,
    .key("name", \.name), .key("groups", \.groups, default: [Group]()))
}

private struct Group: MappedModel, Equatable {
  var owner: User?
  var users: [User]

  static let mapping = Mapping(
    "Group", Group.init, .key("owner", \.owner, json: "meta.owner"), .key("users", \.users))
}

private struct Library: MappedModel, Equatable {
  var tags: [String]
  var ratings: [Int?]
  var grid: [[Int]]
  var titles: [String: String]
  var shelves: [String: [User]]

  static let mapping = Mapping(
    "Library", Library.init,
    .key("tags", \.tags), .key("ratings", \.ratings), .key("grid", \.grid),
    .key("titles", \.titles), .key("shelves", \.shelves))
}

@Suite struct NestingTests {
  private let group = Group(
    owner: User(name: "Cameron", groups: []),
    users: [
      User(name: "Dimitri", groups: [Group(owner: nil, users: [User(name: nil, groups: [])])]),
      User(name: "John", groups: []),
    ])
  private let library = Library(
    tags: ["a", "b"], ratings: [1, nil], grid: [[1, 2], [], [3]],
    titles: ["x": "y", "é\n": ""],
    shelves: ["s": [User(name: "Ada", groups: [])], "t": []])

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  @Test func mutuallyRecursiveModelsAreDecoded() throws {
    let json =
      #"{"meta":{"owner":{"name":"Cameron"}},"users":[{"name":"Dimitri"},{"name":"John"}]}"#

    let group = try JSONAdapter<Group>().model(from: Data(json.utf8))

    #expect(group.owner?.name == "Cameron")
    #expect(group.users.map(\.name) == ["Dimitri", "John"])
  }

  @Test func nestedValuesAreWritten() throws {
    #expect(
      try text(JSONAdapter<Group>().data(from: group)) == """
        {"meta":{"owner":{"name":"Cameron","groups":[]}},"users":[{"name":"Dimitri",\
        "groups":[{"users":[{"groups":[]}]}]},{"name":"John","groups":[]}]}
        """)
    #expect(
      try text(JSONAdapter<Library>().data(from: library)) == """
        {"tags":["a","b"],"ratings":[1,null],"grid":[[1,2],[],[3]],\
        "titles":{"x":"y","é\\n":""},"shelves":{"s":[{"name":"Ada","groups":[]}],"t":[]}}
        """)
  }

  @Test func nestedValuesAreIndented() throws {
    #expect(
      try text(JSONAdapter<Library>().data(from: library, formatting: .pretty)) == #"""
        {
          "tags": [
            "a",
            "b"
          ],
          "ratings": [
            1,
            null
          ],
          "grid": [
            [
              1,
              2
            ],
            [],
            [
              3
            ]
          ],
          "titles": {
            "x": "y",
            "é\n": ""
          },
          "shelves": {
            "s": [
              {
                "name": "Ada",
                "groups": []
              }
            ],
            "t": []
          }
        }
        """#)
  }

  @Test(arguments: [JSONFormatting.compact, .pretty, .sorted, [.pretty, .sorted]])
  func encodedModelsDecodeToEqualModels(formatting: JSONFormatting) throws {
    let groups = JSONAdapter<Group>()
    let libraries = JSONAdapter<Library>(nullPolicy: .null)

    #expect(try groups.model(from: groups.data(from: group, formatting: formatting)) == group)
    let data = try libraries.data(from: [library, library], formatting: formatting)
    #expect(try libraries.models(from: data) == [library, library])
    #expect(try JSONSerialization.jsonObject(with: data) is [Any])
  }

  @Test func keysInsideThatShareAnObjectAreWrittenTogether() throws {
    struct Page: MappedModel, Equatable {
      var title: String
      var id: Int
      var author: String?
      static let mapping = Mapping(
        "Page", Page.init, .key("title", \.title, json: "meta.title"), .key("id", \.id),
        .key("author", \.author, json: "meta.author"))
    }
    struct Book: MappedModel, Equatable {
      var pages: [Page]
      static let mapping = Mapping("Book", Book.init, .key("pages", \.pages))
    }
    let book = Book(pages: [
      Page(title: "a", id: 1, author: "b"), Page(title: "c", id: 2), Page(title: "d", id: 3),
    ])
    let adapter = JSONAdapter<Book>()

    #expect(
      try text(adapter.data(from: book)) == """
        {"pages":[{"meta":{"title":"a","author":"b"},"id":1},{"meta":{"title":"c"},"id":2},\
        {"meta":{"title":"d"},"id":3}]}
        """)
    #expect(
      try text(adapter.data(from: book, formatting: .sorted)) == """
        {"pages":[{"id":1,"meta":{"author":"b","title":"a"}},{"id":2,"meta":{"title":"c"}},\
        {"id":3,"meta":{"title":"d"}}]}
        """)
    let pretty = try adapter.data(from: book, formatting: .pretty)
    #expect(try JSONDocument(parsing: pretty).value()?.data(formatting: .pretty) == pretty)
    #expect(try adapter.model(from: pretty) == book)
  }

  @Test func nilInsideIsWrittenByTheSamePolicy() throws {
    let user = User(name: nil, groups: [Group(owner: nil, users: [])])

    #expect(
      try text(JSONAdapter<User>(nullPolicy: .null).data(from: user))
        == #"{"name":null,"groups":[{"meta":{"owner":null},"users":[]}]}"#)
  }

  @Test func everyNestedErrorHasItsPath() throws {
    let json = #"""
      {"tags": ["a", 1, null], "ratings": [1, "x"], "grid": [[1], 2],
       "titles": {"x": "y", "z": 3},
       "shelves": {"s": [{"name": 4, "groups": [{"users": 5}]}, 6]}}
      """#

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Library>().model(from: Data(json.utf8))
    }

    #expect(
      error?.description == """
        invalid type: number 1, expected string - `Library.tags` at /tags/1, 1:16
        unexpected null: null, expected string - `Library.tags` at /tags/2, 1:19
        invalid type: string "x", expected integer - `Library.ratings` at /ratings/1, 1:41
        invalid type: number 2, expected array - `Library.grid` at /grid/1, 1:61
        invalid type: number 3, expected string - `Library.titles` at /titles/z, 2:28
        invalid type: number 4, expected string - `User.name` at /shelves/s/0/name, 3:29
        invalid type: number 5, expected array - `Group.users` at /shelves/s/0/groups/0/users, 3:53
        invalid type: number 6, expected object - `Library.shelves` at /shelves/s/1, 3:59
        """)
  }

  @Test func valuesThatJSONCannotRepresentAreErrorsWithTheirPaths() throws {
    struct Track: MappedModel {
      var points: [String: [Double]]
      static let mapping = Mapping("Track", Track.init, .key("points", \.points, json: "a.b"))
    }
    let tracks = [Track(points: [:]), Track(points: ["x": [1, .nan]])]

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Track>(envelope: "track").data(from: tracks)
    }

    #expect(error?.path?.pointer == "/1/track/a/b/x/1")
    #expect(error?.key == "points")
  }

  @Test func manyElementsShareTheirDecoders() throws {
    let groups = (0..<200).map { number in
      Group(
        owner: number % 3 == 0 ? nil : User(name: "\(number)", groups: []),
        users: (0..<number % 5).map { User(name: "\($0)", groups: []) })
    }
    let adapter = JSONAdapter<Group>()

    #expect(try adapter.models(from: adapter.data(from: groups)) == groups)
  }

  @Test func theLawsHold() {
    #expect(MappingLaws.violations(of: Library.self, samples: [library]) == [])
    #expect(MappingLaws.violations(of: Group.self, samples: [group]) == [])
  }

  // Were the key that failed read again, each level would double the time.
  @Test func anErrorDeepInsideIsFoundOnce() throws {
    let depth = 60
    let json =
      String(repeating: #"{"groups":[{"users":["#, count: depth) + "5"
      + String(repeating: "]}]}", count: depth)

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<User>().model(from: Data(json.utf8))
    }

    #expect(error?.errors.count == 1)
    #expect(error?.found == "number 5")
  }
}
