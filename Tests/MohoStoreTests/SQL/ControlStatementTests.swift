import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Tests SQL of SQLite that would control transactions, connections or files.
@Suite struct ControlStatementTests {
  /// Statements with their names in errors.
  static let statements: [(sql: String, name: String)] = [
    ("COMMIT", "COMMIT"), ("END", "COMMIT"), ("end transaction", "COMMIT"),
    ("/* SELECT */ COMMIT", "COMMIT"), ("-- x\n;; COMMIT;", "COMMIT"), ("ROLLBACK", "ROLLBACK"),
    ("ROLLBACK TO a", "ROLLBACK"), ("BEGIN", "BEGIN"), ("BEGIN IMMEDIATE", "BEGIN"),
    ("SAVEPOINT a", "SAVEPOINT"), ("RELEASE a", "RELEASE"), ("EXPLAIN COMMIT", "COMMIT"),
    ("EXPLAIN QUERY PLAN ROLLBACK", "ROLLBACK"), ("ATTACH ':memory:' AS other", "ATTACH"),
    ("ATTACH ? AS other", "ATTACH"), ("DETACH other", "DETACH"),
    ("PRAGMA query_only = 1", "PRAGMA query_only"), ("PRAGMA query_only(1)", "PRAGMA query_only"),
    ("EXPLAIN PRAGMA query_only = 1", "PRAGMA query_only"),
    ("PRAGMA main.foreign_keys = OFF", "PRAGMA foreign_keys"),
    ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode"),
    ("PRAGMA writable_schema = 1", "PRAGMA writable_schema"),
    ("PRAGMA application_id = 9", "PRAGMA application_id"),
    ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"), ("PRAGMA optimize", "PRAGMA optimize"),
    ("SELECT 1; COMMIT", "COMMIT"),
    ("SELECT ';' AS \";\"; PRAGMA query_only = 1;", "PRAGMA query_only"),
  ]

  private func withStore(_ body: (ModelStore) throws -> Void) throws {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      try store.write { try $0.save(Episode.number(1)) }
      try body(store)
      // The connections have their settings.
      try store.write { try $0.save(Episode.number(2)) }
      let sql = "PRAGMA foreign_keys"
      #expect(try store.writer.read { try Bool.fetchOne($0, sql: sql) } == true)
    }
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save(Episode.number(1)) }
    try body(store)
    try store.write { try $0.save(Episode.number(2)) }
  }

  private func check(_ error: StoreError?, _ name: String) {
    #expect(error?.code == .invalidRequest)
    #expect(error?.subject == "`\(name)`")
    #expect(
      error?.reason == "SQL of the app must not control transactions, connections or files")
  }

  @Test(arguments: statements) func aWriteRefusesIt(sql: String, name: String) throws {
    try withStore { store in
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.execute(sql: "DELETE FROM Episode")
          try writer.execute(sql: sql)
        }
      }

      check(error, name)
      let stored = try store.fetch(ModelRequest<Episode>())
      #expect(stored == [.number(1)])
    }
  }

  @Test(arguments: statements) func aQueryRefusesIt(sql: String, name: String) throws {
    try withStore { store in
      check(#expect(throws: StoreError.self) { try store.fetch(Episode.self, sql: sql) }, name)
      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.delete(ModelRequest<Episode>())
          _ = try writer.reader.fetchPartials(Episode.self, sql: sql)
        }
      }
      check(error, name)
      let stored = try store.fetch(ModelRequest<Episode>())
      #expect(stored == [.number(1)])
    }
  }

  @Test func aWriteThatCatchesTheErrorIsWhole() throws {
    try withStore { store in
      try store.write { writer in
        try writer.execute(sql: "UPDATE Episode SET title = 'a'")
        try? writer.execute(sql: "UPDATE Episode SET title = 'b'; COMMIT; DELETE FROM Episode")
      }
      #expect(try store.fetch(ModelRequest<Episode>()).map(\.title) == ["a"])
    }
  }

  @Test func vacuumIsRefused() throws {
    try withStore { store in
      for sql in ["VACUUM", "VACUUM INTO 'no.sqlite'"] {
        #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: sql) } }
        #expect(throws: StoreError.self) { try store.fetchPartials(Episode.self, sql: sql) }
      }
    }
  }

  @Test func statementsThatControlNothingRun() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { writer in
      try writer.execute(
        sql: """
          ; -- a comment
          CREATE TABLE note (x, y DEFAULT 'COMMIT; BEGIN');
          CREATE TRIGGER noted AFTER INSERT ON note BEGIN
            UPDATE note SET y = CASE WHEN new.x = 1 THEN 'END;' ELSE y END; SELECT 1;
          END;
          INSERT INTO note (x) VALUES (?), (?); PRAGMA user_version = 5 /* at the end */ ;
          PRAGMA table_info(note); PRAGMA foreign_key_check; ANALYZE; REINDEX;
          """, arguments: [1, 2])
      let notes = try writer.reader.fetchPartials(
        Episode.self, sql: "SELECT y AS title FROM note; -- the end")
      #expect(notes.map { $0[\.title] } == ["END;", "COMMIT; BEGIN"])
      let columns = try writer.reader.fetchPartials(
        Episode.self, sql: "SELECT name AS title FROM pragma_table_info('note')")
      #expect(columns.map { $0[\.title] } == ["x", "y"])
    }
    #expect(try store.writer.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 5)
  }
}
