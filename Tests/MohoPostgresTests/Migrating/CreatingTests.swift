import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

@Suite(.requiresPostgres)
struct CreatingTests {
  private let connection: PostgresConnection

  init() throws {
    connection = try PostgresConnection(PostgresServer.shared().emptySchema())
  }

  private func prepare(_ entities: [Entity]) throws {
    try PostgresMigrator(try Schema(entities), PostgresConfiguration()).prepare(connection)
  }

  private func plan(_ entities: [Entity]) throws -> SchemaComparison {
    let migrator = PostgresMigrator(try Schema(entities), PostgresConfiguration())
    return migrator.comparison(try migrator.storedTables(connection))
  }

  static let everything: [Entity] = [
    Entity(
      "List", attributes: [Attribute("title", .string)],
      relationships: [
        .toMany("tasks", "Task", isOrdered: true, inverse: "list", onDelete: .cascade),
        .toMany("tags", "Tag", isOrdered: true, onDelete: .cascade),
      ]),
    Entity(
      "Task",
      attributes: [
        Attribute(
          "text", .string, default: .string("it's \\ new"), constraints: [.length(1...200)]),
        Attribute("priority", .int16, default: .int64(-3), constraints: .range(-5...5)),
        Attribute("due", .date, isOptional: true, constraints: [.minimum(.date(.distantPast))]),
        Attribute(
          "start", .date, default: .date(Date(timeIntervalSinceReferenceDate: 0.25))),
        Attribute(
          "cost", .decimal, default: .decimal(Decimal(string: "1.50") ?? 0),
          constraints: [.maximum(.decimal(100))]),
        Attribute(
          "share", .double, default: .double(0.5), constraints: [.maximum(.double(.infinity))]),
        Attribute(
          "done", .boolean, default: .bool(false),
          constraints: [.oneOf([.bool(true), .bool(false)])]),
        Attribute(
          "note", .data, default: .data(Data([0, 92, 39])), constraints: [.length(0...10)]),
        Attribute(
          "link", .url, isOptional: true, constraints: [.oneOf([.string("a"), .string("b'")])]),
        Attribute("code", .uuid, default: .string("6BA7B810-9DAD-11D1-80B4-00C04FD430C8")),
        Attribute("extra", .structured, default: .string(#"{"a":[1,"x"]}"#)),
        Attribute("count", .int64, default: .int64(.min)),
      ],
      relationships: [
        .toOne("list", "List", inverse: "tasks"),
        .toMany("notes", "Note", inverse: "task", onDelete: .deny),
        .toMany("before", "Task", isOrdered: true, inverse: "after"),
        .toMany("after", "Task", isOrdered: true, inverse: "before"),
      ], unique: [["text", "list"], ["code"]], indexes: [["priority", "due"]]),
    Entity(
      "Note", attributes: [Attribute("id", .int32), Attribute("text", .string)],
      relationships: [.toOne("task", "Task", isOptional: false, inverse: "notes")],
      identifiedBy: ["id"]),
    Entity("Tag", attributes: [Attribute("name", .string)], unique: [["name"]]),
  ]

  @Test func `the created tables match their declarations`() throws {
    try prepare(Self.everything)

    let comparison = try plan(Self.everything)
    #expect(comparison.steps.map(\.summary) == [])
    #expect(comparison.differences == [])
    #expect(comparison.refusals.map(\.difference) == [])
  }

  @Test func `preparing again executes no statement`() throws {
    try prepare(Self.everything)
    func state() throws -> [String] {
      try connection.query(
        """
        SELECT xmin::text || oid::text FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace ORDER BY oid
        """
      ).rows.map { $0.string(0) }
    }
    let before = try state()

    try prepare(Self.everything)

    #expect(try state() == before)
  }

  @Test func `a table is created with its links to earlier tables`() throws {
    let comparison = try plan([
      Entity("List", attributes: [Attribute("title", .string)]),
      Entity(
        "Task", attributes: [Attribute("text", .string)], relationships: [.toOne("list", "List")]),
    ])

    let creations = comparison.steps.filter { $0.summary.hasPrefix("create the entity") }
    #expect(
      creations.map(\.summary) == ["create the entity `List`", "create the entity `Task`"])
    #expect(creations.map { $0.sql.joined().contains("FOREIGN KEY") } == [false, true])
  }

  @Test func `default values are those of the declaration`() throws {
    try prepare(Self.everything)

    try connection.execute(#"INSERT INTO "Task" DEFAULT VALUES"#)

    let task = try #require(Schema(Self.everything).entity("Task"))
    for attribute in task.attributes {
      let result = try connection.query("SELECT \"\(attribute.name)\" FROM \"Task\"")
      let value = try result[0].content(0, as: PostgresType(attribute.type))
      #expect(value == attribute.defaultValue ?? .null, "\(attribute.name)")
    }
  }

  @Test func `a delete rule denies a deletion`() throws {
    try prepare(Self.everything)
    try connection.execute(
      #"INSERT INTO "Task" DEFAULT VALUES; INSERT INTO "Note" VALUES (1, '', 1)"#)

    let error = #expect(throws: StoreError.self) {
      try connection.execute(#"DELETE FROM "Task""#)
    }

    #expect(error?.code == .deniedDeletion)
    #expect(error?.reason.contains("Task.notes") == true)
  }

  @Test func `a delete rule deletes the rows of links`() throws {
    try prepare(Self.everything)
    try connection.execute(
      """
      INSERT INTO "List" (title) VALUES ('a'), ('b');
      INSERT INTO "Tag" (name) VALUES ('x'), ('y'), ('z');
      INSERT INTO "_moho_List_tags" (source, target) VALUES (1, 1), (1, 2), (2, 2), (2, 3);
      INSERT INTO "Task" (list, code) VALUES (1, gen_random_uuid()), (2, gen_random_uuid());
      DELETE FROM "List" WHERE title = 'a'
      """)

    func texts(_ sql: String) throws -> [String] {
      try connection.query(sql).rows.map { $0.string(0) }
    }
    #expect(try texts(#"SELECT name FROM "Tag""#) == ["z"])
    #expect(try texts(#"SELECT target::text FROM "_moho_List_tags""#) == ["3"])
    #expect(try texts(#"SELECT list::text FROM "Task""#) == ["2"])
  }

  @Test func `names that PostgreSQL would truncate are refused`() {
    let name = String(repeating: "é", count: 32)
    let entity = Entity(name, attributes: [Attribute(name, .string), Attribute("xmin", .int64)])

    let error = #expect(throws: StoreError.self) { try prepare([entity]) }

    #expect(error?.code == .invalidSchema)
    #expect(error?.reason.contains("64 bytes") == true)
    #expect(error?.reason.contains("system column") == true)
  }

  @Test func `two stores that open at once create the tables once`() async throws {
    let url = try PostgresServer.shared().emptySchema()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask {
          let connection = try PostgresConnection(url)
          try PostgresMigrator(try Schema(Self.everything), PostgresConfiguration())
            .prepare(connection)
        }
      }
      try await group.waitForAll()
    }
  }
}
