import Foundation
import GRDB
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Transactions that SQLite rolls back itself, without notifying observers.
@Suite(.timeLimit(.minutes(20))) struct AutomaticRollbackTests {
  /// A statement that SQLite rolls back after it has written rows.
  struct Failure: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var setup = ""
    var sql: String
    var isInTransaction = true
  }

  static let failures = [
    Failure(
      testDescription: "a conflict clause",
      sql: "UPDATE OR ROLLBACK Show SET id = id % 2 + 3 WHERE id < 3"),
    Failure(
      testDescription: "a trigger",
      setup: """
        CREATE TRIGGER guard AFTER UPDATE ON Show WHEN NEW.id = 2
        BEGIN SELECT RAISE(ROLLBACK, 'not that'); END
        """,
      sql: "UPDATE Show SET title = title || '!'"),
    Failure(
      testDescription: "a full disk",
      setup: "PRAGMA max_page_count = 60",
      sql: """
        UPDATE Show SET title = 'written' WHERE id = 1;
        WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO Show (id, title, rank) SELECT i, hex(zeroblob(200)), i FROM n
        """),
    Failure(
      testDescription: "a statement that is a transaction of its own",
      sql: "UPDATE Show SET id = id % 2 + 3 WHERE id < 3", isInTransaction: false),
  ]

  private let store: ModelStore

  init() throws {
    store = try .shows()
    try store.execute(
      """
      INSERT INTO Host (id, name) VALUES (1, 'Ada');
      INSERT INTO Show (id, title, rank, host) VALUES (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 1);
      """)
  }

  private func follow(_ failure: Failure) throws -> ResultsController<Show> {
    try store.writer.writeWithoutTransaction { try $0.execute(sql: failure.setup) }
    return try ResultsController(ModelRequest<Show>().order(by: \.rank), in: store)
  }

  private func fail(_ failure: Failure) throws {
    #expect(throws: DatabaseError.self) {
      try store.writer.writeWithoutTransaction { database in
        if failure.isInTransaction { try database.execute(sql: "BEGIN IMMEDIATE") }
        defer { if database.isInsideTransaction { try? database.rollback() } }
        try database.execute(sql: failure.sql)
      }
    }
  }

  @Test(arguments: failures)
  func theCurrentSnapshotCanBeReadAfterwards(_ failure: Failure) throws {
    let controller = try follow(failure)

    try fail(failure)

    #expect(try controller.snapshot.models().map(\.title) == ["a", "b", "c"])
    #expect(controller.lastTransition.generation == 0)
  }

  @Test(arguments: failures)
  func theNextTransactionDoesNotReportTheRollback(_ failure: Failure) throws {
    let controller = try follow(failure)
    let known = controller.snapshot

    try fail(failure)
    try store.write { try $0.save(Host(id: 1, name: "Zoe")) }

    #expect(
      try controller.changes(since: known).rows.map(\.changedKeys) == [
        ["host"], ["host"], ["host"],
      ]
    )
  }

  @Test func aSnapshotCanBeReadInsideTheNextTransaction() throws {
    let controller = try follow(Self.failures[0])

    try fail(Self.failures[0])

    let titles = try store.write { _ in try controller.snapshot.models().map(\.title) }
    #expect(titles == ["a", "b", "c"])
  }

  @Test func aLaterCommitOfAnotherConnectionIsReported() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    let store = try ModelStore(path: path, models: Card.self)
    let other = try ModelStore(path: path, models: Card.self)
    try store.write { try $0.save((1...3).map { Card(id: $0, rank: $0, title: "old") }) }
    let controller = try ResultsController(ModelRequest<Card>().order(by: \.rank), in: store)

    #expect(throws: DatabaseError.self) {
      try store.writer.writeWithoutTransaction { database in
        try database.execute(
          sql: "BEGIN IMMEDIATE; UPDATE OR ROLLBACK Card SET title = 'x', id = id % 2 + 3")
      }
    }
    try other.write { try $0.save(Card(id: 1, rank: 1, title: "new")) }
    try store.readNewest { _ in }
    #expect(try controller.snapshot.models().map(\.title) == ["new", "old", "old"])
    // Restore the content that the row had before the rolled-back transaction.
    try store.execute("UPDATE Card SET title = 'old' WHERE id = 1")

    #expect(try controller.snapshot.models().map(\.title) == ["old", "old", "old"])
    #expect(controller.lastTransition.changes.rows.map(\.changedKeys) == [["title"]])
  }
}
