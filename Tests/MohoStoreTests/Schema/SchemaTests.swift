import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct SchemaTests {
  @Test func everyEntityIsMadeWithItsConstraints() throws {
    let schema = try Schema([.list, .task, .tag])
    let queue = try DatabaseQueue()

    let statements = try queue.write { database in
      for statement in schema.statements { try database.execute(sql: statement) }
      return try String.fetchAll(
        database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    }

    #expect(statements == schema.statements)
    #expect(
      statements == [
        #"CREATE TABLE "List" ("_moho_id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE) STRICT"#,
        #"CREATE TABLE "Task" ("_moho_id" INTEGER PRIMARY KEY,"#
          + #" "text" TEXT NOT NULL CONSTRAINT "text" CHECK (length("text") BETWEEN 1 AND 200),"#
          + #" "priority" INTEGER NOT NULL DEFAULT 3 CONSTRAINT "priority""#
          + #" CHECK ("priority" BETWEEN -32768 AND 32767 AND "priority" >= 1 AND "priority" <= 5),"#
          + #" "isCompleted" INTEGER NOT NULL DEFAULT 0"#
          + #" CONSTRAINT "isCompleted" CHECK ("isCompleted" IN (0, 1)),"#
          + #" "list" INTEGER NOT NULL REFERENCES "List" ON DELETE CASCADE"#
          + #" ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED, "_moho_position_list" INTEGER,"#
          + #" "next" INTEGER UNIQUE REFERENCES "Task" ON DELETE SET NULL"#
          + #" ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,"#
          + #" UNIQUE ("text", "list")) STRICT"#,
        #"CREATE TABLE "Tag" ("_moho_id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT"#,
        #"CREATE TABLE "_moho_Task_tags" (source INTEGER NOT NULL REFERENCES "Task""#
          + #" ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,"#
          + #" target INTEGER NOT NULL REFERENCES "Tag""#
          + #" ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED,"#
          + #" source_position INTEGER, UNIQUE (source, target)) STRICT"#,
        #"CREATE INDEX "_moho_Task_tags(target,source)""#
          + #" ON "_moho_Task_tags" ("target", "source")"#,
        #"CREATE INDEX "Task(isCompleted,priority)" ON "Task" ("isCompleted", "priority")"#,
        #"CREATE INDEX "Task(list,_moho_position_list)" ON "Task" ("list", "_moho_position_list")"#,
        #"CREATE TRIGGER "_moho_Task.next" BEFORE DELETE ON "Task" BEGIN"#
          + #" SELECT RAISE(ABORT, 'moho deny: Task.next')"#
          + #" WHERE EXISTS (SELECT "_moho_id" FROM "Task" WHERE "_moho_id" = OLD."next"); END"#,
        #"CREATE TRIGGER "_moho_Tag.tasks" BEFORE DELETE ON "Tag" BEGIN"#
          + #" DELETE FROM "Task" WHERE "_moho_id" IN"#
          + #" (SELECT source FROM "_moho_Task_tags" WHERE target = OLD."_moho_id"); END"#,
      ])
  }

  @Test func aCountOfRelatedRowsIsNotNegative() {
    let error = #expect(throws: StoreError.self) {
      try Schema([
        Entity("List", attributes: [], relationships: [.toMany("parts", "List", count: -1...3)])
      ])
    }

    #expect(error?.code == .invalidSchema)
    #expect(error?.reason == "`List.parts` has the invalid count -1...3")
  }

  private static let module = String(reflecting: SchemaTests.self)

  @Test func modelsWithOneNameAreNamedByTheirTypes() throws {
    let error = #expect(throws: StoreError.self) { try Schema([Draft.Note.self, Sent.Note.self]) }

    #expect(error?.code == .invalidSchema)
    #expect(
      error?.reason
        == "the mappings of `\(Self.module).Draft.Note` and `\(Self.module).Sent.Note` have the same"
        + " name `Note`")
    // Also a model that only another model relates to, and a name in other letters.
    let related = #expect(throws: StoreError.self) { try Schema([Sent.Note.self, Folder.self]) }
    #expect(
      related?.reason
        == "the mappings of `\(Self.module).Sent.Note` and `\(Self.module).Draft.Note` have the same"
        + " name `Note`")
    let folded = #expect(throws: StoreError.self) { try Schema([Draft.Note.self, Old.Note.self]) }
    #expect(
      folded?.reason
        == "the mappings of `\(Self.module).Draft.Note` and `\(Self.module).Old.Note` have the same"
        + " name `NOTE`")
  }

  enum Draft {
    struct Note: MappedModel {
      var id: Int
      static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
    }
  }

  enum Sent {
    struct Note: MappedModel {
      var id: Int
      static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
    }
  }

  enum Old {
    struct Note: MappedModel {
      var id: Int
      static let mapping = Mapping("NOTE", Note.init, .key("id", \.id, .unique))
    }
  }

  struct Folder: MappedModel {
    var id: Int
    var note: Draft.Note?
    static let mapping = Mapping(
      "Folder", Folder.init, .key("id", \.id, .unique), .toOne("note", \.note))
  }
}
