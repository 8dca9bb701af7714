import MohoMapping
import MohoRows
import PostgresTesting
import Testing

@testable import MohoPostgres

/// Tests that failed constraints are reported as errors of keys, regardless of
/// how the value was written.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct ConstraintErrorTests {
  private let store: ModelStore

  init() throws {
    let entities: [Entity] = [.list, .task, .tag, .shelf, .book]
    store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), Schema([], entities: entities))
    try execute(
      """
      INSERT INTO "List" (_moho_id, name) VALUES (1, 'a'), (2, 'b');
      INSERT INTO "Task" (_moho_id, text, list) VALUES (1, 't', 1), (2, 'u', 1);
      INSERT INTO "Tag" (_moho_id, name) VALUES (1, 'x');
      INSERT INTO "_moho_Task_tags" (source, target) VALUES (1, 1);
      INSERT INTO "Shelf" (_moho_id, label) VALUES (1, 's');
      INSERT INTO "Book" (_moho_id, title, shelf) VALUES (1, 'b', 1);
      """)
  }

  private func execute(_ sql: String) throws {
    try store.write { try $0.reader.postgres.connection.execute(sql) }
  }

  @Test(arguments: [
    (
      #"INSERT INTO "List" (_moho_id, name) VALUES (9, 'a')"#, StoreError.Code.notUnique, "List",
      ["name"]
    ),
    (#"INSERT INTO "List" (_moho_id, name) VALUES (1, 'z')"#, .notUnique, "List", ["_moho_id"]),
    (
      #"INSERT INTO "Task" (_moho_id, text, list) VALUES (9, 't', 1)"#, .notUnique, "Task",
      ["text", "list"]
    ),
    (
      #"INSERT INTO "_moho_Task_tags" (source, target) VALUES (1, 1)"#, .notUnique, "Task",
      ["tags"]
    ),
    (#"UPDATE "List" SET name = NULL"#, .missingValue, "List", ["name"]),
    (#"INSERT INTO "Task" (text) VALUES ('n')"#, .missingValue, "Task", ["list"]),
    (#"UPDATE "Task" SET priority = 6 WHERE text = 't'"#, .invalidValue, "Task", ["priority"]),
    (#"UPDATE "Task" SET text = ''"#, .invalidValue, "Task", ["text"]),
    (#"UPDATE "Task" SET list = 7"#, .danglingReference, "Task", ["list"]),
    (
      #"INSERT INTO "_moho_Task_tags" (source, target) VALUES (2, 7)"#, .danglingReference, "Task",
      ["tags"]
    ),
    (#"DELETE FROM "Shelf""#, .deniedDeletion, "Shelf", ["books"]),
    (
      #"UPDATE "Task" SET next = 2 WHERE _moho_id = 1; DELETE FROM "Task" WHERE _moho_id = 1"#,
      .deniedDeletion, "Task", ["next"]
    ),
  ])
  func `each constraint names its keys`(
    sql: String, code: StoreError.Code, entity: String, keys: [String]
  ) throws {
    let before = try contents()

    let error = #expect(throws: StoreError.self) { try execute(sql) }

    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.entity == entity)
    #expect(error?.keys == keys)
    #expect(try contents() == before)
  }

  private func contents() throws -> [String] {
    try store.read { reader in
      let connection = try reader.postgres.connection
      return try ["List", "Task", "Tag", "_moho_Task_tags", "Shelf", "Book"].flatMap { table in
        try connection.query("SELECT t::text FROM \(quotedName(table)) t ORDER BY 1").rows
          .map { $0.string(0) }
      }
    }
  }

  @Test func `a dangling reference names its key and where it leads`() throws {
    let error = #expect(throws: StoreError.self) {
      try execute(#"UPDATE "Task" SET list = 7 WHERE _moho_id = 2"#)
    }

    #expect(
      error?.description == """
        dangling reference: `Task.list` refers to `List` 7, which does not exist; \
        save the rows that are referred to in the same transaction; \
        to delete a `List`, declare its relation to `Task` with \
        `inverse: "list", onDelete: .cascade`, or delete those rows as well
        """)
  }

  @Test func `names with any characters are reported`() throws {
    for name in ["a.b", "a", "b, T.c", "x y", "\"", "k)=(1) already exists."] {
      let entity = Entity(
        name, attributes: [Attribute(name + ".k", .string), Attribute("k", .string)],
        unique: [[name + ".k"], ["k"]])
      let store = try ModelStore(
        postgres: PostgresServer.shared().emptySchema(), Schema([], entities: [entity]))
      let columns = [name + ".k", "k"].map(quotedName).joined(separator: ", ")
      func insert(_ first: String, _ second: String) throws {
        try store.write {
          try $0.reader.postgres.connection.execute(
            "INSERT INTO \(quotedName(name)) (\(columns)) VALUES (\(first), \(second))")
        }
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
  fileprivate static let list = Entity(
    "List", attributes: [Attribute("name", .string)],
    relationships: [.toMany("tasks", "Task", isOrdered: true, inverse: "list", onDelete: .cascade)],
    unique: [["name"]])

  fileprivate static let task = Entity(
    "Task",
    attributes: [
      Attribute("text", .string, constraints: [.length(1...200)]),
      Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5)),
    ],
    relationships: [
      .toOne("list", "List", isOptional: false, inverse: "tasks"),
      .toMany("tags", "Tag", inverse: "tasks"),
      .toOne("next", "Task", inverse: "previous", onDelete: .deny),
      .toOne("previous", "Task", inverse: "next"),
    ],
    unique: [["text", "list"]])

  fileprivate static let tag = Entity(
    "Tag", attributes: [Attribute("name", .string)],
    relationships: [.toMany("tasks", "Task", inverse: "tags")])

  fileprivate static let shelf = Entity(
    "Shelf", attributes: [Attribute("label", .string)],
    relationships: [.toMany("books", "Book", inverse: "shelf", onDelete: .deny)])

  fileprivate static let book = Entity(
    "Book", attributes: [Attribute("title", .string)],
    relationships: [.toOne("shelf", "Shelf", inverse: "books")])
}
