import MohoMapping
import MohoTesting
import Testing

private struct User: MappedModel, Hashable {
  var name: String?
  var groups: [Group]

  static let mapping = Mapping(
    "User", User.init, .key("name", \.name), .key("groups", \.groups, default: [Group]()))
}

private struct Group: MappedModel, Hashable {
  var owner: User?
  var users: [User]

  static let mapping = Mapping(
    "Group", Group.init, .key("owner", \.owner), .key("users", \.users))
}

private struct Library: MappedModel, Equatable {
  var tags: [String]
  var ratings: [Int?]
  var numbers: Set<Int>
  var titles: [String: String]
  var shelves: [String: [Int]]
  var kept: LossyArray<Int>

  static let mapping = Mapping(
    "Library", Library.init,
    .key("tags", \.tags), .key("ratings", \.ratings), .key("numbers", \.numbers),
    .key("titles", \.titles), .key("shelves", \.shelves), .key("kept", \.kept))
}

@Suite struct NestingTests {
  private let library = Library(
    tags: ["a", "b"], ratings: [1, nil], numbers: [7], titles: ["x": "y", "a": "b"],
    shelves: ["s": [1, 2], "t": []], kept: LossyArray([3]))

  private func contents<Model: MappedModel>(of model: Model) throws -> [FieldContent] {
    let recorder = FieldRecorder()
    try Model.mapping.encode(model, to: recorder)
    return recorder.contents
  }

  @Test func collectionsRoundTrip() throws {
    let contents = try contents(of: library)

    #expect(try Library.mapping.model(from: ContentDecoder(contents)) == library)
    #expect(
      Library.mapping.keys.map(\.type) == [
        .array, .array, .array, .dictionary, .dictionary, .array,
      ])
  }

  @Test func modelsThatContainEachOtherRoundTrip() throws {
    let group = Group(
      owner: User(name: "Ada", groups: []),
      users: [
        User(name: "Ben", groups: [Group(owner: nil, users: [])]), User(name: nil, groups: []),
      ])

    let contents = try contents(of: group)

    #expect(try Group.mapping.model(from: ContentDecoder(contents)) == group)
    #expect(Group.mapping.issues == [])
  }

  @Test func everyFailedElementIsAnErrorWithItsPath() throws {
    var contents: [FieldContent?] = try contents(of: library)
    contents[0] = .array([.string("a"), .null, .int64(1)])
    contents[4] = .dictionary(["s": .array([.int64(1), .string("x")]), "t": .int64(2)])

    let error = #expect(throws: MappingError.self) {
      try Library.mapping.model(from: ContentDecoder(contents))
    }

    #expect(
      error?.description == """
        unexpected null: null, expected string - `Library.tags` at /0/1
        invalid type: number 1, expected string - `Library.tags` at /0/2
        invalid type: string "x", expected integer - `Library.shelves` at /4/s/1
        invalid type: number 2, expected array - `Library.shelves` at /4/t
        """)
  }

  @Test func errorsOfNestedModelsNameTheirOwnKeys() throws {
    let user = FieldContent.object([.int64(1), .array([.object([.null, .int64(2)])])])

    let error = #expect(throws: MappingError.self) {
      try Group.mapping.model(from: ContentDecoder([.null, .array([user])]))
    }

    #expect(
      error?.description == """
        invalid type: number 1, expected string - `User.name` at /1/0/name
        invalid type: number 2, expected array - `Group.users` at /1/0/groups/0/users
        """)
  }

  @Test func aLossyArrayReportsElementsThatCannotBeRead() throws {
    var contents: [FieldContent?] = try contents(of: library)
    contents[5] = .array([.int64(1), .string("x"), .int64(3), .null])

    let kept = try Library.mapping.model(from: ContentDecoder(contents)).kept

    #expect(kept.elements == [1, 3])
    #expect(
      kept.dropped.map(\.description) == [
        "invalid type: string \"x\", expected integer - value at /5/1",
        "unexpected null: null, expected integer - value at /5/3",
      ])
  }

  @Test func aLossyArrayRequiresAnArray() throws {
    var contents: [FieldContent?] = try contents(of: library)
    contents[5] = .int64(1)

    #expect(throws: MappingError.self) {
      try Library.mapping.model(from: ContentDecoder(contents))
    }
  }
}
