import Fixtures
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Statements of both engines that control transactions.
@Suite(.allEngines) struct SQLControlTests {
  /// Statements with their names in errors.
  static let statements: [(sql: String, name: String)] = [
    ("COMMIT", "COMMIT"), ("END", "COMMIT"), ("end transaction", "COMMIT"),
    ("/* SELECT */ COMMIT", "COMMIT"), ("-- x\n;; COMMIT;", "COMMIT"), ("ROLLBACK", "ROLLBACK"),
    ("ROLLBACK TO a", "ROLLBACK"), ("BEGIN", "BEGIN"), ("SAVEPOINT a", "SAVEPOINT"),
    ("RELEASE a", "RELEASE"), ("SELECT 1; COMMIT", "COMMIT"),
    (#"SELECT '; COMMIT' AS ";"; ROLLBACK; SELECT 1"#, "ROLLBACK"),
  ]

  private func check(_ error: StoreError?, _ name: String) {
    #expect(error?.code == .invalidRequest)
    #expect(error?.subject == "`\(name)`")
    #expect(
      error?.reason == "SQL of the app must not control transactions, connections or files")
  }

  private func filledStore() throws -> ModelStore {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save(Episode.number(1)) }
    return store
  }

  @Test(arguments: statements) func aWriteRefusesIt(sql: String, name: String) throws {
    let store = try filledStore()

    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.execute(sql: #"DELETE FROM "Episode""#)
        try writer.execute(sql: sql)
      }
    }

    check(error, name)
    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test(arguments: statements) func aWriteThatCatchesTheErrorGoesOn(
    sql: String, name: String
  ) throws {
    let store = try filledStore()

    try store.write { writer in
      try writer.execute(sql: #"UPDATE "Episode" SET title = 'a'"#)
      check(#expect(throws: StoreError.self) { try writer.execute(sql: sql) }, name)
      try writer.save(Episode.number(2))
    }

    let titles = try store.fetch(ModelRequest<Episode>().order(by: \.id)).map(\.title)
    #expect(titles == ["a", "Episode 2"])
  }

  @Test(arguments: statements) func aQueryRefusesIt(sql: String, name: String) throws {
    let store = try filledStore()

    check(#expect(throws: StoreError.self) { try store.fetch(Episode.self, sql: sql) }, name)
    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        try writer.delete(ModelRequest<Episode>())
        _ = try writer.reader.fetchPartials(Episode.self, sql: sql)
      }
    }

    check(error, name)
    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
  }

  @Test func vacuumIsRefused() throws {
    let store = try filledStore()

    #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: "VACUUM") } }
    #expect(throws: StoreError.self) { try store.fetchPartials(Episode.self, sql: "VACUUM") }
    try store.write { try $0.save(Episode.number(2)) }
  }
}
