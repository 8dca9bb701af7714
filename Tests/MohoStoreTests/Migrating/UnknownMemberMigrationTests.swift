import Foundation
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

private struct Span: MappedModel, Equatable {
  var start: Int
  var end: Int?
  static let mapping = Mapping("Span", Span.init, .key("start", \.start), .key("end", \.end))
}

/// The second version: knows more keys, at paths of all kinds.
private struct Note2: MappedModel, Equatable {
  var id: Int
  var title: String?
  var count: Int?
  var author: String?
  var created: Date?
  var second: Int?
  var span: Span?
  var inlined: Span?
  var mood: String?
  var others: JSONValue
  static let mapping = Mapping<Note2>(
    "Note", Note2.init, .key("id", \.id, .unique), .key("title", \.title), .key("count", \.count),
    .key("author", \.author, json: "meta.author"),
    .key("created", \.created, json: "created_at", .epochSeconds),
    .key("second", \.second, json: "tags[1]"), .key("span", \.span), .inlined("inlined", \.inlined),
    .key("mood", \.mood, json: "mood", alternatives: ["feeling"]), .unknown("others", \.others))
}

/// The third version: no longer knows some keys.
private struct Note3: MappedModel, Equatable {
  var id: Int
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Note3.init, .key("id", \.id, .unique), .unknown("others", \.others))
}

/// The second version with another path of a key.
private struct MovedNote: MappedModel, Equatable {
  var id: Int
  var title: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", MovedNote.init, .key("id", \.id, .unique), .key("title", \.title, json: "name"),
    .unknown("others", \.others))
}

/// A key with two paths, before and after another key is declared.
private struct Moody1: MappedModel, Equatable {
  var id: Int
  var mood: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Moody1.init, .key("id", \.id, .unique),
    .key("mood", \.mood, alternatives: ["feeling"]), .unknown("others", \.others))
}

private struct Moody2: MappedModel, Equatable {
  var id: Int
  var mood: String?
  var count: Int?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Moody2.init, .key("id", \.id, .unique),
    .key("mood", \.mood, alternatives: ["feeling"]), .key("count", \.count),
    .unknown("others", \.others))
}

/// A key whose path another key reads later.
private struct Titled1: MappedModel, Equatable {
  var id: Int
  var title: String?
  var name: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Titled1.init, .key("id", \.id, .unique), .key("title", \.title),
    .key("name", \.name), .unknown("others", \.others))
}

private struct Titled2: MappedModel, Equatable {
  var id: Int
  var name: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", Titled2.init, .key("id", \.id, .unique),
    .key("name", \.name, alternatives: ["title"]), .unknown("others", \.others))
}

/// Keys that take unknown members, and keys that become unknown.
@Suite(.allEngines) struct UnknownMemberMigrationTests {
  private func save(_ documents: String..., to database: MigratedStore) throws {
    let adapter = JSONAdapter<Note1>()
    try database.open(Note1.self).write {
      _ = try $0.save(documents.map { try adapter.model(from: $0) })
    }
  }

  private func documents<Model: MappedModel>(
    _ model: Model.Type, in store: ModelStore
  ) throws -> [JSONValue] {
    try store.fetch(ModelRequest<Model>()).map { try JSONAdapter<Model>().value(from: $0) }
      .map(\.withSortedMembers).sorted { "\($0)" < "\($1)" }
  }

  private func json(_ texts: String...) throws -> [JSONValue] {
    try texts.map { try JSONDocument(parsing: $0).value() ?? .null }.map(\.withSortedMembers)
  }

