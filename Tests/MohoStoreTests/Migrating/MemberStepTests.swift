import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// The first version: knows two keys.
private struct Note1: MappedModel, Equatable {
  var id: Int
  var title: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Note1.init, .key("id", \.id, .unique), .key("title", \.title),
    .unknown("others", \.others))
}

/// A version with another name of a key, and with a new key.
private struct RenamedNote: MappedModel {
  var id: Int
  var name: String?
  var count: Int?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", RenamedNote.init, .key("id", \.id, .unique), .key("name", \.name, json: "title"),
    .key("count", \.count), .unknown("others", \.others))
}

/// A version with another path of a key.
private struct MovedNote: MappedModel {
  var id: Int
  var title: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", MovedNote.init, .key("id", \.id, .unique), .key("title", \.title, json: "name"),
    .unknown("others", \.others))
}

/// A version with a key for transformed titles.
private struct SluggedNote: MappedModel {
  var id: Int
  var title: String?
  var slug: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", SluggedNote.init, .key("id", \.id, .unique), .key("title", \.title),
    .key("slug", \.slug), .unknown("others", \.others))
}

/// A version with a unique key.
private struct CodedNote: MappedModel {
  var id: Int
  var title: String?
  var code: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", CodedNote.init, .key("id", \.id, .unique), .key("title", \.title),
    .key("code", \.code, .unique), .unknown("others", \.others))
}

/// A version with another path of the unique key.
private struct RecodedNote: MappedModel {
  var id: Int
  var title: String?
  var code: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", RecodedNote.init, .key("id", \.id, .unique), .key("title", \.title),
    .key("code", \.code, json: "key", .unique), .unknown("others", \.others))
}

/// A version that knows no other key.
private struct BareNote: MappedModel {
  var id: Int
  var others: JSONValue
  static let mapping = Mapping(
    "Note", BareNote.init, .key("id", \.id, .unique), .unknown("others", \.others))
}

/// Unknown members that move in the same migration in which keys are renamed, transformed or
/// become unique.
@Suite(.allEngines) struct MemberStepTests {
  private let database: MigratedStore

  init() throws { database = try MigratedStore() }

  private func save<Model: MappedModel>(_ model: Model.Type, _ documents: String...) throws {
    let models = try documents.map { try JSONAdapter<Model>().model(from: $0) }
    try database.open(model).write { _ = try $0.save(models) }
  }

  private func expect<Model: MappedModel>(
    _ documents: String..., of model: Model.Type, in store: ModelStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let stored = try store.fetch(ModelRequest<Model>()).map {
      try JSONAdapter<Model>().value(from: $0).withSortedMembers
    }
    let expected = try documents.map {
      try (JSONDocument(parsing: $0).value() ?? .null).withSortedMembers
    }
    #expect(Set(stored) == Set(expected), sourceLocation: sourceLocation)
    #expect(stored.count == expected.count, sourceLocation: sourceLocation)
  }

  private func losses(_ plan: MigrationPlan) -> [String] {
    plan.losses.map { "\($0.part) \($0.count)" }
  }

  /// The options that rename `title`.
  static let renamings = [
    MigrationOptions(renamings: [Renaming(key: "name", of: "Note", from: "title")]),
    .migrating(Migration("rename") { $0.rename("title", of: "Note", to: "name") }),
    .migrating(
      Migration("rename and transform") { steps in
        steps.transform("title", of: "Note") { $0 }
        steps.rename("title", of: "Note", to: "name")
      }),
  ]

