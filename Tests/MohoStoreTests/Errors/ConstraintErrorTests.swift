import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that failed constraints are reported as errors of keys, regardless of
/// how the value was written.
@Suite(.allEngines) struct ConstraintErrorTests {
  let store: ModelStore

  init() throws {
    store = try emptyStore(entities: [.list, .task, .tag, .shelf, .book])
    try execute(
      """
      INSERT INTO "List" VALUES (1, 'a'), (2, 'b');
      INSERT INTO "Task" (_moho_id, text, list) VALUES (11, 't', 1), (12, 'u', 1);
      INSERT INTO "Tag" VALUES (1, 'x');
      INSERT INTO "_moho_Task_tags" (source, target) VALUES (11, 1);
      INSERT INTO "Shelf" VALUES (1, 's');
      INSERT INTO "Book" (_moho_id, title, shelf) VALUES (1, 'b', 1);
      """)
  }

  func execute(_ sql: String) throws { try store.execute(sql) }

  @Test(arguments: [
    ("INSERT INTO \"List\" VALUES (9, 'a')", StoreError.Code.notUnique, "List", ["name"]),
    ("INSERT INTO \"List\" VALUES (1, 'z')", .notUnique, "List", ["_moho_id"]),
    ("INSERT INTO \"Task\" (text, list) VALUES ('t', 1)", .notUnique, "Task", ["text", "list"]),
    (
      "INSERT INTO \"_moho_Task_tags\" (source, target) VALUES (11, 1)", .notUnique, "Task",
      ["tags"]
    ),
    ("UPDATE \"List\" SET name = NULL", .missingValue, "List", ["name"]),
    ("INSERT INTO \"Task\" (text) VALUES ('n')", .missingValue, "Task", ["list"]),
    ("UPDATE \"Task\" SET priority = 6 WHERE text = 't'", .invalidValue, "Task", ["priority"]),
    ("UPDATE \"Task\" SET text = ''", .invalidValue, "Task", ["text"]),
    ("UPDATE \"Task\" SET list = 7", .danglingReference, "Task", ["list"]),
    (
      "INSERT INTO \"_moho_Task_tags\" (source, target) VALUES (12, 7)", .danglingReference, "Task",
      ["tags"]
    ),
    ("DELETE FROM \"Shelf\"", .deniedDeletion, "Shelf", ["books"]),
    (
      "UPDATE \"Task\" SET next = 12 WHERE _moho_id = 11; DELETE FROM \"Task\" WHERE _moho_id = 11",
      .deniedDeletion, "Task", ["next"]
    ),
  ])
  func eachConstraintNamesItsKeys(
    sql: String, code: StoreError.Code, entity: String, keys: [String]
  ) throws {
    let before = try contents()

    let error = #expect(throws: StoreError.self) { try execute(sql) }

    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.entity == entity)
    #expect(error?.keys == keys)
    #expect(try contents() == before)
  }

  private func contents() throws -> [String] { try store.dump() }

  @Test func deletingARequiredTargetNamesTheKeyAndADeleteRule() throws {
    struct Milestone: MappedModel {
      var id: Int
      static let mapping = Mapping("Milestone", Milestone.init, .key("id", \.id, .unique))
    }
    struct Issue: MappedModel {
      var id: Int
      var milestone: ModelReference<Milestone>
      static let mapping = Mapping(
        "Issue", Issue.init, .key("id", \.id, .unique), .toOne("milestone", \.milestone))
    }
    let store = try emptyStore(Milestone.self, Issue.self)
    try store.write { writer in
      try writer.save(Milestone(id: 50))
      try writer.save((100..<195).map { try Issue(id: $0, milestone: ModelReference(key: 50)) })
    }

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.delete(ModelRequest<Milestone>()) }
    }

    #expect(error?.code == .danglingReference)
    #expect(error?.entity == "Issue")
    #expect(error?.suggestion?.contains("`whenTargetIsDeleted: .cascade`") == true)
    #expect(error?.keys == ["milestone"])
    #expect(
      error?.reason
        == "`Issue.milestone` of 95 rows, such as 100, 101, 102, 103, 104, refers to rows that do"
        + " not exist, such as `Milestone` 50")
    let reasons = error?.errors.compactMap { ($0 as? StoreError)?.reason }
    #expect(
      reasons
        == (100..<195).map {
          "`Issue.milestone` of row \($0) refers to `Milestone` 50, which does not exist"
        })
    #expect(try store.fetchCount(ModelRequest<Milestone>()) == 1)
  }

  @Test func aDanglingReferenceNamesBothRows() throws {
    let task = #expect(throws: StoreError.self) {
      try execute("UPDATE \"Task\" SET list = 7 WHERE _moho_id = 11")
    }
    let tag = #expect(throws: StoreError.self) {
      try execute(
        "INSERT INTO \"_moho_Task_tags\" (source, target) VALUES (12, 7);"
          + " UPDATE \"Task\" SET list = 8 WHERE _moho_id = 12")
    }

    #expect(task?.reason == "`Task.list` of row 11 refers to `List` 7, which does not exist")
    #expect(
      tag?.reason == "`Task.list` of row 12 refers to `List` 8, which does not exist;"
        + " `Task.tags` refers to `Tag` 7, which does not exist")
  }

  @Test func rowsMayBeWrittenBeforeThoseThatTheyLeadTo() throws {
    try execute(
      "INSERT INTO \"Task\" (text, list) VALUES ('n', 9); INSERT INTO \"List\" VALUES (9, 'n')")
  }

  @Test func aBulkSaveNamesTheModelAndTheKey() throws {
    struct User: MappedModel {
      var id: Int
      var email: String
      static let mapping = Mapping(
        "User", User.init, .key("id", \.id, .unique), .key("email", \.email, .unique))
    }
    let store = try emptyStore(User.self)
    try store.write { try $0.save(User(id: 1, email: "a")) }

    let caught = try store.write { writer in
      #expect(throws: StoreError.self) { try writer.save(User(id: 2, email: "a")) }
    }

    #expect(caught?.code == .notUnique)
    #expect(caught?.keys == ["email"])
    #expect(caught?.description == "not unique: `User.email` already exists - `User` 2")
  }

  /// These names contain parts of SQLite's messages.
  @Test func namesWithAnyCharactersAreReported() throws {
    let names = ["a.b", "a", "b, T.c", "x y", "\"", "CHECK constraint failed: "]
    for name in names {
      let entity = Entity(
        name, attributes: [Attribute(name + ".k", .string), Attribute("k", .string)],
        unique: [[name + ".k"], ["k"]])
      let store = try emptyStore(entities: [entity])
      func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
      }
      let table = quoted(name)

      let columns = quoted(name + ".k") + ", k"
      func insert(_ first: String, _ second: String) throws {
        try store.execute("INSERT INTO \(table) (\(columns)) VALUES (\(first), \(second))")
      }
      try insert("'1'", "'1'")

      let first = #expect(throws: StoreError.self) { try insert("'1'", "'2'") }
      let second = #expect(throws: StoreError.self) { try insert("'2'", "'1'") }
      let third = #expect(throws: StoreError.self) { try insert("NULL", "'3'") }

      #expect(first?.keys == [name + ".k"])
      #expect(second?.keys == ["k"])
      #expect(third?.keys == [name + ".k"])
      #expect([first, second, third].allSatisfy { $0?.entity == name })
    }
  }
}

extension Entity {
  fileprivate static let shelf = Entity(
    "Shelf", attributes: [Attribute("label", .string)],
    relationships: [.toMany("books", "Book", inverse: "shelf", onDelete: .deny)])

  fileprivate static let book = Entity(
    "Book", attributes: [Attribute("title", .string)],
    relationships: [.toOne("shelf", "Shelf", inverse: "books")])
}