  @Test func newKeysTakeTheirValues() throws {
    let database = try MigratedStore()
    let first = #"""
      {"id":1,"title":"a","count":3,"meta":{"author":"b","x":1},"created_at":86400,
       "tags":[4,5,6],"span":{"start":1,"end":2},"start":7,"end":8,"feeling":"calm","y":[null,1]}
      """#
    try save(first, #"{"id":2,"z":{"a":1}}"#, to: database)

    let plan = try database.plan(Note2.self)
    let store = try database.open(Note2.self)

    #expect(plan.losses == [])
    #expect(
      plan.steps.last?.summary
        == "move unknown members of `Note` to `count`, `author`, `created`, `second`, `span`,"
        + " `inlined`, `mood`")
    let notes = try store.fetch(ModelRequest<Note2>().order(by: \.id))
    #expect(notes.first?.count == 3 && notes.first?.author == "b" && notes.first?.mood == "calm")
    #expect(notes.first?.created == Date(timeIntervalSince1970: 86_400))
    #expect(notes.first?.second == 5 && notes.first?.inlined == Span(start: 7, end: 8))
    #expect(
      try documents(Note2.self, in: store)
        == json(
          first.replacing("feeling", with: "mood").replacing("86400", with: "86400.0"),
          #"{"id":2,"z":{"a":1}}"#))
    try database.expectAsDeclared(Note2.self)
    #expect(try database.plan(Note2.self).isEmpty)
  }

  @Test func membersThatAKeyCannotTakeAreLosses() throws {
    let database = try MigratedStore()
    try save(
      #"{"id":1,"count":"x","meta":5,"y":1}"#, #"{"id":2,"count":1.5,"span":{"start":1,"z":2}}"#,
      #"{"id":3,"mood":"a","feeling":"b","count":null}"#, to: database)
    let before = try database.contents()

    let plan = try database.plan(Note2.self)
    let error = #expect(throws: StoreError.self) { try database.open(Note2.self) }

    #expect(
      plan.losses.map { "\($0.part) \($0.count)" }
        == ["`Note.count` 2", "`Note.author` 1", "`Note.span` 1"])
    #expect(
      plan.losses.first?.description
        == "`Note.count` has 2 values that cannot be moved: invalid type: string \"x\","
        + " expected integer - `Note.count` at /count")
    #expect(error?.code == .wouldLoseData)
    #expect(error?.keys == ["count", "author", "span"])
    #expect(try database.contents() == before)

    let parts = plan.losses.map(\.part)
    let store = try database.open(
      Note2.self, with: MigrationOptions(policy: .inferred(discarding: parts)))
    let remaining = try documents(Note2.self, in: store)
    #expect(
      try remaining
        == json(
          #"{"feeling":"b","id":3,"mood":"a"}"#, #"{"id":1,"y":1}"#,
          #"{"id":2,"span":{"start":1}}"#))
  }

  @Test func membersAtOtherPathsOfAKeyRemainUnknown() throws {
    let database = try MigratedStore()
    let texts = [
      #"{"id":1,"mood":"a","feeling":"b","count":3}"#,
      #"{"id":2,"mood":null,"feeling":"c","count":4}"#, #"{"id":3,"feeling":"d","x":5}"#,
    ]
    let adapter = JSONAdapter<Moody1>()
    try database.open(Moody1.self).write {
      _ = try $0.save(texts.map { try adapter.model(from: $0) })
    }

    let plan = try database.plan(Moody2.self)
    let store = try database.open(Moody2.self)

    #expect(plan.losses == [])
    #expect(plan.steps.last?.summary == "move unknown members of `Note` to `count`")
    #expect(
      try documents(Moody2.self, in: store)
        == json(texts[0], texts[1], #"{"id":3,"mood":"d","x":5}"#))
    #expect(try database.plan(Moody2.self).isEmpty)
  }

  @Test func aKeyThatBecomesUnknownAtAnotherPathIsNotLost() throws {
    let database = try MigratedStore()
    let adapter = JSONAdapter<Titled1>()
    try database.open(Titled1.self).write {
      _ = try $0.save(
        [#"{"id":1,"title":"a","name":"b"}"#, #"{"id":2,"title":"c"}"#, #"{"id":3,"name":"d"}"#]
          .map { try adapter.model(from: $0) })
    }
    let policy = MigrationPolicy.inferred(retainingAsUnknown: [.key("title", of: "Note")])

    let plan = try database.plan(Titled2.self, with: MigrationOptions(policy: policy))
    let store = try database.open(Titled2.self, with: MigrationOptions(policy: policy))

    #expect(plan.losses == [])
    #expect(
      try documents(Titled2.self, in: store)
        == json(
          #"{"id":1,"name":"b","title":"a"}"#, #"{"id":2,"name":"c"}"#, #"{"id":3,"name":"d"}"#))
  }

  @Test func keysThatAreNoLongerDeclaredBecomeUnknown() throws {
    let database = try MigratedStore()
    let document = #"""
      {"id":1,"title":"a","count":3,"meta":{"author":"b","x":1},"created_at":86400,
       "tags":[4,5,6],"span":{"start":1,"end":2},"start":7,"end":8,"mood":"calm"}
      """#
    try database.open(Note2.self).write {
      _ = try $0.save(JSONAdapter<Note2>().model(from: document))
    }
    let keys = ["title", "count", "author", "created", "second", "span", "inlined", "mood"]
    let error = #expect(throws: StoreError.self) { try database.open(Note3.self) }
    #expect(error?.code == .wouldLoseData)

    let policy = MigrationPolicy.inferred(
      retainingAsUnknown: keys.map { .key($0, of: "Note") })
    let plan = try database.plan(Note3.self, with: MigrationOptions(policy: policy))
    let store = try database.open(Note3.self, with: MigrationOptions(policy: policy))

    #expect(plan.losses == [])
    #expect(plan.steps.last?.summary.contains("as unknown members") == true)
    #expect(
      try documents(Note3.self, in: store)
        == json(document.replacing("86400", with: "86400.0")))
    try database.expectAsDeclared(Note3.self)
    let again = try database.open(Note2.self)
    #expect(
      try documents(Note2.self, in: again) == json(document.replacing("86400", with: "86400.0")))
  }

  @Test func aDeclaredMigrationKeepsAKeyAsUnknown() throws {
    let database = try MigratedStore()
    try save(#"{"id":1,"title":"a","x":1}"#, to: database)
    let options = MigrationOptions.migrating(
      Migration("keep titles") { $0.retainAsUnknown("title", of: "Note") })

    let plan = try database.plan(Note3.self, with: options)
    let store = try database.open(Note3.self, with: options)

    #expect(plan.losses == [])
    #expect(plan.steps.map(\.summary).contains { $0.hasPrefix("keep titles: keep the values") })
    #expect(try documents(Note3.self, in: store) == json(#"{"id":1,"title":"a","x":1}"#))
  }

  @Test func aKeyWithAnotherPathTakesOnlyFreeValues() throws {
    let database = try MigratedStore()
    try save(#"{"id":1,"name":"b"}"#, #"{"id":2,"title":"a","name":"c"}"#, to: database)

    let plan = try database.plan(MovedNote.self)
    #expect(plan.losses.map { "\($0.part) \($0.count)" } == ["`Note.title` 1"])
    let store = try database.open(
      MovedNote.self, with: .discarding(.key("title", of: "Note")))

    #expect(
      try documents(MovedNote.self, in: store)
        == json(#"{"id":1,"name":"b"}"#, #"{"id":2,"name":"a"}"#))
  }

  @Test func storesWithoutARecordAreRead() throws {
    let database = try MigratedStore()
    try save(#"{"id":1,"count":3}"#, to: database)
    try database.forgetForms()

    let store = try database.open(Note2.self)

    #expect(try store.fetch(ModelRequest<Note2>()).map(\.count) == [3])
  }
}

extension JSONValue {
  /// The value with the members of all objects sorted by name.
  var withSortedMembers: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.map { JSONValue.Member($0.key, $0.value.withSortedMembers) }
          .sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map(\.withSortedMembers))
    default: self
    }
  }
}