  @Test(arguments: renamings.indices)
  func aPlanOfARenamedKeyHasTheMovesAndLosses(index: Int) throws {
    let options = Self.renamings[index]
    try save(Note1.self, #"{"id":1,"title":"a","count":"x"}"#, #"{"id":2,"title":"b","count":3}"#)

    let plan = try database.plan(RenamedNote.self, with: options)
    let error = #expect(throws: StoreError.self) {
      try database.open(RenamedNote.self, with: options)
    }

    #expect(losses(plan) == ["`Note.count` 1"])
    #expect(plan.steps.last?.summary == "move unknown members of `Note` to `count`")
    #expect(error?.code == .wouldLoseData)
    #expect(error?.keys == ["count"])
    var permitting = options
    permitting.policy = .inferred(discarding: plan.losses.map(\.part))
    let store = try database.open(RenamedNote.self, with: permitting)
    try expect(
      #"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b","count":3}"#, of: RenamedNote.self, in: store)
  }

  private let slugs = Migration("slugs") { steps in
    steps.transform("title", of: "Note", into: "slug") { title in
      guard case .string(let text) = title else { return .null }
      return .string(text.lowercased())
    }
  }

  @Test func aNewKeyTakesTransformedValuesAndUnknownMembers() throws {
    try save(
      Note1.self, #"{"id":1,"title":"A","x":1}"#, #"{"id":2,"slug":"own"}"#, #"{"id":3,"y":{}}"#)

    let plan = try database.plan(SluggedNote.self, with: .migrating(slugs))
    let store = try database.open(SluggedNote.self, with: .migrating(slugs))

    #expect(losses(plan) == [])
    #expect(plan.steps.last?.summary == "move unknown members of `Note` to `slug`")
    try expect(
      #"{"id":1,"title":"A","slug":"a","x":1}"#, #"{"id":2,"slug":"own"}"#, #"{"id":3,"y":{}}"#,
      of: SluggedNote.self, in: store)
    try database.expectAsDeclared(SluggedNote.self)
  }

  @Test func aMemberOfAKeyWithATransformedValueIsALoss() throws {
    try save(Note1.self, #"{"id":1,"title":"A","slug":"own"}"#)

    let plan = try database.plan(SluggedNote.self, with: .migrating(slugs))
    let error = #expect(throws: StoreError.self) {
      try database.open(SluggedNote.self, with: .migrating(slugs))
    }

    #expect(losses(plan) == ["`Note.slug` 1"])
    #expect(error?.code == .wouldLoseData)
    let store = try database.open(
      SluggedNote.self,
      with: MigrationOptions(
        policy: .inferred(discarding: [.key("slug", of: "Note")]), migrations: [slugs]))
    try expect(#"{"id":1,"title":"A","slug":"a"}"#, of: SluggedNote.self, in: store)
  }

  @Test func aKeyThatATransformHasClearedTakesAMember() throws {
    try save(Note1.self, #"{"id":1,"title":"a","name":"c"}"#, #"{"id":2,"title":"b"}"#)

    let store = try database.open(
      MovedNote.self,
      with: .migrating(Migration("clear") { $0.transform("title", of: "Note") { _ in .null } }))

    try expect(#"{"id":1,"name":"c"}"#, #"{"id":2}"#, of: MovedNote.self, in: store)
  }

  @Test func repeatedMembersOfAUniqueKeyAreLosses() throws {
    try save(
      Note1.self, #"{"id":1,"code":"x"}"#, #"{"id":2,"code":"x","y":1}"#, #"{"id":3,"code":"z"}"#)
    let before = try database.contents()

    let plan = try database.plan(CodedNote.self)
    let error = #expect(throws: StoreError.self) { try database.open(CodedNote.self) }

    #expect(
      plan.losses.map(\.description)
        == ["`Note.code` has 1 value that cannot be moved: another row has the same value"])
    #expect(error?.code == .wouldLoseData)
    #expect(try database.contents() == before)
    let store = try database.open(
      CodedNote.self, with: .discarding(.key("code", of: "Note")))
    try expect(
      #"{"id":1,"code":"x"}"#, #"{"id":2,"y":1}"#, #"{"id":3,"code":"z"}"#, of: CodedNote.self,
      in: store)
    try database.expectAsDeclared(CodedNote.self)
  }

  @Test func aMemberWithTheUniqueValueOfAnotherRowIsALoss() throws {
    try save(
      CodedNote.self, #"{"id":1,"key":"x"}"#, #"{"id":2,"code":"x"}"#, #"{"id":3,"key":"z"}"#)

    let plan = try database.plan(RecodedNote.self)
    #expect(losses(plan) == ["`Note.code` 1"])
    let store = try database.open(
      RecodedNote.self, with: .discarding(.key("code", of: "Note")))

    try expect(
      #"{"id":1}"#, #"{"id":2,"key":"x"}"#, #"{"id":3,"key":"z"}"#, of: RecodedNote.self, in: store)
  }

  @Test func valuesOfManyRowsBecomeUnknown() throws {
    let notes = (1...1_100).map { Note1(id: $0, title: "t\($0)", others: ["x": .integer(1)]) }
    try database.open(Note1.self).write { _ = try $0.save(notes) }
    let policy = MigrationPolicy.inferred(retainingAsUnknown: [.key("title", of: "Note")])

    let store = try database.open(BareNote.self, with: MigrationOptions(policy: policy))
    #expect(try store.fetchCount(ModelRequest<BareNote>()) == 1_100)

    let again = try database.open(Note1.self)
    #expect(try again.fetch(ModelRequest<Note1>().order(by: \.id)) == notes)
  }

  @Test func aTransformMakesValuesUnique() throws {
    func entity(unique: [[String]] = []) -> Entity {
      Entity(
        "E", attributes: [Attribute("number", .int64), Attribute("code", .string)], unique: unique)
    }
    try database.open(entity())
    try database.execute(#"INSERT INTO "E" (number, code) VALUES (1, 'x'), (2, 'xx'), (3, 'x')"#)
    let unique = entity(unique: [["code"]])
    let equal = Migration("equal") { $0.transform("code", of: "E") { _ in .string("y") } }
    let different = Migration("different") { steps in
      steps.transform("number", of: "E", into: "code") { .string("\($0)") }
    }

    let error = #expect(throws: StoreError.self) {
      try database.open(unique, with: .migrating(equal))
    }
    try database.open(unique, with: .migrating(different))

    #expect(error?.code == .notUnique)
    #expect(error?.reason.contains(#"such as "y" in 3 rows"#) == true)
    #expect(try database.values(#"SELECT count(DISTINCT code) FROM "E""#) == ["3"])
    try database.expectAsDeclared(unique)
  }
}
